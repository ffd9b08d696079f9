#include "edge_spread.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "estimate_blur.h"

namespace plenosr {
namespace {

constexpr int size = 96;

// Bright squares with rounded sides of slopes of a few degrees, seen by a lens of this width.
double scene(double x, double y, double width) {
    constexpr double cell = 24;
    const double turned_x = 0.97 * x + 0.243 * y;
    const double turned_y = -0.243 * x + 0.97 * y;
    const auto wave = [&](double t) {  // one in the first half of a cell, zero in the other
        const double inside = t - cell * std::floor(t / cell);
        double sum = 0;
        for (const double edge : {-cell, 0.0, cell})
            sum += std::erf((inside - edge) / (width * std::numbers::sqrt2)) -
                   std::erf((inside - edge - cell / 2) / (width * std::numbers::sqrt2));
        return sum / 2;
    };
    return 60 + 120 * wave(turned_x) * wave(turned_y);
}

struct Pictures {
    std::vector<Image> pictures;
    std::vector<Place> shifts;

    SamplesNear samples() const {
        return [this](int x, int y, double radius) {
            std::vector<std::vector<EdgeSample>> sets(1);
            for (std::size_t k = 0; k < pictures.size(); ++k) {
                const Place s = shifts[k];
                add_samples(
                    pictures[k], {x - s.x, y - s.y}, {double(x), double(y)}, radius, s,
                    [&](Place p) {
                        return Place{p.x + s.x, p.y + s.y};
                    },
                    sets.front());
            }
            return sets;
        };
    }
};

// Nine pictures; the shifts that are told are `wrong` times the true ones.
Pictures seen_through(double width, double noise, double wrong = 1) {
    Pictures p;
    std::mt19937 random(7);
    std::normal_distribution<double> grain;
    for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
            const double step = 0.37;
            Image picture(size, size, 1);
            for (int y = 0; y < size; ++y)
                for (int x = 0; x < size; ++x)
                    picture.at(y, x) =
                        float(scene(x + u * step, y + v * step, width) + noise * grain(random));
            p.pictures.push_back(std::move(picture));
            p.shifts.push_back({u * step * wrong, v * step * wrong});
        }
    std::swap(p.pictures.front(), p.pictures[4]);
    std::swap(p.shifts.front(), p.shifts[4]);
    return p;
}

TEST(EdgeSpread, IsTheWidthOfALensInFrontOfSteps) {
    for (const double width : {0.3, 0.45, 0.7})
        for (const double noise : {0.0, 2.0, 8.0}) {
            const Pictures p = seen_through(width, noise);
            const auto found = sharpest_edges(p.pictures.front(), noise, p.samples());
            ASSERT_TRUE(found);
            EXPECT_NEAR(*found, width, 0.1 * width) << "noise " << noise;
        }
}

// The standard error of a fit is then above 5 %, and many fits are narrower than 0.2 pixels.
TEST(EdgeSpread, TellsASharpLensInStrongNoise) {
    for (const double noise : {12.0, 20.0}) {
        const Pictures p = seen_through(0.2, noise);
        const auto found = sharpest_edges(p.pictures.front(), noise, p.samples());
        ASSERT_TRUE(found) << "noise " << noise;
        EXPECT_GT(*found, 0.19) << "noise " << noise;
        EXPECT_LT(*found, 0.3) << "noise " << noise;
    }
}

// A disparity that is 0.3 pixels per step off would make edges look a fifth wider.
TEST(EdgeSpread, CorrectsTheParallaxOfAnEdge) {
    const Pictures p = seen_through(0.35, 1, 1.8);
    const auto found = sharpest_edges(p.pictures.front(), 1, p.samples());
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, 0.35, 0.035);
}

TEST(EdgeSpread, IsUnknownWithoutEdges) {
    const Pictures p = seen_through(6, 2);
    EXPECT_FALSE(sharpest_edges(p.pictures.front(), 2, p.samples()));
    const Image tiny(4, 4, 1, 10);
    EXPECT_FALSE(sharpest_edges(tiny, 0, p.samples()));
}

TEST(BlurBound, EdgesOnlyMakeAnEstimateNarrower) {
    const BlurEstimate wide{{"box:0.865"}, 1.04, 1.04, 1.6, 0};
    const BlurEstimate bounded = bounded_by_edges(wide, 0.42, 2);
    EXPECT_NEAR(bounded.sigma, std::sqrt(0.84 * 0.84 - 0.16), 1e-9);
    EXPECT_NE(bounded.blur, wide.blur);
    EXPECT_LE(bounded.least, bounded.sigma);
    EXPECT_GE(bounded.most, bounded.sigma);
    EXPECT_EQ(bounded_by_edges(wide, 0.9, 2).blur, wide.blur);
    const BlurEstimate sharp = bounded_by_edges(wide, 0.1, 2);
    EXPECT_DOUBLE_EQ(sharp.sigma, std::sqrt(3.0) / 4);  // the default
    EXPECT_EQ(sharp.edges, sharp.sigma);                // 0 would say that there are no edges
    const BlurEstimate unknown{{"gaussian:0.433"}, 0.433, 0, 0, 0};
    EXPECT_EQ(bounded_by_edges(unknown, 0.1, 2).blur, unknown.blur);
    EXPECT_FALSE(bounded_by_edges(unknown, 0.1, 2).edges_alone);
}

TEST(BlurBound, EdgesAloneTellHalfOfAWidth) {
    const double least = std::sqrt(3.0) / 4;
    const BlurEstimate unknown{{"gaussian:0.433"}, least, 0, 0, 0};
    const BlurEstimate found = bounded_by_edges(unknown, 0.5, 2);
    EXPECT_TRUE(found.edges_alone);
    EXPECT_NEAR(found.sigma * found.sigma, least * std::sqrt(1 - 0.16), 1e-9);
    EXPECT_EQ(found.least, least);
    EXPECT_EQ(found.most, found.edges);
    EXPECT_NE(blur_note(found).find("halfway from the default"), std::string::npos);
}

TEST(BlurBound, WithoutEdgesAnEstimateLeansToTheDefault) {
    const double least = std::sqrt(3.0) / 4;
    const BlurEstimate wide{{"box:0.865"}, 1.04, 1.04, 1.6, 0};
    const BlurEstimate halfway = without_edges(wide, 2);
    EXPECT_DOUBLE_EQ(halfway.sigma * halfway.sigma, least * wide.sigma);
    EXPECT_NE(halfway.blur, wide.blur);
    EXPECT_EQ(halfway.least, least);
    const BlurEstimate narrow{{"gaussian:0.4"}, 0.4, 0.4, 0.5, 0};
    EXPECT_EQ(without_edges(narrow, 2).blur, narrow.blur);
    const BlurEstimate unknown{{"gaussian:0.433"}, 0.433, 0, 0, 0};
    EXPECT_EQ(without_edges(unknown, 2).blur, unknown.blur);
}

}  // namespace
}  // namespace plenosr
