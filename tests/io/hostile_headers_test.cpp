#include "io/support.h"

namespace plenosr::test {
namespace {

// Pictures whose headers claim more than their files can hold. They are refused by their headers:
// decoders would take the memory first.
class HostileHeader : public InFolder {
protected:
    void expect_refused(const std::string& name, const std::string& bytes,
                        const std::string& word) {
        put(at(name), bytes);
        for (const bool only_info : {true, false}) {
            const auto text = refusal_of(ErrorKind::input, [&] {
                if (only_info)
                    image_info(at(name));
                else
                    read_image(at(name));
            });
            EXPECT_TRUE(mentions(text, name) && mentions(text, word)) << word << ": " << text;
        }
    }
};

TEST_F(HostileHeader, PnmMustHaveEverySample) {
    std::string digits;
    for (int i = 0; i < 1000; ++i)
        digits += "0 ";
    expect_refused("a.ppm", "P3\n20000 20000\n255\n" + digits, "take at least");
    expect_refused("a.pgm", "P2 # a comment\n2000 2000 255\n" + digits, "take at least");
    expect_refused("a.pgm", "P5\n100 100\n255\n" + std::string(9999, 'x'), "take at least");
    expect_refused("a.pgm", "P5\n100 100\n65535\n" + std::string(19999, 'x'), "take at least");
    expect_refused("a.ppm", "P6\n100 100\n70000\n" + std::string(99999, 'x'), "largest value");
    // The shortest files are read.
    put(at("b.pgm"), "P2\n3 2\n9\n0 1 2 3 4 9");
    EXPECT_EQ(read_image(at("b.pgm")).at(1, 2), 255);
    put(at("b.pgm"), "P5\n3 2\n255\nabcdef");
    EXPECT_EQ(read_image(at("b.pgm")).at(1, 2), 'f');
}

std::string bmp(std::uint32_t width, std::uint32_t height, int bits, int compression) {
    return "BM" + little_endian(1000) + little_endian(0) + little_endian(54) + little_endian(40) +
           little_endian(width) + little_endian(height) + little_endian(1, 2) +
           little_endian(std::uint32_t(bits), 2) + little_endian(std::uint32_t(compression)) +
           std::string(1000, '\0');
}

TEST_F(HostileHeader, BmpMustHaveEveryRow) {
    expect_refused("a.bmp", bmp(200, 200, 24, 0), "take at least");
    expect_refused("a.bmp", bmp(200, std::uint32_t(-200), 24, 0), "take at least");
    expect_refused("a.bmp", bmp(30000, 30000, 8, 1), "take at least");
    expect_refused("a.bmp", bmp(70000, 2, 24, 0), "70000");
    expect_refused("a.bmp", bmp(30000, 30000, 0, 0), "0 bits per pixel");
}

std::string jpeg(int frame, std::uint32_t width, std::uint32_t height, int scans) {
    const std::string component("\x01\x11\x00", 3);
    std::string bytes("\xff\xd8\xff", 3);
    bytes += char(frame);
    bytes += big_endian(8 + 3).substr(2) + "\x08" + big_endian(height).substr(2) +
             big_endian(width).substr(2) + "\x01" + component;
    for (int i = 0; i < scans; ++i)
        bytes += std::string("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00", 10) + "data";
    return bytes + "\xff\xd9";
}

TEST_F(HostileHeader, JpegMustHaveRoomForItsPixels) {
    expect_refused("a.jpg", jpeg(0xC2, 65000, 16000, 1), "take at least");
    expect_refused("a.jpg", jpeg(0xC0, 65000, 16000, 1), "take at least");
    expect_refused("a.jpg", jpeg(0xC2, 64, 64, 501), "scans");
    expect_refused("a.jpg", jpeg(0xC2, 0, 64, 1), "0x64");
}

std::string exr_attribute(const std::string& name, const std::string& type,
                          const std::string& value, std::uint32_t claimed = 0) {
    return name + '\0' + type + '\0' +
           little_endian(claimed > 0 ? claimed : std::uint32_t(value.size())) + value;
}

std::string exr(int width, int height, const std::string& more, int compression = 0) {
    const std::string box = little_endian(0) + little_endian(0) +
                            little_endian(std::uint32_t(width - 1)) +
                            little_endian(std::uint32_t(height - 1));
    const std::string channel = std::string("Y\0", 2) + little_endian(1) + little_endian(0) +
                                little_endian(1) + little_endian(1) + '\0';
    return std::string("\x76\x2f\x31\x01", 4) + little_endian(2) +
           exr_attribute("channels", "chlist", channel) +
           exr_attribute("compression", "compression", std::string(1, char(compression))) +
           exr_attribute("dataWindow", "box2i", box) +
           exr_attribute("displayWindow", "box2i", box) +
           exr_attribute("lineOrder", "lineOrder", std::string(1, '\0')) +
           exr_attribute("pixelAspectRatio", "float", little_endian(0x3f800000)) +
           exr_attribute("screenWindowCenter", "v2f", std::string(8, '\0')) +
           exr_attribute("screenWindowWidth", "float", little_endian(0x3f800000)) + more + '\0';
}

TEST_F(HostileHeader, OpenExrMustHaveRoomForItsTables) {
    const std::string head = std::string("\x76\x2f\x31\x01", 4) + little_endian(2);
    expect_refused("a.exr", head + exr_attribute("a", "string", "xx", 1900000000),
                   "claims 1900000000 bytes");
    expect_refused("a.exr", head + "name without an end", "ends within its header");
    expect_refused("a.exr", exr(16, 60000, ""), "table of its 60000 blocks");
    const auto tiles = [](std::uint32_t width, std::uint32_t height) {
        return exr_attribute("tiles", "tiledesc",
                             little_endian(width) + little_endian(height) + '\0');
    };
    expect_refused("a.exr", exr(20000, 20000, tiles(1, 1)), "table of its 400000000 blocks");
    expect_refused("a.exr", exr(16, 16, tiles(60000, 60000)), "tiles of 60000x60000");
    expect_refused("a.exr", exr(70000, 16, ""), "70000x16");
}

TEST_F(HostileHeader, TiffWithoutCompressionMustHaveEverySample) {
    const auto entry = [](std::uint32_t tag, std::uint32_t type, std::uint32_t value) {
        return little_endian(tag, 2) + little_endian(type, 2) + little_endian(1) +
               little_endian(value);
    };
    const auto tiff = [&](std::uint32_t side, std::uint32_t compression) {
        return std::string("II*\0", 4) + little_endian(8) + little_endian(9, 2) +
               entry(256, 4, side) + entry(257, 4, side) + entry(258, 3, 8) +
               entry(259, 3, compression) + entry(262, 3, 1) + entry(273, 4, 122) +
               entry(277, 3, 1) + entry(278, 4, side) + entry(279, 4, side * side) +
               little_endian(0) + std::string(64, 'x');
    };
    expect_refused("a.tif", tiff(1000, 1), "too short");
    expect_refused("a.tif", tiff(20000, 32773), "too short");
    put(at("b.tif"), tiff(8, 1));
    EXPECT_EQ(read_image(at("b.tif")).at(7, 7), 'x');
}

TEST_F(HostileHeader, PfmMustHaveEverySample) {
    put(at("a.pfm"), "Pf\n100 100\n-1\n" + std::string(39999, 'x'));
    const auto text = refusal_of(ErrorKind::input, [&] { image_info(at("a.pfm")); });
    EXPECT_TRUE(mentions(text, "too short")) << text;
}

}  // namespace
}  // namespace plenosr::test
