#include "io/metadata.h"

#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

#include <algorithm>

#include "io/exif.h"
#include "io/image_file.h"
#include "io/orientation.h"
#include "io/png_structure.h"
#include "io/support.h"

namespace plenosr::test {
namespace {

using namespace std::string_literals;

class MetadataOfPictures : public InFolder {};

// A profile without tags that libpng accepts, too.
std::string profile(std::size_t size, const std::string& colours = "RGB ", char fill = 'p') {
    std::string bytes = big_endian(std::uint32_t(size)) + std::string(size - 4, '\0');
    bytes.replace(8, 1, "\2");
    bytes.replace(12, 12, "mntr" + colours + "XYZ ");
    bytes.replace(36, 4, "acsp");
    bytes.replace(68, 12, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d"s);  // the light D50
    bytes.replace(132, std::string::npos, std::string(size - 132, fill));
    return bytes;
}

std::string number(std::uint64_t value, std::size_t bytes, bool big) {
    std::string text = little_endian(value, bytes);
    if (big) std::reverse(text.begin(), text.end());
    return text;
}

// EXIF as a camera writes it: orientation, make, a thumbnail's directory, an exposure time of
// 1/125.
std::string camera_exif(int orientation, bool big) {
    const auto entry = [&](int tag, int type, std::uint64_t count, const std::string& value) {
        return number(std::uint64_t(tag), 2, big) + number(std::uint64_t(type), 2, big) +
               number(count, 4, big) + value;
    };
    const std::string first =
        number(3, 2, big) + entry(271, 2, 6, number(50, 4, big)) +
        entry(274, 3, 1, number(std::uint64_t(orientation), 2, big) + "\0\0"s) +
        entry(34665, 4, 1, number(56, 4, big)) + number(82, 4, big);
    const std::string exposure = number(1, 2, big) + entry(33434, 5, 1, number(74, 4, big)) +
                                 number(0, 4, big) + number(1, 4, big) + number(125, 4, big);
    return (big ? "MM\0*"s : "II*\0"s) + number(8, 4, big) + first + "Canon\0"s + exposure +
           number(0, 2, big) + number(0, 4, big);
}

std::string png_with_exif(const std::string& png, const std::string& exif) {
    constexpr std::size_t after_header = 33;
    return png.substr(0, after_header) + io::png_chunk("eXIf", exif) + png.substr(after_header);
}

std::string jpeg_with_exif(const std::string& jpeg, const std::string& exif) {
    const std::string content = "Exif\0\0"s + exif;
    const std::size_t length = content.size() + 2;
    return jpeg.substr(0, 2) + "\xff\xe1" + char(length >> 8U) + char(length) + content +
           jpeg.substr(2);
}

// What is stored at (row, col) of the upright picture, for each orientation of the EXIF standard:
// the place of the 0th row and the 0th column.
Image stored_as(const Image& upright, int orientation) {
    const bool exchanged = orientation >= 5;
    Image stored(exchanged ? upright.height : upright.width,
                 exchanged ? upright.width : upright.height, upright.channels);
    for (int y = 0; y < upright.height; ++y)
        for (int x = 0; x < upright.width; ++x) {
            const int right = upright.width - 1 - x;
            const int below = upright.height - 1 - y;
            const int rows[] = {y, y, below, below, x, right, right, x};
            const int cols[] = {x, right, right, x, y, y, below, below};
            for (int c = 0; c < upright.channels; ++c)
                stored.at(rows[orientation - 1], cols[orientation - 1], c) = upright.at(y, x, c);
        }
    return stored;
}

TEST_F(MetadataOfPictures, EveryOrientationIsReadUpright) {
    const Image image = pattern(7, 5, 3);
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const Image stored = stored_as(image, orientation);
        EXPECT_EQ(io::upright(stored, orientation), image) << orientation;
        write_image(at("plain.png"), stored);
        for (const bool big : {false, true}) {
            put(at("a.png"), png_with_exif(take(at("plain.png")), camera_exif(orientation, big)));
            EXPECT_EQ(read_image(at("a.png")), image) << orientation;
            EXPECT_EQ(image_info(at("a.png")).width, 7) << orientation;
            EXPECT_EQ(image_info(at("a.png")).height, 5) << orientation;
        }
        // TIFF has the tag in its own directory.
        write_image(at("a.tif"), stored, PixelFormat::bits16);
        std::string tiff = take(at("a.tif"));
        const std::size_t entry = tiff.find("\x12\x01\x03\0\x01\0\0\0"s);
        ASSERT_NE(entry, std::string::npos);
        tiff[entry + 8] = char(orientation);
        put(at("a.tif"), tiff);
        EXPECT_EQ(read_image(at("a.tif")), image) << orientation;
    }
    for (const int unknown : {0, 9, 65535}) {
        put(at("a.png"), png_with_exif(take(at("plain.png")), camera_exif(unknown, false)));
        EXPECT_EQ(read_image(at("a.png")), stored_as(image, 8)) << unknown;
    }
}

TEST_F(MetadataOfPictures, AJpegOfATurnedCameraIsUpright) {
    Image stored(32, 16, 3, 20);  // 90 degrees counter-clockwise: what is above lies to the left
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
            for (int c = 0; c < 3; ++c)
                stored.at(y, x, c) = 220;
    write_image(at("plain.jpg"), stored);
    put(at("a.jpg"), jpeg_with_exif(take(at("plain.jpg")), camera_exif(6, true)));
    const Image image = read_image(at("a.jpg"));
    ASSERT_EQ(image.width, 16);
    ASSERT_EQ(image.height, 32);
    EXPECT_NEAR(image.at(0, 8), 220, 3);
    EXPECT_NEAR(image.at(31, 8), 20, 3);
}

TEST_F(MetadataOfPictures, ViewsOfALightFieldAndSheetsAreUprightToo) {
    const LightField field = numbered_views({0, 0, 2, 3}, 3);
    const auto put_turned = [&](const fs::path& file, const Image& image) {
        write_image(at("stored.png"), stored_as(image, 8));
        put(file, png_with_exif(take(at("stored.png")), camera_exif(8, false)));
    };
    fs::create_directory(at("views"));
    Image sheet(12 * 3, 9 * 2, 3);
    for (const View& view : field.views) {
        const int row = int(view.position.row);
        const int col = int(view.position.col);
        put_turned(at("views") / fmt::format("{}_{}.png", row, col), view.image);
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 12; ++x)
                for (int c = 0; c < 3; ++c)
                    sheet.at(row * 9 + y, col * 12 + x, c) = view.image.at(y, x, c);
    }
    put_turned(at("sheet.png"), sheet);
    OpenOptions mosaic;
    mosaic.format = "mosaic";
    mosaic.rows = 2;
    mosaic.cols = 3;
    for (const auto& [path, options] : std::vector<std::pair<fs::path, OpenOptions>>{
             {at("views"), {}}, {at("sheet.png"), mosaic}}) {
        const LightFieldIndex index = index_light_field(path, options);
        EXPECT_EQ(index.image.width, 12) << path;
        EXPECT_EQ(index.image.height, 9) << path;
        const LightField read = read_light_field(index);
        ASSERT_EQ(read.views.size(), 6U);
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_EQ(read.views[i].image, field.views[i].image) << path << i;
        EXPECT_TRUE(mentions(read_metadata(index, {1, 2}).exif, "Canon")) << path;
    }
}

TEST_F(MetadataOfPictures, ViewsAreNotStoredWithLosses) {
    WriteLightField layout;
    layout.extension = ".jpg";
    const auto text = refusal_of(ErrorKind::output, [&] {
        write_light_field(at("views"), numbered_views({0, 0, 1, 2}, 3), layout);
    });
    EXPECT_TRUE(mentions(text, "without losses")) << text;
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(MetadataOfPictures, ATiffOfJpegBlocksIsUprightToo) {
    // Each quarter has a brightness of its own. The decoder mirrors such files by itself.
    Image image(48, 32, 3, 20);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            for (int c = 0; c < 3; ++c)
                image.at(y, x, c) = float(30 + (x >= 32 ? 60 : 0) + (y >= 16 ? 120 : 0));
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const Image stored = stored_as(image, orientation);
        OIIO::ImageSpec spec(stored.width, stored.height, 3, OIIO::TypeDesc::UINT8);
        spec["compression"] = "jpeg";
        spec["Orientation"] = orientation;
        const std::vector<unsigned char> pixels(stored.values.begin(), stored.values.end());
        const auto output = OIIO::ImageOutput::create("tiff");
        ASSERT_TRUE(output->open(at("a.tif").string(), spec));
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, pixels.data()));
        ASSERT_TRUE(output->close());
        const Image read = read_image(at("a.tif"));
        ASSERT_TRUE(read.same_size(image)) << orientation;
        EXPECT_EQ(image_info(at("a.tif")).width, 48);
        for (std::size_t i = 0; i < read.values.size(); ++i)
            ASSERT_NEAR(read.values[i], image.values[i], 12) << orientation << " " << i;
    }
}

