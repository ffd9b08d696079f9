// The engine's matching against a plain implementation of its formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "backends/cpu/matching.h"
#include "backends/cpu/semi_global.h"
#include "backends/cpu/simd_matching.h"
#include "backends/cpu/sweep.h"
#include "base/cancelled.h"
#include "cases/matching.h"
#include "cases/random_values.h"

namespace plenosr::test {
namespace {

float plain_median(std::vector<float> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : 0.5F * (values[n / 2 - 1] + values[n / 2]);
}

double plain_loss(MatchLoss loss, const std::vector<float>& values, double tau) {
    const double n = double(values.size());
    double sum = 0;
    if (loss == MatchLoss::absolute) {
        for (const float v : values)
            sum += std::min(std::abs(double(v) - double(plain_median(values))), tau);
        return sum / std::sqrt(n * (n - 1));
    }
    double plain = 0;
    for (const float v : values)
        plain += double(v) / n;
    double near = 0;
    double many = 0;
    for (const float v : values)
        if (std::abs(double(v) - plain) < 2 * tau) near += double(v), ++many;
    const double mean = many > 0 ? near / many : plain;
    for (const float v : values)
        sum += std::min(std::pow(double(v) - mean, 2), tau * tau);
    return sum / (tau * (n - 1));
}

TEST(MedianExchanges, PutTheMedianInPlaceForAnyNumberOfValues) {
    RandomValues random(3);
    for (int n = 1; n <= 90; ++n) {
        const auto exchanges = median_exchanges(n);
        for (int trial = 0; trial < 5; ++trial) {
            auto values = random.vector(std::size_t(n));
            const float expected = plain_median(values);
            for (const auto& [low, high] : exchanges)
                if (values[low] > values[high]) std::swap(values[low], values[high]);
            const std::size_t m = std::size_t(n) / 2;
            const float median = n % 2 == 1 ? values[m] : 0.5F * (values[m - 1] + values[m]);
            EXPECT_EQ(median, expected) << n;
        }
    }
}

TEST(Sweep, EqualsTheFormulaAtEveryPixelIncludingBorders) {
    RandomValues random(5);
    MatchDesc desc;
    const int width = 23;
    const int height = 9;
    for (const auto& [u, v] : std::vector<std::pair<double, double>>{
             {0, 0}, {1, 0}, {-1.25, 0}, {0, 2}, {2, -1}, {-2, 1.5}}) {
        desc.views.push_back(random.image(width, height));
        desc.offsets.push_back({u, v});
    }
    desc.guide = desc.views[0];
    desc.truncation = 40;
    const auto cubic = [](double x) {
        x = std::abs(x);
        return x >= 2   ? 0.0
               : x >= 1 ? ((-0.5 * x + 2.5) * x - 4) * x + 2
                        : (1.5 * x - 2.5) * x * x + 1;
    };
    const auto sample = [&](const Image& image, double x, double y) {
        double sum = 0;
        for (int j = int(std::floor(y)) - 1; j <= int(std::floor(y)) + 2; ++j)
            for (int i = int(std::floor(x)) - 1; i <= int(std::floor(x)) + 2; ++i)
                sum += cubic(x - i) * cubic(y - j) *
                       double(image.at(std::clamp(j, 0, height - 1), std::clamp(i, 0, width - 1)));
        return float(sum);
    };
    for (const MatchLoss loss : {MatchLoss::absolute, MatchLoss::squared})
        for (const double d : {0.0, 0.7, -3.3, 30.0}) {
            desc.loss = loss;
            const cpu::Sweep sweep(desc);
            cpu::Sweep::Scratch scratch;
            std::vector<float> plane(desc.guide.pixels());
            sweep.cost_plane(d, plane.data(), scratch);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    std::vector<float> seen;
                    for (std::size_t k = 0; k < desc.views.size(); ++k) {
                        const double px = x - desc.offsets[k].u * d;
                        const double py = y - desc.offsets[k].v * d;
                        if (px >= -0.5 && px <= width - 0.5 && py >= -0.5 && py <= height - 0.5)
                            seen.push_back(sample(desc.views[k], px, py));
                    }
                    const double expected = seen.size() < 2 ? 40.0 : plain_loss(loss, seen, 40.0);
                    EXPECT_NEAR(double(plane[std::size_t(y * width + x)]), expected, 2e-3)
                        << "d " << d << " at " << x << "," << y;
                }
        }
}

TEST(PathStep, EqualsTheRecursionOfSemiGlobalMatching) {
    RandomValues random(7);
    constexpr int labels = 48;
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<std::uint16_t> from(labels + 2, 0xFFFF);
        std::vector<std::uint16_t> cost(labels);
        std::vector<std::uint16_t> to(labels);
        std::vector<std::uint16_t> sum(labels, 100);
        for (int l = 0; l < labels; ++l) {
            from[std::size_t(l + 1)] = std::uint16_t(random.next(0, 5000));
            cost[std::size_t(l)] = std::uint16_t(random.next(0, 4095));
        }
        const std::uint16_t least = *std::min_element(from.begin(), from.end());
        const int p1 = 60;
        const int p2 = 900;
        const std::uint16_t returned = cpu::path_step(from.data() + 1, least, cost.data(), p1, p2,
                                                      to.data(), sum.data(), labels);
        int smallest = 0xFFFF;
        for (int l = 0; l < labels; ++l) {
            const auto f = [&](int i) { return int(from[std::size_t(i + 1)]); };
            const int best = std::min({f(l), f(l - 1) + p1, f(l + 1) + p1, least + p2});
            const int expected = int(cost[std::size_t(l)]) + best - least;
            EXPECT_EQ(int(to[std::size_t(l)]), expected);
            EXPECT_EQ(int(sum[std::size_t(l)]), 100 + expected);
            smallest = std::min(smallest, expected);
        }
        EXPECT_EQ(int(returned), smallest);
    }
}

