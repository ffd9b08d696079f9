#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "experiment/experiments.h"
#include "interrupts.h"
#include "plenosr/devices.h"

namespace plenosr::app {
namespace {

// The device of --device, or the first OpenCL device; empty if there is none.
std::string opencl_device(const Lab& lab) {
    if (lab.options().device.rfind("opencl", 0) == 0) return lab.options().device;
    for (const DeviceDescription& device : devices())
        if (device.type != DeviceType::native && device.available) return device.id;
    return {};
}

// Seconds of the transfers to and from the device in a profile.
double transfer_seconds(const ReconstructResult& result) {
    double seconds = 0;
    for (const DeviceProfile& device : result.profile)
        for (const KernelProfile& kernel : device.kernels)
            if (kernel.name == "writing" || kernel.name == "reading") seconds += kernel.seconds;
    return seconds;
}

}  // namespace

void run_strategies(Lab& lab) {
    Page& page = lab.page();
    const std::string device = opencl_device(lab);
    const int size = lab.quick() ? 128 : 512;
    page.text.push_back(fmt::format(
        "Rendered scene, 5x5 views, x4 to {0} x {0} pixels, 10 ADMM iterations of 5 steps of "
        "conjugate gradients, l1+l2 and the weighted prior, on the device `{1}`. Best of {2} "
        "interleaved rounds; compiling is not counted; io is the time of transfers by the device's "
        "own clock.",
        size, device.empty() ? "none" : device, lab.quick() ? 1 : 3));
    if (device.empty()) {
        page.missing.emplace_back("All results: this machine has no OpenCL device.");
        return;
    }
    const Degraded low = timing_scene(5, size);

    struct Entry {
        std::string name;
        MemoryStrategy strategy;
        StageSeconds best{0, 0, 0, std::numeric_limits<double>::infinity(), 0};
        double io = 0;
        double steps() const { return best.zw_step + best.x_step; }
    };
    std::vector<Entry> entries = {{"buffer", MemoryStrategy::buffer},
                                  {"image", MemoryStrategy::image},
                                  {"local", MemoryStrategy::local}};
    ReconstructOptions options;
    options.scale = 4;
    options.data = DataTerm::l1_l2;
    options.prior = Prior::weighted;
    options.iterations = 10;
    options.cg = 5;
    options.device = device;
    const int rounds = lab.quick() ? 1 : 3;
    lab.expect((rounds + 1) * int(entries.size()));
    for (int round = 0; round <= rounds; ++round)
        for (Entry& entry : entries) {
            options.strategy = entry.strategy;
            options.profile = round == 0;  // round 0 also compiles and warms up
            const ReconstructResult result =
                reconstruct(low.low, low.reference, low.disparity, options, lab.listening());
            require_finished(result.termination);
            if (round == 0) {
                entry.io = transfer_seconds(result);
                for (const std::string& note : result.notes)
                    page.missing.push_back(entry.name + ": " + note);
            } else if (result.seconds.zw_step + result.seconds.x_step < entry.steps()) {
                entry.best = result.seconds;
            }
            lab.done();
        }

    Table table{"strategies",
                "Milliseconds by memory strategy",
                {{"strategy"},
                 {"io", 2},
                 {"z/w-step", 1},
                 {"x-step", 1},
                 {"both steps", 1},
                 {"speed-up over buffer", 2},
                 {"the paper's", 2}},
                {}};
    Bars bars{"milliseconds", {}, {{"io", {}}, {"z/w-step", {}}, {"x-step", {}}}};
    for (const Entry& entry : entries) {
        const Json paper = entry.name == "image"   ? Json(1.2)
                           : entry.name == "local" ? Json(2.16)
                                                   : Json(1.0);
        table.rows.push_back({entry.name, 1e3 * entry.io, 1e3 * entry.best.zw_step,
                              1e3 * entry.best.x_step, 1e3 * entry.steps(),
                              entries.front().steps() / entry.steps(), paper});
        bars.groups.push_back(entry.name);
        bars.parts[0].heights.push_back(1e3 * entry.io);
        bars.parts[1].heights.push_back(1e3 * entry.best.zw_step);
        bars.parts[2].heights.push_back(1e3 * entry.best.x_step);
    }
    page.found.emplace_back(
        "The paper's speed-ups, on a GPU: images 1.2 times buffers, local memory 1.8 times images. "
        "A CPU has neither a texture cache nor separate local memory, so on a device of that type "
        "the order says little.");
    page.tables.push_back(table);
    page.figures.push_back({"strategies", "time by memory strategy", bars});
}

}  // namespace plenosr::app