TEST_F(MetadataOfPictures, TagsAndProfilesPassThroughEveryFormat) {
    const std::string block = camera_exif(6, true);
    const io::ExifTags tags = io::parse_exif(block);
    ASSERT_EQ(tags.picture.size(), 1U);
    EXPECT_EQ(tags.picture[0].values, "Canon\0"s);
    ASSERT_EQ(tags.exposure.size(), 1U);
    EXPECT_EQ(tags.exposure[0].values, "\1\0\0\0\x7d\0\0\0"s);  // 1/125, exactly

    const Image image = pattern(33, 21, 3);
    for (const std::size_t size : {200U, 70000U, 140001U}) {  // also in several segments of a JPEG
        ImageEncoding encoding;
        encoding.metadata = {io::format_exif(tags), profile(size)};
        for (const char* name : {"a.png", "a.tif", "a.jpg"}) {
            write_image(at("plain-"s + name), image);
            write_image(at(name), image, encoding);
            EXPECT_EQ(read_metadata(at(name)), encoding.metadata) << name << " " << size;
            EXPECT_EQ(read_metadata(at("plain-"s + name)), Metadata()) << name;
            EXPECT_EQ(read_image(at(name)), read_image(at("plain-"s + name))) << name;
            const std::string bytes = take(at(name));
            write_image(at(name), image, encoding);
            EXPECT_EQ(take(at(name)), bytes) << name;
        }
    }
}

