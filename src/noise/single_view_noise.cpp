#include "noise/single_view_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace plenosr {
namespace {

constexpr int block_size = 16;
constexpr std::size_t enough = 40;  // second differences of a block that count
constexpr int rounds = 4;
constexpr double least_impulses = 0.002;

bool at_limit(float value) {
    return value <= 0.0F || value >= 255.0F;
}

double median_of(std::vector<float>& values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return double(*middle);
}

double normal_below(double a) {
    return 0.5 * std::erfc(-a / std::numbers::sqrt2);
}

struct Block {
    double level = 0;    // median of the pixels inside the limits
    double spread = -1;  // 1.4826 median |r|; negative: not known
    int low = 0;         // pixels at 0
    int high = 0;        // pixels at 255
    int pixels = 0;
};

Block look_at(const Image& y, int top, int left) {
    Block block;
    std::vector<float> levels;
    std::vector<float> differences;
    const int bottom = std::min(top + block_size, y.height);
    const int end = std::min(left + block_size, y.width);
    for (int j = top; j < bottom; ++j)
        for (int i = left; i < end; ++i) {
            const float here = y.at(j, i);
            ++block.pixels;
            if (here <= 0.0F) ++block.low;
            if (here >= 255.0F) ++block.high;
            if (!at_limit(here)) levels.push_back(here);
            if (i + 1 >= y.width || j + 1 >= y.height) continue;
            const float right = y.at(j, i + 1);
            const float below = y.at(j + 1, i);
            const float across = y.at(j + 1, i + 1);
            if (!at_limit(here) && !at_limit(right) && !at_limit(below) && !at_limit(across))
                differences.push_back(std::abs(here - right - below + across));
        }
    if (levels.empty()) {
        block.level = block.low > block.high ? 0 : 255;
        return block;
    }
    block.level = median_of(levels);
    if (differences.size() >= enough) block.spread = 1.4826 * median_of(differences) / 2;
    return block;
}

// The spread that the quietest blocks have, of those whose level clipping does not reach.
double quiet_spread(const std::vector<Block>& blocks, double guard, const QuietBlocks& quiet) {
    std::vector<double> spreads;
    for (const Block& block : blocks)
        if (block.spread >= 0 && block.level >= guard && block.level <= 255 - guard)
            spreads.push_back(block.spread);
    if (spreads.empty()) return -1;
    const auto place = spreads.begin() + std::ptrdiff_t(quiet.share * double(spreads.size() - 1));
    std::nth_element(spreads.begin(), place, spreads.end());
    return *place / quiet.bias;
}

}  // namespace

SensorNoise single_view_noise(const Image& view, const QuietBlocks& quiet) {
    const Image y = luma(view);
    std::vector<Block> blocks;
    for (int top = 0; top < y.height; top += block_size)
        for (int left = 0; left < y.width; left += block_size)
            blocks.push_back(look_at(y, top, left));

    SensorNoise noise;
    noise.sigma = std::max(0.0, quiet_spread(blocks, 0, quiet));
    for (int round = 0; round < rounds; ++round) {
        const double next = quiet_spread(blocks, std::min(1.5 * noise.sigma, 100.0), quiet);
        if (next < 0) break;
        noise.sigma = next;
    }

    // seen at a limit = impulses / 2 + (1 - impulses) clipped, for each limit
    const double sigma = std::max(noise.sigma, 1.0);
    double seen = 0;
    double clipped = 0;
    double pixels = 0;
    for (const Block& block : blocks) {
        const double far = 30 + 1.5 * noise.sigma;
        if (block.level > far) {
            seen += block.low;
            clipped += block.pixels * normal_below((0.5 - block.level) / sigma);
            pixels += block.pixels;
        }
        if (255 - block.level > far) {
            seen += block.high;
            clipped += block.pixels * normal_below((block.level - 254.5) / sigma);
            pixels += block.pixels;
        }
    }
    if (pixels > 0) {
        const double at_one_limit =
            std::max(0.0, (seen - clipped) / std::max(1.0, pixels - clipped));
        noise.impulses = std::min(1.0, 2 * at_one_limit);
        if (noise.impulses < least_impulses) noise.impulses = 0;
    }
    return noise;
}

}  // namespace plenosr