TEST(Matching, FindsAPlaneBetweenLabels) {
    const cpu::Parallel parallel(2);
    for (const double d : {-1.31, 0.0, 0.44, 1.7}) {
        const Match match = cpu::match_views(plane_at(d, 40, 30), parallel, {});
        for (int y = 4; y < 26; ++y)
            for (int x = 4; x < 36; ++x)
                EXPECT_NEAR(double(match.disparity.at(y, x)), d, 0.03) << x << "," << y;
    }
}

TEST(Matching, DoesNotDependOnTheThreadCount) {
    const MatchDesc desc = plane_at(0.6, 37, 29);
    const Match one = cpu::match_views(desc, cpu::Parallel(1), {});
    for (const int threads : {2, 7}) {
        const Match many = cpu::match_views(desc, cpu::Parallel(threads), {});
        EXPECT_EQ(many.disparity, one.disparity);
        EXPECT_EQ(many.contrast, one.contrast);
        EXPECT_EQ(many.margin, one.margin);
    }
}

TEST(Matching, CanBeCancelled) {
    EXPECT_THROW(cpu::match_views(plane_at(0.6, 20, 20), cpu::Parallel(1),
                                  [](const ProgressEvent&) { return false; }),
                 Cancelled);
}

TEST(SemiGlobalMatching, OnOneRowIsTheSumOfTwoPathsAndTheCosts) {
    RandomValues random(11);
    cpu::CostVolume costs(6, 1, 16);
    for (auto& c : costs.costs)
        c = std::uint16_t(random.next(0, 2000));
    const Image guide(6, 1, 1, 50.0F);
    const JumpCosts jump{40, 300, 6};
    const cpu::CostVolume sum = cpu::semi_global_matching(costs, guide, jump, cpu::Parallel(2));
    const auto path = [&](int dx) {
        std::vector<std::vector<int>> l(6, std::vector<int>(16));
        for (int n = 0; n < 6; ++n) {
            const int x = dx > 0 ? n : 5 - n;
            const int least = n == 0 ? 0
                                     : *std::min_element(l[std::size_t(x - dx)].begin(),
                                                         l[std::size_t(x - dx)].end());
            for (int i = 0; i < 16; ++i) {
                int best = 0;
                if (n > 0) {
                    const auto& from = l[std::size_t(x - dx)];
                    best = std::min(from[std::size_t(i)], least + 300);
                    if (i > 0) best = std::min(best, from[std::size_t(i - 1)] + 40);
                    if (i < 15) best = std::min(best, from[std::size_t(i + 1)] + 40);
                }
                l[std::size_t(x)][std::size_t(i)] = int(costs.at(0, x)[i]) + best - least;
            }
        }
        return l;
    };
    const auto right = path(1);
    const auto left = path(-1);
    for (int x = 0; x < 6; ++x)
        for (int i = 0; i < 16; ++i)  // the six paths from other rows begin here
            EXPECT_EQ(int(sum.at(0, x)[i]), right[std::size_t(x)][std::size_t(i)] +
                                                left[std::size_t(x)][std::size_t(i)] +
                                                6 * int(costs.at(0, x)[i]));
}

}  // namespace
}  // namespace plenosr::test