TEST_F(MetadataOfPictures, SixteenBitTiffKeepsItsProfileAndItsValues) {
    Image image = pattern(9, 6, 3);
    for (float& value : image.values)
        value = value * 0.5F + 0.25F;
    ImageEncoding encoding;
    encoding.format = PixelFormat::bits16;
    encoding.metadata.icc_profile = profile(560);
    write_image(at("a.tif"), image, encoding);
    EXPECT_EQ(image_info(at("a.tif")).format, PixelFormat::bits16);
    EXPECT_EQ(read_metadata(at("a.tif")).icc_profile, profile(560));
    write_image(at("b.tif"), read_image(at("a.tif")), encoding);
    EXPECT_EQ(take(at("a.tif")), take(at("b.tif")));
    encoding.format = PixelFormat::float32;
    write_image(at("f.tif"), image, encoding);
    EXPECT_EQ(read_metadata(at("f.tif")).icc_profile, profile(560));
}

TEST_F(MetadataOfPictures, AProfileOfOtherColoursIsLeftOut) {
    ImageEncoding encoding;
    for (const std::string& unfit :
         {profile(300, "CMYK"), profile(300, "GRAY"), std::string(300, 'x'), profile(300) + "y"}) {
        encoding.metadata.icc_profile = unfit;
        write_image(at("a.png"), pattern(4, 4, 3), encoding);
        EXPECT_EQ(read_metadata(at("a.png")).icc_profile, "");
    }
    encoding.metadata.icc_profile = profile(300, "GRAY");
    write_image(at("a.tif"), pattern(4, 4, 1), encoding);
    EXPECT_EQ(read_metadata(at("a.tif")).icc_profile, profile(300, "GRAY"));
}

TEST_F(MetadataOfPictures, EveryPageHasItsOwn) {
    std::vector<OIIO::ImageSpec> pages(2, OIIO::ImageSpec(3, 2, 1, OIIO::TypeDesc::UINT8));
    pages[0]["Make"] = "Canon";
    pages[1]["Make"] = "Nikon";
    pages[1]["Orientation"] = 6;
    const std::vector<unsigned char> pixels = {1, 2, 3, 4, 5, 6};
    const auto output = OIIO::ImageOutput::create("tiff");
    ASSERT_TRUE(output->open(at("a.tif").string(), 2, pages.data()));
    ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, pixels.data()));
    ASSERT_TRUE(output->open(at("a.tif").string(), pages[1], OIIO::ImageOutput::AppendSubimage));
    ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, pixels.data()));
    ASSERT_TRUE(output->close());
    const auto make = [&](int page) {
        return io::parse_exif(read_metadata(at("a.tif"), page).exif).picture.at(0).values;
    };
    EXPECT_EQ(make(0), "Canon\0"s);
    EXPECT_EQ(make(1), "Nikon\0"s);
    EXPECT_EQ(io::Pages(at("a.tif")).read(0).values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(io::Pages(at("a.tif")).read(1).values, (std::vector<float>{4, 1, 5, 2, 6, 3}));
    refusal_of(ErrorKind::input, [&] { read_metadata(at("a.tif"), 2); });
    write_image(at("one.png"), pattern(4, 3, 1));
    refusal_of(ErrorKind::input, [&] { read_metadata(at("one.png"), 1); });
}

