#include "backends/opencl/tune.h"

#include <algorithm>
#include <tuple>

#include "base/cancelled.h"
#include "base/out_of_memory.h"
#include "plenosr/error.h"

namespace plenosr::opencl {
namespace {

// Relative scatter of the best of three measurements: a candidate must be faster by more than this.
// Chosen by reasoning; a smaller value lets noise choose between equal tunings.
constexpr double scatter = 0.02;

// The best tuning so far, with the members set to each of `values`.
template <class... T>
Axis along(const DeviceDescription& device, std::vector<std::tuple<T...>> values,
           T Tuning::*... members) {
    return [=](const Tuning& best) {
        std::vector<Tuning> list;
        for (const auto& value : values) {
            Tuning t = best;
            std::tie(t.*members...) = value;
            if (fits(t, device) && usable_strategy(t, device, 1, 1).strategy == t.strategy)
                list.push_back(t);
        }
        return list;
    };
}

Trial run(const Tuning& tuning, const Measure& measure) {
    Trial trial;
    trial.tuning = tuning;
    try {
        trial.seconds = measure(tuning);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        trial.failure = error.what();
    } catch (const OutOfMemory& error) {
        trial.failure = error.what();
    }
    return trial;
}

}  // namespace

// Each axis has few values, because drivers take seconds to compile the kernels for a new tuning.
// The values are powers of two around the defaults (tuning.cpp); chosen by reasoning.
std::vector<Axis> tuning_axes(const DeviceDescription& d) {
    using enum Strategy;
    using T = Tuning;
    using Pairs = std::vector<std::tuple<int, int>>;
    using Tiles =
        std::vector<std::tuple<int, int, int, int>>;  // tile size, work-items of its group
    const bool cpu = d.type == DeviceType::cpu || d.type == DeviceType::other;
    const Tiles tiles = cpu ? Tiles{{16, 8, 1, 1}, {64, 4, 1, 1}, {64, 16, 1, 1}, {128, 16, 1, 1}}
                            : Tiles{{16, 8, 16, 8}, {32, 4, 32, 4}, {32, 8, 32, 8}, {64, 4, 64, 4}};
    const Pairs cells = {{16, 4}, {32, 8}, {64, 16}, {128, 16}};
    const Pairs groups = cpu ? Pairs{{1, 16}, {1, 64}, {1, 256}}
                             : Pairs{{64, 128}, {128, 256}, {256, 256}, {256, 1024}};
    return {along(d, {{buffer}, {image}, {local}}, &T::strategy),
            along(d,
                  cpu ? std::vector<std::tuple<int>>{{4}, {8}, {16}}
                      : std::vector<std::tuple<int>>{{1}, {4}},
                  &T::vector),
            along(d, tiles, &T::tile_width, &T::tile_height, &T::local_width, &T::local_height),
            along(d, cells, &T::cell_width, &T::cell_height),
            along(d, groups, &T::group, &T::groups)};
}

TuneSearch tune(const Tuning& start, const std::vector<Axis>& axes, const Measure& measure,
                const std::function<void(const Trial&)>& watch) {
    TuneSearch search;
    const auto try_out = [&](const Tuning& tuning) {
        search.trials.push_back(run(tuning, measure));
        if (watch) watch(search.trials.back());
    };
    try_out(start);
    for (const Axis& axis : axes)
        for (const Tuning& candidate : axis(search.trials[search.best].tuning)) {
            const bool known =
                std::any_of(search.trials.begin(), search.trials.end(),
                            [&](const Trial& trial) { return trial.tuning == candidate; });
            if (known) continue;
            try_out(candidate);
            const Trial& best = search.trials[search.best];
            if (search.trials.back().seconds < best.seconds * (1 - scatter))
                search.best = search.trials.size() - 1;
        }
    return search;
}

}  // namespace plenosr::opencl
