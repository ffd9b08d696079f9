// The estimate against what is counted, and both against the limit.
#include <gtest/gtest.h>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/options.h"

namespace plenosr {
namespace {

struct MemoryCase {
    const char* name;
    int size = 256;
    int views = 3;
    int scale = 2;
    const char* options = "";  // name=value;name=value
    std::size_t limit = 0;
};

class Memory : public testing::TestWithParam<MemoryCase> {};

TEST_P(Memory, CountedIsBelowTheEstimateAndNotFarBelow) {
    const MemoryCase& c = GetParam();
    test::SceneSetup setup;
    setup.views = c.views;
    setup.width = setup.height = c.size;
    setup.scale = c.scale;
    setup.channels = 3;
    setup.colour = Colour::rgb;
    const auto scene = test::degraded_scene(setup);
    ReconstructOptions o;
    o.scale = c.scale;
    o.memory_limit = c.limit;
    std::string text = c.options;
    while (!text.empty()) {
        const std::string item = text.substr(0, text.find(';'));
        text.erase(0, item.size() + 1);
        for (const auto& option : reconstruct_options())
            if (option.name == item.substr(0, item.find('=')))
                option.set(o, item.substr(item.find('=') + 1));
    }
    const ReconstructResult r = reconstruct(scene.views, scene.centre, scene.low_disparity, o);
    EXPECT_LE(r.memory_peak, r.tiles.memory_estimate);
    EXPECT_LE(double(r.tiles.memory_estimate), 1.3 * double(r.memory_peak));
    if (c.limit > 0) {
        EXPECT_GT(r.tiles.count, 1);
        EXPECT_LE(r.tiles.memory_estimate, c.limit);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Memory,
    testing::Values(MemoryCase{"x2"}, MemoryCase{"x4", 256, 5, 4}, MemoryCase{"few_views", 256, 2},
                    MemoryCase{"many_views", 192, 7}, MemoryCase{"rgb", 192, 3, 2, "colour=rgb"},
                    MemoryCase{"chain", 160, 3, 2, "operator=chain"},
                    MemoryCase{"gradient_descent", 192, 3, 2, "solver=gd"},
                    MemoryCase{"window_2", 192, 3, 2, "window=2;tolerance=0.001"},
                    MemoryCase{"patches", 192, 3, 2, "prior=nltv;window=2"},
                    MemoryCase{"photons", 192, 3, 2, "data=poisson-gauss;prior=tv"},
                    MemoryCase{"limited", 512, 3, 2, "", 24 << 20},
                    MemoryCase{"limited_x4", 512, 5, 4, "", 24 << 20}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(MemoryLimit, IsReadInBytesAndRefusedInOneSentence) {
    const auto limit = [](const std::string& text) {
        ReconstructOptions o;
        for (const auto& option : reconstruct_options())
            if (option.name == "memory-limit") {
                option.set(o, text);
                ReconstructOptions again;
                option.set(again, option.show(o));
                EXPECT_EQ(again.memory_limit, o.memory_limit);
            }
        return o.memory_limit;
    };
    EXPECT_EQ(limit("none"), 0U);
    EXPECT_EQ(limit("1000"), 1000U);
    EXPECT_EQ(limit("3K"), 3072U);
    EXPECT_EQ(limit("512M"), std::size_t(512) << 20);
    EXPECT_EQ(limit("2G"), std::size_t(2) << 30);
    for (const char* wrong : {"", "M", "-1", "0", "1.5G", "12T", "9999999999G", "512 M"})
        EXPECT_THROW(limit(wrong), Error) << wrong;
}

TEST(MemoryLimit, TooSmallForAnyTileIsRefused) {
    const auto scene = test::degraded_scene({});
    ReconstructOptions o;
    o.memory_limit = 1000;
    try {
        reconstruct(scene.views, scene.centre, scene.low_disparity, o);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("even the smallest tiles need"),
                  std::string::npos);
    }
}

TEST(MemoryLimit, GradientDescentNeedsTheWholeImage) {
    const auto scene = test::degraded_scene({});
    ReconstructOptions o;
    o.solver = Solver::gd;
    o.device = "cpu,cpu";
    EXPECT_THROW(reconstruct(scene.views, scene.centre, scene.low_disparity, o), Error);
}

TEST(Plan, IsWhatTheRunThenDoes) {
    test::SceneSetup setup;
    setup.views = 3;
    setup.width = setup.height = 192;
    const auto scene = test::degraded_scene(setup);
    ReconstructOptions o;
    LightFieldSize size{scene.views.width(), scene.views.height(), 1, {}};
    for (const View& view : scene.views.views)
        size.views.push_back(view.position);
    const std::size_t whole =
        plan_reconstruct(size, scene.centre, scene.low_disparity, o)[0].memory_estimate;
    o.memory_limit = whole * 3 / 4;
    const auto plan = plan_reconstruct(size, scene.centre, scene.low_disparity, o);
    const ReconstructResult r = reconstruct(scene.views, scene.centre, scene.low_disparity, o);
    ASSERT_EQ(plan.size(), 1U);
    EXPECT_GT(plan[0].count, 1);
    EXPECT_EQ(plan[0].count, r.tiles.count);
    EXPECT_EQ(plan[0].memory_estimate, r.tiles.memory_estimate);
    EXPECT_EQ(plan[0].width, r.tiles.width);
    EXPECT_EQ(plan[0].device, r.device);
}

}  // namespace
}  // namespace plenosr
