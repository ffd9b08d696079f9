#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <functional>

#include "backends/cpu/parallel.h"
#include "backends/cpu/simd_rows.h"
#include "benches.h"
#include "interleave.h"

namespace plenosr::bench {

void print_machine(const Options& o) {
    std::string model = "unknown processor";
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    fmt::print("{}, {} threads, {}\n\n", model, cpu::Parallel(o.threads).threads(),
               cpu::simd_target());
}

}  // namespace plenosr::bench

int main(int argc, char** argv) {
    using namespace plenosr::bench;
    Options o;
    std::vector<std::string> names;
    const std::vector<std::pair<std::string, std::function<void(const Options&)>>> benches = {
        {"compare", compare},     {"profile", profile}, {"roofline", roofline},
        {"precision", precision}, {"reading", reading}, {"strategies", strategies}};
    CLI::App app("Measures the engines and prints Markdown.");
    app.add_option("names", names, "what to measure; all of it by default")
        ->check(CLI::IsMember(
            {"all", "compare", "profile", "roofline", "precision", "reading", "strategies"}));
    app.add_option("--threads", o.threads, "threads; 0: one per core")->check(CLI::Range(0, 1024));
    app.add_option("--rounds", o.rounds, "interleaved rounds, of which the best counts")
        ->check(CLI::Range(1, 1000));
    app.add_option("--max-csr-views", o.max_csr_views,
                   "most views for which sparse matrices are built (81 at scale 2: 6 GB)");
    app.add_option("--size", o.size, "width and height of the result, pixels")
        ->check(CLI::Range(64, 4096));
    app.add_option("--grid", o.grid, "of strategies: so many views a side; 0: 3, 5, 7 and 9")
        ->check(CLI::Range(0, 15));
    app.add_option("--strategies", o.strategies, "of strategies: which ones")
        ->delimiter(',')
        ->check(CLI::IsMember({"buffer", "image", "local"}));
    app.add_flag("--cpu-time", use_cpu_time,
                 "processor time instead of the clock on the wall; together with --threads 1 it "
                 "tells something on a busy machine too");
    CLI11_PARSE(app, argc, argv);
    const auto wanted = [&](const std::string& name) {
        if (names.empty()) return true;
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& n) { return n == name || n == "all"; });
    };
    try {
        print_machine(o);
        for (const auto& [name, measure] : benches)
            if (wanted(name)) {
                measure(o);
                fmt::print("\n");
            }
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench: {}\n", error.what());
        return 1;
    }
    return 0;
}
