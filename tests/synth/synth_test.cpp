#include "plenosr/synth.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/median.h"
#include "cases/refusal.h"
#include "light_field/interpolate.h"

namespace plenosr {
namespace {

SynthOptions small_scene(const std::string& scene, int rows = 3, int cols = 3) {
    SynthOptions options;
    options.scene = scene;
    options.rows = rows;
    options.cols = cols;
    options.width = 96;
    options.height = 80;
    options.supersampling = 2;
    options.channels = 1;
    return options;
}

bool well_inside(const Image& image, double x, double y) {
    return x >= 1 && y >= 1 && x < image.width - 2 && y < image.height - 2;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (double value : values)
        sum += value;
    return sum / double(values.size());
}

// |I_k(x, y) - I_0(x + sign u d_k, y + sign v d_k)| for the pixels of view k that are visible in
// the centre view: those whose counterpart has the same disparity.
std::vector<double> residuals(const SynthResult& result, const View& view, const Image& d,
                              double sign) {
    const ViewPosition centre = result.light_field.grid.centre();
    const View* reference = result.light_field.find(centre);
    const Image& d0 = result.disparity[std::size_t(reference - result.light_field.views.data())];
    std::vector<double> found;
    for (int y = 0; y < d.height; ++y)
        for (int x = 0; x < d.width; ++x) {
            const double px = x + sign * (view.position.col - centre.col) * d.at(y, x);
            const double py = y + sign * (view.position.row - centre.row) * d.at(y, x);
            if (!well_inside(d0, px, py)) continue;
            const float other = d0.at(int(std::lround(py)), int(std::lround(px)));
            if (std::abs(other - d.at(y, x)) > 0.05F) continue;
            found.push_back(
                std::abs(view.image.at(y, x) - bicubic_at(reference->image, px, py, 0)));
        }
    return found;
}

void expect_refused(const SynthOptions& options, const std::string& word) {
    const auto message = test::refusal_of(ErrorKind::invalid_option, [&] { options.validate(); });
    EXPECT_TRUE(test::mentions(message, word)) << message;
}

std::vector<std::string> scene_names() {
    std::vector<std::string> names;
    for (const SynthScene& scene : synth_scenes())
        names.push_back(scene.name);
    return names;
}

class EveryScene : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Synth, EveryScene, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return scene.param; });

TEST_P(EveryScene, SameOptionsGiveTheSameBitsForAnyNumberOfThreads) {
    const SynthOptions options = small_scene(GetParam(), 2, 2);
    const SynthResult first = synthesise(options);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const SynthResult second = synthesise(options);
    for (std::size_t k = 0; k < first.disparity.size(); ++k) {
        EXPECT_EQ(first.light_field.views[k].image, second.light_field.views[k].image);
        EXPECT_EQ(first.disparity[k], second.disparity[k]);
    }
}

TEST_P(EveryScene, ViewsAgreeWithTheCentreAlongTheDisparity) {
    SynthOptions options = small_scene(GetParam());
    options.width = options.height = 160;
    options.supersampling = 4;
    const SynthResult result = synthesise(options);
    for (std::size_t k = 0; k < result.disparity.size(); ++k) {
        const View& view = result.light_field.views[k];
        auto right = residuals(result, view, result.disparity[k], 1);
        ASSERT_GT(right.size(), view.image.pixels() * 6 / 10);
        EXPECT_LT(upper_median(right), 4) << to_string(view.position);
        if (view.position == result.light_field.grid.centre()) {
            EXPECT_EQ(upper_median(right), 0);
            continue;
        }
        const auto wrong = residuals(result, view, result.disparity[k], -1);
        EXPECT_GT(mean(wrong), 2 * mean(right)) << "the sign makes no difference";
    }
}

TEST_P(EveryScene, RendersAnyGridAndSize) {
    for (auto [rows, cols] : {std::pair(1, 1), {1, 3}, {4, 7}})
        for (auto [width, height] : {std::pair(1, 1), {2, 31}, {33, 17}}) {
            SynthOptions options = small_scene(GetParam(), rows, cols);
            options.width = width;
            options.height = height;
            options.channels = 3;
            const SynthResult result = synthesise(options);
            const LightField& light_field = result.light_field;
            EXPECT_EQ(light_field.grid, (ViewGrid{0, 0, rows, cols}));
            ASSERT_EQ(light_field.views.size(), std::size_t(rows * cols));
            ASSERT_EQ(result.disparity.size(), light_field.views.size());
            EXPECT_NO_THROW(light_field.validate());
            for (std::size_t k = 0; k < result.disparity.size(); ++k) {
                EXPECT_EQ(light_field.views[k].position,
                          (ViewPosition{double(int(k) / cols), double(int(k) % cols)}));
                EXPECT_EQ(light_field.views[k].image.width, width);
                EXPECT_EQ(light_field.views[k].image.channels, 3);
                EXPECT_TRUE(result.disparity[k].same_size(light_field.views[k].image));
                for (float d : result.disparity[k].values)
                    EXPECT_TRUE(std::isfinite(d));
            }
        }
}

