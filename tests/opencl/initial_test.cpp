// Work that is done once per tile agrees with the native engine.
#include "backends/opencl/initial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/initial.h"
#include "cases/random_values.h"
#include "opencl/on_device.h"

namespace plenosr {
namespace {

// Two planes in front of a slanted ground, with occlusions on all sides.
Image stepped_map(int width, int height, float high) {
    Image d(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            d.at(y, x) = -1.0F + 0.01F * float(y);
            if (x > width / 3 && x < width / 2 && y > height / 4) d.at(y, x) = high;
            if (x > 2 * width / 3 && y < height / 2) d.at(y, x) = 0.6F;
        }
    return d;
}

GeometryDesc description(int low_width, int low_height, int scale, OperatorForm form) {
    GeometryDesc desc;
    desc.width = low_width * scale;
    desc.height = low_height * scale;
    desc.scale = scale;
    desc.low_width = low_width;
    desc.low_height = low_height;
    desc.disparity = stepped_map(desc.width, desc.height, 1.7F);
    desc.psf = make_psf(BlurSpec{}, scale);
    desc.form = form;
    for (const auto& [u, v] :
         {std::pair{0.0, 0.0}, {1.0, 0.0}, {-2.0, 1.0}, {0.5, -1.25}, {2.0, 2.0}})
        desc.views.push_back({u, v});
    return desc;
}

// A tile in the middle of the map: crops with their own origins, a map that extends beyond the
// tile.
GeometryDesc tile_description() {
    GeometryDesc desc = description(16, 12, 2, OperatorForm::sampling);
    desc.disparity = stepped_map(60, 50, 1.7F);
    desc.disparity_x0 = -14;
    desc.disparity_y0 = -12;
    for (ViewCrop& crop : desc.views) {
        crop.x0 = -4;
        crop.y0 = 2;
    }
    return desc;
}

GeometryDesc at_phase(double phase, GeometryDesc desc) {
    desc.psf = make_psf_grid(BlurSpec{}, {desc.scale, phase});
    return desc;
}

class Initial : public testing::TestWithParam<test::Variant> {
protected:
    opencl::Device& device = test::device(GetParam());
};

double share_beyond(const Image& a, const Image& b, float tolerance) {
    EXPECT_EQ(a.values.size(), b.values.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (!(std::abs(a.values[i] - b.values[i]) <= tolerance)) ++count;
    return double(count) / double(a.values.size());
}

TEST_P(Initial, GeometryAgreesWithTheNativeEngine) {
    for (const GeometryDesc& desc :
         {description(30, 22, 2, OperatorForm::sampling),
          description(13, 11, 3, OperatorForm::chain), tile_description(),
          at_phase(0.5, description(21, 17, 2, OperatorForm::sampling)),
          at_phase(-0.75, tile_description())}) {
        const auto expected = view_geometry(desc, {});
        const auto found = opencl::view_geometry(device, desc, {});
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            // A position within rounding of a pixel's centre may fall on either side.
            EXPECT_LE(share_beyond(found[k].disparity, expected[k].disparity, 1e-6F), 0.03) << k;
            EXPECT_LE(share_beyond(found[k].visible, expected[k].visible, 1e-5F), 0.05) << k;
            EXPECT_LE(share_beyond(found[k].inside, expected[k].inside, 0.0F), 0.03) << k;
            EXPECT_EQ(found[k].low_disparity.empty(), expected[k].low_disparity.empty());
        }
    }
}

TEST_P(Initial, AViewThatSeesNothingHasNoWeight) {
    GeometryDesc desc = description(20, 16, 2, OperatorForm::sampling);
    desc.views = {{300.0, 0.0}};
    const auto found = opencl::view_geometry(device, desc, {});
    for (const float inside : found.front().inside.values)
        ASSERT_EQ(inside, 0.0F);
    for (const float d : found.front().disparity.values)
        ASSERT_TRUE(std::isfinite(d));
}

TEST_P(Initial, EnlargementAgrees) {
    test::RandomValues random(5);
    for (const int channels : {1, 3}) {
        const Image low = random.image(19, 14, channels);
        EXPECT_LE(share_beyond(opencl::enlarge_bicubic(device, low, 3),
                               cpu::enlarge_bicubic(low, 3, cpu::Parallel(1)), 1e-3F),
                  0.0);
    }
}

TEST_P(Initial, MedianAgrees) {
    test::RandomValues random(6);
    for (const int channels : {1, 3}) {
        const GeometryDesc desc = description(24, 20, 2, OperatorForm::sampling);
        const auto geometry = view_geometry(desc, {});
        std::vector<Image> views;
        for (std::size_t k = 0; k < geometry.size(); ++k)
            views.push_back(random.image(24, 20, channels));
        const cpu::Parallel parallel(1);
        const Image enlarged = cpu::enlarge_bicubic(views.front(), 2, parallel);
        const MedianImage expected =
            cpu::median_of_views(views, geometry, desc.disparity, enlarged, 2, parallel);
        const MedianImage found =
            opencl::median_of_views(device, views, geometry, desc.disparity, enlarged, 2);
        EXPECT_LE(share_beyond(found.median, expected.median, 2e-3F), 0.005);
        EXPECT_LE(share_beyond(found.spread, expected.spread, 4e-3F), 0.005);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Initial,
                         testing::Values(test::Variant{opencl::Strategy::buffer, 1},
                                         test::Variant{opencl::Strategy::local, 8}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace plenosr
