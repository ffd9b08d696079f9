#include <OpenImageIO/imageio.h>

#include "io/support.h"

namespace plenosr::test {
namespace {

// Damaged and misleading files: each must give an Error(input) that names the file.
class HostileFile : public InFolder {
protected:
    void expect_refused(const std::string& bytes, const std::string& what,
                        const std::string& name = "hostile.png") {
        put(at(name), bytes);
        const auto text = refusal_of(ErrorKind::input, [&] { read_image(at(name)); });
        EXPECT_TRUE(mentions(text, name)) << what << ": " << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    std::string whole_png(PixelFormat format = PixelFormat::bits8) {
        write_image(at("whole.png"), pattern(61, 40, 3), format);
        return take(at("whole.png"));
    }
};

TEST_F(HostileFile, TruncatedPngIsRefused) {
    for (const PixelFormat format : {PixelFormat::bits8, PixelFormat::bits16}) {
        const std::string whole = whole_png(format);
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 16) {
            expect_refused(whole.substr(0, size), "cut at " + std::to_string(size));
        }
        for (std::size_t less = 1; less <= 20; ++less) {
            expect_refused(whole.substr(0, whole.size() - less),
                           "without the last " + std::to_string(less));
        }
    }
}

TEST_F(HostileFile, PngWithOneAlteredByteIsRefused) {
    const std::string whole = whole_png();
    for (std::size_t at = 0; at < whole.size(); at += 1 + at / 16) {
        std::string altered = whole;
        altered[at] = char(altered[at] ^ 0x10);
        expect_refused(altered, "altered at " + std::to_string(at));
    }
}

TEST_F(HostileFile, PngWithTooFewRowsIsRefused) {
    const std::string half(std::size_t(8) * (1 + 16), '\0');
    expect_refused(handmade_png(16, 16, 8, 0, half), "half the rows");
    expect_refused(handmade_png(16, 16, 8, 0, ""), "no rows");
}

TEST_F(HostileFile, PngWithBadOrMissingDataIsRefused) {
    const std::string head =
        "\x89PNG\r\n\x1a\n" +
        png_chunk("IHDR", big_endian(4) + big_endian(4) + std::string("\x08\0\0\0\0", 5));
    expect_refused(head + png_chunk("IDAT", "this is not a zlib stream") + png_chunk("IEND", ""),
                   "not a zlib stream");
    expect_refused(head + png_chunk("IEND", ""), "no IDAT");
}

TEST_F(HostileFile, HugePngSizesAreRefusedBeforeMemoryIsTaken) {
    const std::string row(17, '\0');
    expect_refused(handmade_png(0, 16, 8, 0, row), "no width");
    expect_refused(handmade_png(16, 0, 8, 0, row), "no height");
    expect_refused(handmade_png(0x7fffffff, 0x7fffffff, 8, 0, row), "2^31");
    expect_refused(handmade_png(0xffffffff, 1, 8, 0, row), "2^32");
    expect_refused(handmade_png(65536, 65536, 16, 6, row), "more than 2^30 pixels");
    expect_refused(handmade_png(30000, 30000, 16, 6, row), "far more than the data can hold");
}

TEST_F(HostileFile, InvalidPngTypesAreRefused) {
    const std::string row(17, '\0');
    expect_refused(handmade_png(16, 1, 8, 1, row), "colour type 1");
    expect_refused(handmade_png(16, 1, 8, 7, row), "colour type 7");
    expect_refused(handmade_png(16, 1, 8, 200, row), "colour type 200");
    expect_refused(handmade_png(16, 1, 3, 0, row), "3 bits");
    expect_refused(handmade_png(16, 1, 8, 3, row), "palette type without palette");
}

TEST_F(HostileFile, HugeSizesOfOtherFormatsAreRefused) {
    expect_refused("P5\n65000 16000\n255\nx", "PGM", "a.pgm");
    expect_refused("P5\n2000000000 2000000000\n255\nx", "PGM", "a.pgm");
    expect_refused("P5\n-4 4\n255\nx", "PGM", "a.pgm");
    expect_refused("BM" + std::string(100, '\x7f'), "BMP", "a.bmp");
    expect_refused(std::string("II*\0", 4) + std::string(100, '\x7f'), "TIFF", "a.tif");
    expect_refused(std::string("\x76\x2f\x31\x01", 4) + std::string(100, '\x7f'), "EXR", "a.exr");
    expect_refused("\xff\xd8\xff" + std::string(100, '\x7f'), "JPEG", "a.jpg");
}

// Files of every encoding, truncated at many places.
TEST_F(HostileFile, TruncatedPicturesOfEveryEncodingAreRefused) {
    const Image image = pattern(64, 48, 3);
    const std::vector<unsigned char> bytes(image.values.begin(), image.values.end());
    std::vector<float> floats(image.values.size());
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = image.values[i] / 255;
    for (const std::string name : {"a.tif", "a.exr", "a.jpg", "a.ppm", "a.bmp", "a.png"}) {
        const auto output = OIIO::ImageOutput::create(at(name).string());
        ASSERT_TRUE(output) << name;
        const bool as_float = name == "a.exr";
        const auto type = as_float ? OIIO::TypeDesc::FLOAT : OIIO::TypeDesc::UINT8;
        ASSERT_TRUE(output->open(at(name).string(), OIIO::ImageSpec(64, 48, 3, type)));
        ASSERT_TRUE(output->write_image(type, as_float ? static_cast<const void*>(floats.data())
                                                       : static_cast<const void*>(bytes.data())));
        output->close();
        const std::string whole = take(at(name));
        EXPECT_EQ(read_image(at(name)).width, 64) << name;
        for (std::size_t part = 0; part < 10; ++part)
            expect_refused(whole.substr(0, whole.size() * part / 10), "cut", name);
    }
}

TEST_F(HostileFile, OtherContentIsRefused) {
    expect_refused("", "empty");
    expect_refused("This is a text, not a picture.\n", "text");
    expect_refused("PNG", "a word");
    expect_refused(std::string(5000, '\0'), "zeros");
    expect_refused("GIF89a" + std::string(100, '\0'), "a format that is not read");
}

TEST_F(HostileFile, ImageInfoChecksHeaders) {
    put(at("a.png"), "This is a text, not a picture.\n");
    refusal_of(ErrorKind::input, [&] { image_info(at("a.png")); });
    put(at("a.png"), whole_png().substr(0, 30));
    refusal_of(ErrorKind::input, [&] { image_info(at("a.png")); });
    put(at("a.png"), handmade_png(0x7fffffff, 0x7fffffff, 8, 0, ""));
    refusal_of(ErrorKind::input, [&] { image_info(at("a.png")); });
    put(at("a.pfm"), "Pf\n99999999 1\n-1\n");
    refusal_of(ErrorKind::input, [&] { image_info(at("a.pfm")); });
}

TEST_F(HostileFile, FoldersDevicesAndMissingFilesAreRefused) {
    refusal_of(ErrorKind::input, [&] { read_image(folder()); });
    refusal_of(ErrorKind::input, [&] { read_image("/dev/zero"); });
    refusal_of(ErrorKind::input, [&] { read_image(at("none.png")); });
    refusal_of(ErrorKind::input, [&] { image_info(at("none.png")); });
    put(at("file"), "x");
    refusal_of(ErrorKind::input, [&] { read_image(at("file") / "a.png"); });
}

}  // namespace
}  // namespace plenosr::test