TEST_P(EveryScene, HasFineDetailAndUsefulTones) {
    SynthOptions options = small_scene(GetParam(), 1, 1);
    options.width = options.height = 256;
    options.supersampling = 4;
    const Image image = synthesise(options).light_field.views[0].image;
    double gradient = 0, mean = 0, extreme = 0;
    for (int y = 0; y < 255; ++y)
        for (int x = 0; x < 255; ++x) {
            const double dx = image.at(y, x + 1) - image.at(y, x);
            const double dy = image.at(y + 1, x) - image.at(y, x);
            gradient += (dx * dx + dy * dy) / (255.0 * 255);
            mean += image.at(y, x) / (255.0 * 255);
            extreme += image.at(y, x) < 15 || image.at(y, x) > 240;
        }
    // The tent filter of `random` and its natural textures are softer.
    EXPECT_GT(std::sqrt(gradient), GetParam() == "random" ? 15 : 20);
    EXPECT_GT(mean, 60);
    EXPECT_LT(mean, 190);
    EXPECT_LT(extreme / (255 * 255), 0.02);
}

TEST_P(EveryScene, DisparitiesAreInTheDocumentedRangeAndScale) {
    SynthOptions options = small_scene(GetParam(), 1, 1);
    const Image once = synthesise(options).disparity[0];
    options.disparity_scale = 2;
    const Image twice = synthesise(options).disparity[0];
    const std::set<float> distinct(once.values.begin(), once.values.end());
    const auto [low, high] = std::minmax_element(once.values.begin(), once.values.end());
    if (GetParam() == "flat") {
        EXPECT_EQ(distinct.size(), 1U);
        EXPECT_EQ(once, twice);
        return;
    }
    for (std::size_t i = 0; i < once.values.size(); ++i)
        EXPECT_NEAR(twice.values[i], 2 * once.values[i], 1e-5);
    if (GetParam() == "random") return;  // random_scene_test.cpp
    EXPECT_GE(distinct.size(), GetParam() == "staircase" ? 7U : 50U);
    EXPECT_LT(*low, -1);
    EXPECT_GE(*low, -1.7);
    EXPECT_GT(*high, 1);
    EXPECT_LE(*high, 1.7);
}

TEST_P(EveryScene, WithoutDisparityAllViewsAreEqual) {
    SynthOptions options = small_scene(GetParam(), 2, 2);
    options.disparity = options.disparity_scale = 0;
    const SynthResult result = synthesise(options);
    const Image& first = result.light_field.views[0].image;
    for (const View& view : result.light_field.views)
        EXPECT_EQ(view.image, first);
    for (float d : result.disparity[0].values)
        EXPECT_EQ(d, 0);
    // Except for shadows, the picture is that of the scene with depth.
    options = small_scene(GetParam(), 1, 1);
    const Image deep = synthesise(options).light_field.views[0].image;
    std::size_t equal = 0;
    for (std::size_t i = 0; i < deep.values.size(); ++i)
        equal += std::abs(deep.values[i] - first.values[i]) < 1;
    EXPECT_GT(equal, deep.values.size() / 2);
}

TEST_P(EveryScene, GreyIsTheLumaOfColour) {
    SynthOptions options = small_scene(GetParam(), 1, 1);
    const Image grey = synthesise(options).light_field.views[0].image;
    options.channels = 3;
    const Image colour = luma(synthesise(options).light_field.views[0].image);
    // They differ where a channel was clipped.
    std::size_t equal = 0;
    for (std::size_t i = 0; i < grey.values.size(); ++i)
        equal += std::abs(grey.values[i] - colour.values[i]) < 1e-3F;
    EXPECT_GT(equal, grey.values.size() * 95 / 100);
}

TEST(Flat, ViewsOfIntegerDisparityAreExactShifts) {
    for (double d : {1.0, -2.0}) {
        SynthOptions options = small_scene("flat", 3, 4);
        options.disparity = d;
        const SynthResult result = synthesise(options);
        const ViewPosition centre = result.light_field.grid.centre();
        const Image& reference = result.light_field.find(centre)->image;
        for (const View& view : result.light_field.views) {
            const int shift_x = int((view.position.col - centre.col) * d);
            const int shift_y = int((view.position.row - centre.row) * d);
            // The point at (x, y) of the centre is seen at (x - u d, y - v d).
            for (int y = 10; y < 70; ++y)
                for (int x = 10; x < 80; ++x)
                    ASSERT_EQ(view.image.at(y - shift_y, x - shift_x), reference.at(y, x));
        }
        for (float value : result.disparity[0].values)
            EXPECT_EQ(value, float(d));
    }
}

TEST(Staircase, HasSevenDisparitiesHalfAPixelApart) {
    const SynthResult result = synthesise(small_scene("staircase", 1, 1));
    const std::set<float> distinct(result.disparity[0].values.begin(),
                                   result.disparity[0].values.end());
    EXPECT_EQ(distinct, (std::set<float>{-1.5F, -1.0F, -0.5F, 0.0F, 0.5F, 1.0F, 1.5F}));
}

