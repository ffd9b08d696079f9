#include <fmt/format.h>

#include <functional>
#include <limits>
#include <memory>

#include "backends/cpu/backend.h"
#include "backends/opencl/backend.h"
#include "backends/opencl/platforms.h"
#include "benches.h"
#include "cases.h"
#include "interleave.h"
#include "solver/admm.h"

namespace plenosr::bench {
namespace {

// The paper's breakdown of one solve: transfers to and from the device, the two kinds of steps, and
// both steps together.
struct Breakdown {
    double io = 0;
    double zw_step = 0;
    double x_step = 0;
    double solve() const { return zw_step + x_step; }
};

SolveOptions ten_times_five() {
    SolveOptions options;
    options.iterations = 10;
    options.cg_steps = 5;
    options.objective.lambda = 0.1;
    return options;
}

template <class Backend>
Breakdown solve(Backend& b, const std::vector<float>& start) {
    Stopwatch clock;
    auto x = b.upload(start);
    b.finish();
    Breakdown result;
    result.io = clock.lap();
    const SolveSummary summary =
        admm(b, ten_times_five(), x, [](IterationReport&, const auto&) { return true; });
    clock.lap();
    b.download(x);
    result.io += clock.lap();
    result.zw_step = summary.zw_seconds;
    result.x_step = summary.x_seconds;
    return result;
}

// One engine to measure. Runs that take seconds are measured twice instead of `rounds` times.
struct Contestant {
    std::string name;
    std::function<Breakdown()> run;
    double build = 0;  // seconds of compiling
    std::size_t bytes = 0;
    int done = 0;
    Breakdown best{0, std::numeric_limits<double>::infinity(), 0};

    void take_a_turn() {
        if (done >= 2 && best.solve() > 3) return;
        const Breakdown now = run();
        if (done++ > 0 && now.solve() < best.solve()) best = now;  // the first run warms up
    }
};

// A strategy on a device, with its own context as in a run of the program.
struct OnDevice {
    std::unique_ptr<opencl::Device> device;
    std::unique_ptr<opencl::Backend> backend;
};

void strategies_case(const Case& c, const opencl::ListedDevice& listed, const Options& o) {
    const Problem problem = make_problem(c);
    const std::vector<float> start = start_image(c);
    std::vector<Contestant> contestants;
    cpu::Backend native(problem, o.threads);
    contestants.push_back({"cpu", [&] { return solve(native, start); }});
    std::vector<OnDevice> devices;
    devices.reserve(o.strategies.size());
    for (const std::string& name : o.strategies) {
        opencl::Tuning tuning = opencl::default_tuning(listed.description);
        tuning.strategy = opencl::parse_strategy(name).value();
        OnDevice& on = devices.emplace_back();
        on.device = std::make_unique<opencl::Device>(listed.handle, tuning);
        on.backend = std::make_unique<opencl::Backend>(*on.device, problem);
        on.device->finish();
        Contestant contestant{name, [&on, &start] { return solve(*on.backend, start); }};
        contestant.run();
        contestant.build = on.device->builds().seconds;
        contestant.bytes = on.device->memory().peak;
        contestants.push_back(std::move(contestant));
    }
    for (int round = 0; round <= o.rounds; ++round)
        for (Contestant& contestant : contestants)
            contestant.take_a_turn();
    for (const Contestant& contestant : contestants)
        fmt::print(
            "| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {} |\n", c.views(),
            contestant.name, contestant.best.io * 1e3, contestant.best.zw_step * 1e3,
            contestant.best.x_step * 1e3, contestant.best.solve() * 1e3,
            contestant.best.solve() / contestants.front().best.solve(), contestant.build,
            contestant.bytes > 0 ? fmt::format("{:.1f}", double(contestant.bytes) / double(1 << 20))
                                 : "-");
}

}  // namespace

void strategies(const Options& o) {
    const std::vector<opencl::ListedDevice> devices = opencl::listed_devices();
    const opencl::ListedDevice* listed = opencl::select_device(devices, "opencl");
    fmt::print("## Strategies on {}: x4 to {}x{}, 10 ADMM iterations of 5 CG steps\n\n",
               listed->description.name, o.size, o.size);
    fmt::print(
        "Milliseconds, best of {} interleaved rounds; compiling (or loading from the cache) is "
        "not part of them.\n\n",
        o.rounds);
    fmt::print(
        "| views | engine | io | z/w-step | x-step | both steps | times cpu | compile, s | device "
        "MiB |\n|---|---|---|---|---|---|---|---|---|\n");
    for (const int grid : o.grid > 0 ? std::vector{o.grid} : std::vector{3, 5, 7, 9})
        strategies_case({4, grid, 1, o.size}, *listed, o);
}

}  // namespace plenosr::bench
