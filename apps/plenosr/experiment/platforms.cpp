#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "experiment/experiments.h"
#include "interrupts.h"
#include "plenosr/devices.h"

namespace plenosr::app {
namespace {

struct Platform {
    std::string name;
    std::string device;
    int threads = 0;
};

std::vector<Platform> platforms(const Lab& lab) {
    std::vector<Platform> result = {{"cpu, one thread", "cpu", 1}};
    for (const DeviceDescription& d : devices()) {
        const bool wanted = !lab.options().device_given || lab.options().device == d.id;
        if (!d.available || !wanted) continue;
        result.push_back(
            {d.type == DeviceType::native ? "cpu, all threads" : d.id + " " + d.name, d.id, 0});
    }
    return result;
}

}  // namespace

void run_platforms(Lab& lab) {
    Page& page = lab.page();
    const int size = lab.quick() ? 128 : 512;
    const int rounds = lab.quick() ? 1 : 3;
    constexpr int iterations = 3;
    page.text.push_back(fmt::format(
        "Rendered scene, x4 to {0} x {0} pixels, l1+l2 and the weighted prior with a window of 5 x "
        "5, 5 steps of conjugate gradients: milliseconds of one ADMM iteration (mean of {1}, best "
        "of {2} interleaved rounds), and how many times as fast as one thread of the native "
        "engine.",
        size, iterations, rounds));
    const Degraded all = timing_scene(9, size);

    const std::vector<Platform> list = platforms(lab);
    const std::vector<int> grids = lab.quick() ? std::vector{3, 5} : std::vector{3, 5, 7, 9};
    lab.expect(int(grids.size() * list.size()) * (rounds + 1));
    Table table{"platforms",
                "Milliseconds of one ADMM iteration",
                {{"device"}, {"views"}, {"milliseconds", 2}, {"speed-up over one CPU thread", 2}},
                {}};
    std::vector<Series> series;
    series.reserve(list.size());
    for (const Platform& platform : list)
        series.push_back({platform.name, {}, {}});
    for (const int grid : grids) {
        const Degraded low = Lab::with_views(all, fmt::format("{0}x{0}", grid));
        std::vector<double> best(list.size(), std::numeric_limits<double>::infinity());
        for (int round = 0; round <= rounds; ++round)
            for (std::size_t p = 0; p < list.size(); ++p) {
                ReconstructOptions options;
                options.scale = 4;
                options.data = DataTerm::l1_l2;
                options.prior = Prior::weighted;
                options.window = 2;
                options.cg = 5;
                options.iterations = iterations;
                options.device = list[p].device;
                options.threads = list[p].threads;
                const ReconstructResult result =
                    reconstruct(low.low, low.reference, low.disparity, options, lab.listening());
                require_finished(result.termination);
                const double steps = result.seconds.zw_step + result.seconds.x_step;
                if (round > 0) best[p] = std::min(best[p], steps / iterations);  // round 0 warms up
                lab.done();
            }
        for (std::size_t p = 0; p < list.size(); ++p) {
            table.rows.push_back(
                {list[p].name, grid * grid, 1e3 * best[p], best.front() / best[p]});
            series[p].x.push_back(double(grid * grid));
            series[p].y.push_back(1e3 * best[p]);
        }
    }
    bool gpu = false;
    for (const DeviceDescription& d : devices())
        gpu = gpu || d.type == DeviceType::gpu;
    if (!gpu) page.missing.emplace_back("GPUs: OpenCL finds none on this machine.");
    page.found.emplace_back(
        "The paper's speed-ups over a CPU, on GPUs: 23 to 40 for 9 views, 43 to 77 for 81. Its CPU "
        "implementation differs, so the ratios cannot be compared.");
    page.tables.push_back(table);
    Plot plot{"views", "milliseconds", false, true, series};
    for (const int grid : grids)
        plot.x_ticks.emplace_back(grid * grid, fmt::format("{}", grid * grid));
    page.figures.push_back({"platforms", "time of one ADMM iteration by number of views", plot});
}

}  // namespace plenosr::app
