#include <cmath>
#include <limits>

#include "io/support.h"

namespace plenosr::test {
namespace {

class ImageFile : public InFolder {};

TEST_F(ImageFile, EightBitRoundTripIsExact) {
    for (const int channels : {1, 3}) {
        const Image image = pattern(37, 23, channels);
        write_image(at("a.png"), image);
        EXPECT_EQ(read_image(at("a.png")), image);
        const ImageInfo info = image_info(at("a.png"));
        EXPECT_EQ(info.width, 37);
        EXPECT_EQ(info.height, 23);
        EXPECT_EQ(info.channels, channels);
        EXPECT_EQ(info.format, PixelFormat::bits8);
    }
}

TEST_F(ImageFile, SixteenBitRoundTripKeepsEveryLevel) {
    Image image(256, 256);
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        image.values[i] = float(i) * 255.0F / 65535.0F;
    }
    write_image(at("a.png"), image, PixelFormat::bits16);
    EXPECT_EQ(read_image(at("a.png")), image);
    EXPECT_EQ(image_info(at("a.png")).format, PixelFormat::bits16);
}

TEST_F(ImageFile, SixteenBitKeepsFractionsToHalfAStep) {
    Image image = pattern(31, 9, 3);
    for (float& value : image.values)
        value = value * 0.9F + 0.37F;
    write_image(at("a.png"), image, PixelFormat::bits16);
    const Image back = read_image(at("a.png"));
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        EXPECT_NEAR(back.values[i], image.values[i], 0.5001F * 255.0F / 65535.0F);
    }
}

TEST_F(ImageFile, FloatsAreKeptInEightBitUnits) {
    Image image = pattern(5, 4, 3);
    image.values[0] = -3.25F;
    image.values[1] = 300.125F;
    write_image(at("a.pfm"), image, PixelFormat::float32);
    EXPECT_EQ(read_image(at("a.pfm")), image);
    EXPECT_EQ(image_info(at("a.pfm")).format, PixelFormat::float32);
    EXPECT_EQ(image_info(at("a.pfm")).channels, 3);
}

TEST_F(ImageFile, ValuesAreRoundedAndClipped) {
    Image image(6, 1);
    image.values = {-5.0F, 0.49F, 0.51F, 254.6F, 900.0F, std::numeric_limits<float>::infinity()};
    write_image(at("a.png"), image);
    EXPECT_EQ(read_image(at("a.png")).values, (std::vector<float>{0, 0, 1, 255, 255, 255}));
}

TEST_F(ImageFile, NanIsRefused) {
    Image image(4, 4);
    image.at(2, 3) = std::numeric_limits<float>::quiet_NaN();
    const auto text = refusal_of(ErrorKind::output, [&] { write_image(at("a.png"), image); });
    EXPECT_TRUE(mentions(text, "x = 3, y = 2")) << text;
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(ImageFile, SameImageGivesTheSameBytes) {
    write_image(at("a.png"), pattern(20, 20, 3));
    write_image(at("b.png"), pattern(20, 20, 3));
    EXPECT_EQ(take(at("a.png")), take(at("b.png")));
}

TEST_F(ImageFile, AlphaIsDroppedAndNotMultipliedIn) {
    using namespace std::string_literals;
    put(at("rgba.png"), handmade_png(2, 1, 8, 6, "\0\x0a\x14\x1e\0\xc8\x64\x32\x80"s));
    EXPECT_EQ(read_image(at("rgba.png")).values, (std::vector<float>{10, 20, 30, 200, 100, 50}));
    EXPECT_EQ(image_info(at("rgba.png")).channels, 4);
    put(at("grey_alpha.png"), handmade_png(2, 1, 8, 4, "\0\x0a\0\xc8\x01"s));
    EXPECT_EQ(read_image(at("grey_alpha.png")).values, (std::vector<float>{10, 200}));
    EXPECT_EQ(read_image(at("grey_alpha.png")).channels, 1);
}

TEST_F(ImageFile, SixteenBitAlphaIsDropped) {
    using namespace std::string_literals;
    put(at("a.png"), handmade_png(1, 1, 16, 4, "\0\x80\x80\0\0"s));
    EXPECT_EQ(read_image(at("a.png")).values, (std::vector<float>{128}));
}

TEST_F(ImageFile, FewBitsAreScaledToTheFullRange) {
    using namespace std::string_literals;
    put(at("one_bit.png"), handmade_png(3, 1, 1, 0, "\0\xa0"s));
    EXPECT_EQ(read_image(at("one_bit.png")).values, (std::vector<float>{255, 0, 255}));
    put(at("four_bits.png"), handmade_png(2, 1, 4, 0, "\0\x0f"s));
    EXPECT_EQ(read_image(at("four_bits.png")).values, (std::vector<float>{0, 255}));
}

TEST_F(ImageFile, PalettesBecomeColours) {
    using namespace std::string_literals;
    put(at("a.png"), handmade_png(2, 1, 8, 3, "\0\x01\0"s, png_chunk("PLTE", "\1\2\3\4\5\6"s)));
    EXPECT_EQ(read_image(at("a.png")).values, (std::vector<float>{4, 5, 6, 1, 2, 3}));
}

TEST_F(ImageFile, GammaIsIgnored) {
    using namespace std::string_literals;
    const std::string gamma = png_chunk("gAMA", big_endian(100000));
    put(at("a.png"), handmade_png(2, 1, 8, 0, "\0\x40\x80"s, gamma));
    EXPECT_EQ(read_image(at("a.png")).values, (std::vector<float>{64, 128}));
}

TEST_F(ImageFile, ContentSelectsTheDecoder) {
    put(at("a.ppm"), "P5\n2 2\n255\nABCD");
    fs::rename(at("a.ppm"), at("a.png"));
    EXPECT_EQ(read_image(at("a.png")).values, (std::vector<float>{65, 66, 67, 68}));
}

TEST_F(ImageFile, ExtensionMustSupportThePixelFormat) {
    const Image image = pattern(3, 3, 1);
    for (const char* name : {"a.gif", "a.pfm", "a", "png"}) {
        const auto text = refusal_of(ErrorKind::output, [&] { write_image(at(name), image); });
        EXPECT_TRUE(mentions(text, ".png")) << text;
    }
    refusal_of(ErrorKind::output, [&] { write_image(at("a.png"), image, PixelFormat::float32); });
    write_image(at("A.PNG"), image);
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(ImageFile, ImagesThatAreNeitherGreyNorRgbAreNotWritten) {
    refusal_of(ErrorKind::output, [&] { write_image(at("a.png"), Image(2, 2, 2)); });
    refusal_of(ErrorKind::output, [&] { write_image(at("a.png"), Image()); });
    EXPECT_EQ(entries(folder()), 0U);
}

}  // namespace
}  // namespace plenosr::test