TEST_F(MetadataOfPictures, DamagedTagsAreLeftOutAndThePictureIsRead) {
    const std::string good = camera_exif(1, false);
    write_image(at("plain.png"), pattern(4, 4, 3));
    for (std::size_t length = 0; length <= good.size(); ++length) {
        const std::string cut = good.substr(0, length);
        EXPECT_LE(io::parse_exif(cut).picture.size(), 1U);
        put(at("a.png"), png_with_exif(take(at("plain.png")), cut));
        EXPECT_EQ(read_image(at("a.png")), pattern(4, 4, 3)) << length;
    }
    for (std::size_t at_byte = 0; at_byte < good.size(); ++at_byte)
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string changed = good;
            changed[at_byte] = value;
            const io::ExifTags tags = io::parse_exif(changed);
            EXPECT_EQ(io::parse_exif(io::format_exif(tags)), tags);
        }
    // A directory that claims more entries than the block has, and a value of 4 GiB.
    EXPECT_TRUE(io::parse_exif("II*\0\x08\0\0\0\xff\xff"s).empty());
    EXPECT_TRUE(io::parse_exif("II*\0\x08\0\0\0\1\0\x0f\1\2\0\xff\xff\xff\xff\x08\0\0\0"s).empty());
}

TEST_F(MetadataOfPictures, WebpHoldsTheSamePictureWithMetadata) {
    const Image image = pattern(20, 10, 3);
    write_image(at("plain.webp"), image);
    const std::string plain = take(at("plain.webp"));
    ASSERT_EQ(plain.substr(8, 8), "WEBPVP8 ");
    ImageEncoding encoding;
    encoding.metadata = {io::format_exif(io::parse_exif(camera_exif(1, false))), profile(301)};
    write_image(at("a.webp"), image, encoding);
    const std::string bytes = take(at("a.webp"));
    EXPECT_EQ(bytes.substr(0, 4), "RIFF");
    EXPECT_EQ(bytes.substr(4, 4), little_endian(bytes.size() - 8));
    EXPECT_EQ(bytes.substr(8, 22), "WEBPVP8X\x0a\0\0\0\x28\0\0\0\x13\0\0\x09\0\0"s);
    EXPECT_TRUE(mentions(bytes, "ICCP" + little_endian(301) + profile(301) + '\0'));
    EXPECT_TRUE(mentions(bytes, plain.substr(12)));
    EXPECT_TRUE(mentions(
        bytes, "EXIF" + little_endian(encoding.metadata.exif.size()) + encoding.metadata.exif));
    write_image(at("grey.webp"), pattern(5, 5, 1));  // WebP has no grey: three equal channels
    EXPECT_EQ(take(at("grey.webp")).substr(8, 8), "WEBPVP8 ");
}

TEST_F(MetadataOfPictures, QualityDecidesTheSizeOfLossyFiles) {
    const Image image = pattern(64, 64, 3);
    for (const char* name : {"a.jpg", "a.webp"}) {
        ImageEncoding coarse;
        coarse.quality = 30;
        write_image(at("fine-"s + name), image);
        write_image(at(name), image, coarse);
        EXPECT_LT(take(at(name)).size(), take(at("fine-"s + name)).size() / 2) << name;
    }
    refusal_of(ErrorKind::output, [&] { write_image(at("a.jpg"), image, PixelFormat::bits16); });
    const auto text = refusal_of(
        ErrorKind::output, [&] { require_encoding(at("a.webp"), PixelFormat::bits8, 16384, 10); });
    EXPECT_TRUE(mentions(text, "16383")) << text;
}

}  // namespace
}  // namespace plenosr::test