TEST(Curved, DisparityOfAViewIsThatOfTheCentre) {
    // d_k(x, y) = d_0(x + u d_k, y + v d_k), up to the interpolation of d_0.
    SynthOptions options = small_scene("curved");
    options.width = options.height = 200;
    options.supersampling = 1;
    const SynthResult result = synthesise(options);
    const Image& d0 = result.disparity[4];
    const Image& d = result.disparity[0];  // u = v = -1
    for (int y = 5; y < 195; ++y)
        for (int x = 5; x < 195; ++x)
            ASSERT_NEAR(d.at(y, x), bicubic_at(d0, x - d.at(y, x), y - d.at(y, x), 0), 2e-4);
}

TEST(Curved, WideGridKeepsTheFullRange) {
    SynthOptions options = small_scene("curved", 9, 9);
    options.width = options.height = 192;
    options.supersampling = 1;
    const Image d = synthesise(options).disparity[40];
    EXPECT_GT(*std::max_element(d.values.begin(), d.values.end()), 1.4F);
    EXPECT_LT(*std::min_element(d.values.begin(), d.values.end()), -1.4F);
}

TEST(Discs, NearSurfacesHideFarOnes) {
    // The centre view shows the largest disparity along each line of sight. The counterpart of a
    // pixel of view k may be hidden by a nearer point, but is never a farther one.
    SynthOptions options = small_scene("discs");
    options.width = options.height = 200;
    options.supersampling = 1;
    const SynthResult result = synthesise(options);
    const Image& d0 = result.disparity[4];
    const Image& d = result.disparity[5];  // u = 1
    int farther = 0, nearer = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 5; x < 195; ++x) {
            // Edges may differ by less than a pixel: check all neighbours.
            const int px = int(std::floor(x + double(d.at(y, x))));
            float highest = -9, lowest = 9;
            for (int i = -1; i <= 2; ++i) {
                highest = std::max(highest, d0.at(y, px + i));
                lowest = std::min(lowest, d0.at(y, px + i));
            }
            farther += highest < d.at(y, x) - 0.05F;
            nearer += lowest > d.at(y, x) + 0.05F;
        }
    EXPECT_EQ(farther, 0);
    EXPECT_GT(nearer, 100);
}

TEST(Synth, SupersamplingConverges) {
    SynthOptions options = small_scene("planes", 1, 1);
    const auto image = [&](int n) {
        options.supersampling = n;
        return synthesise(options).light_field.views[0].image;
    };
    const Image best = image(12);
    const auto error = [&](int n) {
        const Image coarse = image(n);
        double sum = 0;
        for (std::size_t i = 0; i < best.values.size(); ++i)
            sum += std::abs(coarse.values[i] - best.values[i]) / double(best.values.size());
        return sum;
    };
    EXPECT_LT(error(2), 0.7 * error(1));
    EXPECT_LT(error(4), 0.7 * error(2));
}

TEST(Synth, ProgressCountsViewsAndCancelThrows) {
    std::vector<int> steps;
    SynthOptions options = small_scene("flat", 2, 2);
    synthesise(options, [&](const ProgressEvent& event) {
        EXPECT_EQ(event.steps, 4);
        steps.push_back(event.step);
        return true;
    });
    EXPECT_EQ(steps, (std::vector<int>{0, 1, 2, 3, 4}));
    try {
        synthesise(options, [](const ProgressEvent& event) { return event.step < 3; });
        FAIL() << "not cancelled";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

TEST(Synth, ThereAreSixScenesWithNamesAndDescriptions) {
    std::set<std::string> names;
    for (const SynthScene& scene : synth_scenes()) {
        names.insert(scene.name);
        EXPECT_FALSE(scene.description.empty());
    }
    EXPECT_EQ(names,
              (std::set<std::string>{"planes", "discs", "curved", "staircase", "flat", "random"}));
}

TEST(Synth, UnknownSceneIsRefusedWithAllNames) {
    SynthOptions options;
    options.scene = "plans";
    expect_refused(options, "plans");
    for (const SynthScene& scene : synth_scenes())
        expect_refused(options, scene.name);
    EXPECT_THROW(synthesise(options), Error);
}

TEST(Synth, InvalidOptionsAreRefusedByName) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto with = [](auto member, auto value) {
        SynthOptions options;
        options.*member = value;
        return options;
    };
    expect_refused(with(&SynthOptions::rows, 0), "rows");
    expect_refused(with(&SynthOptions::cols, -3), "cols");
    expect_refused(with(&SynthOptions::width, 0), "width");
    expect_refused(with(&SynthOptions::height, 1000000), "height");
    expect_refused(with(&SynthOptions::supersampling, 0), "supersampling");
    expect_refused(with(&SynthOptions::channels, 2), "channels");
    expect_refused(with(&SynthOptions::disparity, nan), "disparity");
    expect_refused(with(&SynthOptions::disparity_scale, nan), "disparity-scale");
    expect_refused(with(&SynthOptions::disparity_scale, -1.0), "disparity-scale");
    SynthOptions huge;
    huge.rows = huge.cols = 101;
    huge.width = huge.height = 16384;
    expect_refused(huge, "GiB");
}

}  // namespace
}  // namespace plenosr
