#include "plenosr/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/opencl/backend.h"
#include "backends/opencl/platforms.h"
#include "backends/opencl/tune.h"
#include "backends/opencl/tuning_store.h"
#include "base/cancelled.h"
#include "plenosr/error.h"
#include "problem/prior.h"
#include "solver/admm.h"

namespace plenosr {
namespace {

// A small version of the usual work: 3 x 3 views, scale 2, weighted prior. The time does not depend
// on the views' contents but on the positions of their samples, so the disparity varies.
Problem small_problem() {
    constexpr int low = 192;  // pixels a side: larger than caches, a solve takes under a second
    Problem p;
    p.scale = 2;
    p.width = p.height = low * p.scale;
    p.psf = make_psf(BlurSpec{}, p.scale);
    p.directions = prior_directions(Prior::weighted, 1);
    p.weights.adaptive = true;
    for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
            Observation o;
            o.u = u;
            o.v = v;
            o.values = Image(low, low, 1);
            o.disparity = Image(low, low, 1);
            for (int y = 0; y < low; ++y)
                for (int x = 0; x < low; ++x) {
                    o.values.at(x, y) = 128.0F + 100.0F * std::sin(0.11F * float(x * (y + u + v)));
                    o.disparity.at(x, y) = 2.0F * std::sin(0.05F * float(x + y));
                }
            p.observations.push_back(std::move(o));
        }
    return p;
}

// The best of several solves, after one that compiles and warms up.
double seconds_of(const cl::Device& handle, const opencl::Tuning& tuning, const Problem& problem) {
    constexpr int repetitions = 3;
    opencl::Device device(handle, tuning);
    opencl::Backend backend(device, problem);
    SolveOptions options;
    options.iterations = 3;
    options.cg_steps = 3;
    const std::vector<float> start(problem.pixels(), 128.0F);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= repetitions; ++i) {
        auto x = backend.upload(start);
        device.finish();
        const Stopwatch clock;
        admm(backend, options, x, [](IterationReport&, const auto&) { return true; });
        device.finish();
        if (i > 0) best = std::min(best, clock.seconds());
    }
    return best;
}

TuningTrial described(const opencl::Trial& trial) {
    TuningTrial words{opencl::to_string(trial.tuning.strategy), {}, trial.seconds, trial.failure};
    for (const auto& [name, value] : opencl::tuning_numbers())
        words.numbers.emplace_back(name, trial.tuning.*value);
    return words;
}

}  // namespace

TuneResult tune(const std::string& request, const Progress& progress) {
    const std::vector<opencl::ListedDevice> list = opencl::listed_devices();
    const opencl::ListedDevice* chosen = opencl::select_device(list, request);
    if (chosen == nullptr)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("device = {} must be an OpenCL device: the native CPU engine has "
                                "nothing to tune",
                                request));
    const DeviceDescription& description = chosen->description;
    const Problem problem = small_problem();
    int measured = 0;
    const opencl::TuneSearch search = opencl::tune(
        opencl::tuning_for(description), opencl::tuning_axes(description),
        [&](const opencl::Tuning& t) { return seconds_of(chosen->handle, t, problem); },
        [&](const opencl::Trial&) {
            if (!report(progress, {"tuning", ++measured, 0})) throw Cancelled();
        });
    const opencl::Trial& best = search.trials[search.best];
    if (!best.failure.empty())
        throw Error(ErrorKind::device,
                    fmt::format("no tuning runs on {}: {}", description.name, best.failure));
    opencl::store_tuning(description, best.tuning);
    TuneResult result{description, {}, search.best, opencl::tuning_file().string()};
    for (const opencl::Trial& trial : search.trials)
        result.trials.push_back(described(trial));
    return result;
}

}  // namespace plenosr
