#include "plenosr/convert.h"

#include <cmath>

#include "io/support.h"

namespace plenosr::test {
namespace {

class Convert : public InFolder {
protected:
    Convert() {
        field_.grid = {0, 0, 3, 3};
        for (int i = 0; i < 9; ++i)
            field_.views.push_back({{double(i / 3), double(i % 3)}, pattern(20, 16, 3, i)});
        layout_.disparity = Image(20, 16);
        for (std::size_t i = 0; i < layout_.disparity.values.size(); ++i)
            layout_.disparity.values[i] = float(i) * 0.01F;
    }
    LightFieldIndex input(PixelFormat pixels = PixelFormat::bits8, const OpenOptions& open = {}) {
        layout_.pixels = pixels;
        write_light_field(at("in"), field_, layout_);
        return index_light_field(at("in"), open);
    }

    LightField field_;
    WriteLightField layout_;
};

TEST_F(Convert, ViewsAndMapsAreCroppedAlike) {
    ConvertOptions options;
    options.views = "cross5";
    OpenOptions open;
    open.crop = {3, 5, 8, 6};
    const ConvertResult result =
        convert_light_field(input(PixelFormat::bits8, open), at("out"), options);
    EXPECT_EQ(result.views, 5U);
    const LightFieldIndex index = index_light_field(at("out"));
    EXPECT_EQ(read_light_field(index).find({1, 1})->image,
              crop(field_.find({1, 1})->image, Box{3, 5, 8, 6}));
    EXPECT_EQ(read_disparity(index, {1, 1}), crop(layout_.disparity, Box{3, 5, 8, 6}));
}

// A part of a light field whose manifest names a part of its files.
TEST_F(Convert, APartOfAPartIsReadFromTheRightPlace) {
    input();
    const std::string text =
        R"({"plenosr_light_field": 2, "format": "hci", "grid": {"rows": 3, "cols": 3, "first_row": 0,
            "first_col": 0}, "pixels": "8-bit", "crop": {"x": 2, "y": 1, "width": 12, "height": 10}})";
    write_text_file(at("in/lightfield.json"), text);
    OpenOptions open;
    open.crop = {3, 4, 9, 6};
    const LightFieldIndex index = index_light_field(at("in"), open);
    EXPECT_EQ(index.used_part(), (Box{5, 5, 9, 6}));
    EXPECT_EQ(read_light_field(index).find({1, 1})->image,
              crop(field_.find({1, 1})->image, Box{5, 5, 9, 6}));
    EXPECT_EQ(read_disparity(index, {1, 1}), crop(layout_.disparity, Box{5, 5, 9, 6}));
    open.crop = {4, 4, 9, 6};
    EXPECT_THROW(index_light_field(at("in"), open), Error);
}

TEST_F(Convert, PicturesOfTheWholeViewsAreCroppedAtTheirSize) {
    OpenOptions open;
    open.crop = {3, 5, 8, 6};
    const LightFieldIndex index = input(PixelFormat::bits8, open);
    const Image whole = pattern(61, 48, 1, 3);  // x3, and a column that was left over
    EXPECT_EQ(part_of(index, whole, "it"), crop(whole, Box{9, 15, 24, 18}));
    EXPECT_THROW(part_of(index, Image(19, 16), "it"), Error);
}

TEST_F(Convert, DisparityIsScaledWithTheSize) {
    layout_.disparity = Image(20, 16, 1, 0.8F);
    ConvertOptions options;
    options.resize = 0.5;
    convert_light_field(input(), at("out"), options);
    const LightFieldIndex index = index_light_field(at("out"));
    EXPECT_EQ(index.image.width, 10);
    EXPECT_EQ(index.image.height, 8);
    EXPECT_EQ(read_disparity(index, {1, 1}), Image(10, 8, 1, 0.4F));
}

TEST_F(Convert, SixteenBitsAreKept) {
    for (View& view : field_.views)
        for (float& value : view.image.values)
            value = float(std::lround(value * 240 + 77)) * 255.0F / 65535.0F;
    for (const char* name : {"out", "out.npy", "out.h5", "out.tif"}) {
        ConvertOptions options;
        convert_light_field(input(PixelFormat::bits16), at(name), options);
        OpenOptions open;
        open.rows = open.cols = 3;
        const LightFieldIndex index = index_light_field(at(name), open);
        EXPECT_EQ(index.image.format, PixelFormat::bits16) << name;
        EXPECT_EQ(read_light_field(index).views[4].image, field_.views[4].image) << name;
    }
}

TEST_F(Convert, RoundTripThroughLinear) {
    ConvertOptions options;
    options.colour_space = ColourSpace::linear;
    options.bits = PixelFormat::float32;
    options.encoding = "exr";
    convert_light_field(input(), at("linear"), options);
    const LightFieldIndex linear = index_light_field(at("linear"));
    EXPECT_EQ(linear.colour_space, ColourSpace::linear);
    EXPECT_NEAR(read_light_field(linear).views[0].image.values[1],
                to_linear(field_.views[0].image).values[1], 1e-4);
    ConvertOptions back;
    back.colour_space = ColourSpace::srgb;
    back.bits = PixelFormat::bits8;
    convert_light_field(linear, at("back"), back);
    EXPECT_EQ(read_light_field(index_light_field(at("back"))).views[7].image,
              field_.views[7].image);
}

TEST_F(Convert, EqualisedViewsHaveTheMeanOfTheCentre) {
    for (float& value : field_.views[0].image.values)
        value = std::round(value * 0.4F);
    ConvertOptions options;
    options.equalise = true;
    options.bits = PixelFormat::float32;
    convert_light_field(input(), at("out"), options);
    const LightField out = read_light_field(index_light_field(at("out")));
    const auto mean = [](const Image& image) {
        double sum = 0;
        for (const float value : luma(image).values)
            sum += double(value);
        return sum / double(image.pixels());
    };
    EXPECT_NEAR(mean(out.views[0].image), mean(out.views[4].image), 1e-3);
    EXPECT_EQ(out.views[4].image, field_.views[4].image);
}

TEST_F(Convert, DegradationRecordIsDroppedWhenResized) {
    layout_.degradation = DegradationRecord{};
    layout_.degradation->options.scale = 3;
    ConvertOptions options;
    convert_light_field(input(), at("same"), options);
    EXPECT_EQ(index_light_field(at("same")).degradation->options.scale, 3);
    options.resize = 2;
    convert_light_field(input(), at("larger"), options);
    EXPECT_FALSE(index_light_field(at("larger")).degradation);
}

TEST_F(Convert, InvalidOptionsAreRefused) {
    ConvertOptions options;
    options.resize = 0;
    refusal_of(ErrorKind::invalid_option,
               [&] { convert_light_field(input(), at("out"), options); });
    options.resize = 1;
    OpenOptions open;
    open.crop = {10, 10, 11, 5};
    refusal_of(ErrorKind::invalid_option, [&] { input(PixelFormat::bits8, open); });
    options.to = "inria";
    const auto text = refusal_of(ErrorKind::invalid_option,
                                 [&] { convert_light_field(input(), at("out"), options); });
    EXPECT_TRUE(mentions(text, "hdf5")) << text;
    EXPECT_FALSE(fs::exists(at("out")));
}

}  // namespace
}  // namespace plenosr::test
