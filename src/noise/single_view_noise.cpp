#include "noise/single_view_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/median.h"

namespace plenosr {
namespace {

// Chosen by reasoning, and checked as QuietBlocks says.
constexpr int block_size = 16;                  // pixels; has 225 cross differences
constexpr std::size_t fewest_differences = 40;  // per block: fewer give no usable median
constexpr int rounds = 4;                       // of sigma -> guard -> sigma
constexpr double guard_sigmas = 1.5;            // distance from a limit: 7 % of noise is clipped
constexpr double largest_guard = 100;           // grey levels: leaves the middle of 0 … 255
constexpr double far_from_limit = 30;           // grey levels, and guard_sigmas more: levels from
                                                // which dark texture does not reach a limit
constexpr double least_sigma = 1;               // grey levels, for the probability of clipping
constexpr double fewest_impulses = 0.002;       // below: 0

double normal_below(double a) {
    return 0.5 * std::erfc(-a / std::numbers::sqrt2);
}

struct Block {
    double level = 0;    // median of the pixels inside the limits
    double spread = -1;  // 1.4826 median |r|; negative: not known
    int low = 0;         // pixels at the lower limit
    int high = 0;        // pixels at the upper limit
    int pixels = 0;
};

Block statistics_of_block(const Image& y, int top, int left, const ValueLimits& limits) {
    Block block;
    std::vector<float> levels;
    std::vector<float> differences;
    const int bottom = std::min(top + block_size, y.height);
    const int end = std::min(left + block_size, y.width);
    for (int j = top; j < bottom; ++j)
        for (int i = left; i < end; ++i) {
            const float here = y.at(j, i);
            ++block.pixels;
            if (double(here) <= limits.low) ++block.low;
            if (double(here) >= limits.high) ++block.high;
            if (!limits.reached(here)) levels.push_back(here);
            if (i + 1 >= y.width || j + 1 >= y.height) continue;
            const float right = y.at(j, i + 1);
            const float below = y.at(j + 1, i);
            const float across = y.at(j + 1, i + 1);
            if (!limits.reached(here) && !limits.reached(right) && !limits.reached(below) &&
                !limits.reached(across))
                differences.push_back(std::abs(here - right - below + across));
        }
    if (levels.empty()) {
        block.level = block.low > block.high ? limits.low : limits.high;
        return block;
    }
    block.level = double(upper_median(levels));
    if (differences.size() >= fewest_differences)
        block.spread = sigma_per_median * double(upper_median(differences)) / 2;
    return block;
}

// The spread of the quietest blocks among those whose level clipping does not reach.
double quiet_spread(const std::vector<Block>& blocks, double guard, const ValueLimits& limits,
                    const QuietBlocks& quiet) {
    std::vector<double> spreads;
    for (const Block& block : blocks)
        if (block.spread >= 0 && block.level >= limits.low + guard &&
            block.level <= limits.high - guard)
            spreads.push_back(block.spread);
    if (spreads.empty()) return -1;
    const auto rank = std::size_t(quiet.share * double(spreads.size() - 1));
    return value_of_rank(spreads, rank) / quiet.bias;
}

// Solves  seen at a limit = impulses / 2 + (1 - impulses) clipped  over the limits that there are.
double fraction_of_impulses(const std::vector<Block>& blocks, double noise,
                            const ValueLimits& limits) {
    const double sigma = std::max(noise, least_sigma);
    const double far = far_from_limit + guard_sigmas * noise;
    double seen = 0;
    double clipped = 0;
    double pixels = 0;
    for (const Block& block : blocks) {
        if (limits.has_low() && block.level - limits.low > far) {
            seen += block.low;
            clipped += block.pixels * normal_below((limits.low + 0.5 - block.level) / sigma);
            pixels += block.pixels;
        }
        if (limits.has_high() && limits.high - block.level > far) {
            seen += block.high;
            clipped += block.pixels * normal_below((block.level - (limits.high - 0.5)) / sigma);
            pixels += block.pixels;
        }
    }
    if (pixels <= 0) return 0;
    const double at_one_limit = std::max(0.0, (seen - clipped) / std::max(1.0, pixels - clipped));
    const double impulses = std::min(1.0, 2 * at_one_limit);
    return impulses < fewest_impulses ? 0 : impulses;
}

}  // namespace

SensorNoise single_view_noise(const ImageView& view, const ValueLimits& limits,
                              const QuietBlocks& quiet) {
    const Image y = luma(view);
    std::vector<Block> blocks;
    for (int top = 0; top < y.height; top += block_size)
        for (int left = 0; left < y.width; left += block_size)
            blocks.push_back(statistics_of_block(y, top, left, limits));

    SensorNoise noise;
    noise.sigma = std::max(0.0, quiet_spread(blocks, 0, limits, quiet));
    for (int round = 0; round < rounds; ++round) {
        const double guard = std::min(guard_sigmas * noise.sigma, largest_guard);
        const double next = quiet_spread(blocks, guard, limits, quiet);
        if (next < 0) break;
        noise.sigma = next;
    }
    noise.impulses = fraction_of_impulses(blocks, noise.sigma, limits);
    return noise;
}

}  // namespace plenosr
