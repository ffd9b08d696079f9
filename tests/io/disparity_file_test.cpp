#include <cmath>
#include <limits>

#include "io/support.h"

namespace plenosr::test {
namespace {

class DisparityFile : public InFolder {};

Image slope() {
    Image map(9, 7);
    for (std::size_t i = 0; i < map.values.size(); ++i)
        map.values[i] = -1.75F + 0.0731F * float(i);
    return map;
}

TEST_F(DisparityFile, PfmAndNpyAreExact) {
    for (const char* name : {"a.pfm", "a.npy"}) {
        write_disparity(at(name), slope());
        EXPECT_EQ(read_disparity(at(name)), slope()) << name;
    }
}

TEST_F(DisparityFile, SixteenBitPngIsExactToHalfAStep) {
    const Image map = slope();
    write_disparity(at("a.png"), map);
    EXPECT_EQ(image_info(at("a.png")).format, PixelFormat::bits16);
    const Image back = read_disparity(at("a.png"));
    const double step = double(map.values.back() - map.values.front()) / 65535;
    for (std::size_t i = 0; i < map.values.size(); ++i)
        EXPECT_NEAR(back.values[i], map.values[i], 0.5 * step + 1e-6);
    write_disparity(at("flat.png"), Image(4, 4, 1, 0.3F));
    EXPECT_FLOAT_EQ(read_disparity(at("flat.png")).at(2, 2), 0.3F);
}

TEST_F(DisparityFile, PngWithoutDescriptionIsRefused) {
    write_image(at("a.png"), pattern(4, 4, 1), PixelFormat::bits16);
    const auto text = refusal_of(ErrorKind::input, [&] { read_disparity(at("a.png")); });
    EXPECT_TRUE(mentions(text, "d = SCALE * v + OFFSET")) << text;
}

TEST_F(DisparityFile, RefusesMapsThatTheFormatCannotHold) {
    Image map = slope();
    refusal_of(ErrorKind::output, [&] { write_disparity(at("a.jpg"), map); });
    refusal_of(ErrorKind::output, [&] { write_disparity(at("a.pfm"), Image(3, 3, 3)); });
    map.at(2, 2) = std::numeric_limits<float>::quiet_NaN();
    refusal_of(ErrorKind::output, [&] { write_disparity(at("a.png"), map); });
    EXPECT_EQ(entries(folder()), 0U);
    write_disparity(at("a.npy"), map);
    EXPECT_TRUE(std::isnan(read_disparity(at("a.npy")).at(2, 2)));
}

TEST_F(DisparityFile, PreviewIsBrighterForNearerPoints) {
    Image map = slope();
    map.at(0, 3) = std::numeric_limits<float>::infinity();
    const Image brightness = luma(disparity_preview(map));
    float last = -1;
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        if (i == 3) continue;
        EXPECT_GT(brightness.values[i], last);
        last = brightness.values[i];
    }
    EXPECT_EQ(brightness.at(0, 3), 0);
}

}  // namespace
}  // namespace plenosr::test
