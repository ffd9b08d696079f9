#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "benches.h"
#include "interleave.h"
#include "plenosr/io.h"
#include "plenosr/synth.h"

namespace plenosr::bench {

namespace fs = std::filesystem;

namespace {

// 81 rendered views in a temporary folder.
class Scene {
public:
    explicit Scene(int size)
        : folder_(fs::temp_directory_path() / fmt::format("plenosr-bench-{}", getpid())) {
        SynthOptions options;
        options.width = options.height = size;
        options.supersampling = 1;
        write_light_field(folder_, synthesise(options).light_field, {});
    }
    ~Scene() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;
    const fs::path& folder() const { return folder_; }

private:
    fs::path folder_;
};

}  // namespace

void reading(const Options& o) {
    const Scene scene(o.size);
    const LightFieldIndex index = index_light_field(scene.folder());
    const int most = o.threads > 0 ? o.threads : 2;
    Interleave contest;
    for (const int threads : {1, most})
        contest.add(std::to_string(threads), [&index, threads] {
            tbb::task_arena arena(threads);
            return seconds_of(1, [&] { arena.execute([&] { read_light_field(index); }); });
        });
    const std::vector<Timing> timings = contest.run(o.rounds);
    fmt::print("## Reading {} views of {}x{} pixels (PNG, 8 bit, RGB)\n\n", index.views.size(),
               o.size, o.size);
    fmt::print("| threads | seconds | times as fast |\n|---|---|---|\n");
    for (const Timing& timing : timings)
        fmt::print("| {} | {:.3f} | {:.2f} |\n", timing.name, timing.best,
                   timings.front().best / timing.best);
}

}  // namespace plenosr::bench
