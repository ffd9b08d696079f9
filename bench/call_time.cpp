// The time of a call on a small problem with devices that stay open, in milliseconds: the median
// and the fastest of many. bench/call_overhead compares them with a call from Python.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "plenosr/devices.h"
#include "plenosr/reconstruct.h"

namespace {

constexpr int side = 64;    // pixels of the views
constexpr int grid = 3;     // views per side
constexpr int calls = 200;  // that are measured, after as many that are not

// The same in bench/call_overhead: 8 bits of a linear congruential generator.
plenosr::LightField random_views() {
    plenosr::LightField field;
    field.grid = {0, 0, grid, grid};
    std::uint32_t state = 1;
    for (int row = 0; row < grid; ++row)
        for (int col = 0; col < grid; ++col) {
            plenosr::Image image(side, side);
            for (float& value : image.values) {
                state = state * 1664525U + 1013904223U;
                value = float(state >> 24U);
            }
            field.views.push_back({{double(row), double(col)}, image});
        }
    return field;
}

}  // namespace

int main() {
    const plenosr::LightField field = random_views();
    const plenosr::Image disparity(side, side);
    plenosr::ReconstructOptions options;
    options.blur.text = "gaussian";
    options.iterations = 1;
    options.denoiser = plenosr::Denoiser::none;
    options.self_check = false;
    options.threads = 1;
    options.devices = std::make_shared<plenosr::DevicePool>();
    std::vector<double> times;
    double sum = 0;
    for (int i = 0; i < 2 * calls; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const plenosr::ReconstructResult result =
            plenosr::reconstruct(field, {1, 1}, disparity, options);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        if (i >= calls) times.push_back(time.count());
        sum = 0;
        for (const float value : result.image.values)
            sum += double(value);
    }
    std::sort(times.begin(), times.end());
    fmt::print("{:.3f} {:.3f} {:.3f}\n", times[calls / 2], times[0], sum);
}
