#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/support.h"

namespace plenosr::test {
namespace {

class Pfm : public InFolder {};

Image awkward_floats(int width, int height, int channels) {
    Image image = pattern(width, height, channels);
    for (float& value : image.values)
        value = value * 0.1F - 7.3F;
    image.values[0] = -0.0F;
    image.values[1] = std::numeric_limits<float>::denorm_min();
    image.values[2] = std::numeric_limits<float>::infinity();
    return image;
}

bool same_bits(const Image& a, const Image& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels &&
           std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

// The floats 0, 1, 2 and so on in file order, big endian.
std::string big_endian_floats(int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
        bytes += big_endian(std::bit_cast<std::uint32_t>(float(i)));
    return bytes;
}

TEST_F(Pfm, RoundTripIsBitExact) {
    for (const int channels : {1, 3}) {
        const Image image = awkward_floats(7, 5, channels);
        write_pfm(at("a.pfm"), image);
        EXPECT_TRUE(same_bits(read_pfm(at("a.pfm")), image));
    }
}

TEST_F(Pfm, NanIsKept) {
    Image image(3, 1);
    image.values[1] = std::numeric_limits<float>::quiet_NaN();
    write_pfm(at("a.pfm"), image);
    EXPECT_TRUE(std::isnan(read_pfm(at("a.pfm")).values[1]));
}

TEST_F(Pfm, BigEndianRowsRunFromTheBottom) {
    put(at("a.pfm"), "Pf\n3 2\n1.0\n" + big_endian_floats(6));
    const Image image = read_pfm(at("a.pfm"));
    const std::vector<float> expected = {3, 4, 5, 0, 1, 2};
    EXPECT_EQ(image.values, expected);
    EXPECT_EQ(image.width, 3);
}

TEST_F(Pfm, HeaderMayHaveAnyWhiteSpace) {
    for (const char* header : {"Pf\n2 1\n1\n", "Pf 2 1 1.0\n", "Pf\n2\n1\n1e0\n", "Pf\t2\t1\t1.0 ",
                               "Pf\r\n2 1\r\n1.0\r\n", "Pf\n2 1\n0.003\n"}) {
        put(at("a.pfm"), header + big_endian_floats(2));
        EXPECT_EQ(read_pfm(at("a.pfm")).values, (std::vector<float>{0, 1})) << header;
    }
}

TEST_F(Pfm, FirstByteOfDataMayLookLikeWhiteSpace) {
    const std::string newline_float = "\x0a\x20\x0d\x09";
    put(at("a.pfm"), "Pf\n1 1\n-1.0\n" + newline_float);
    const Image image = read_pfm(at("a.pfm"));
    EXPECT_EQ(std::memcmp(image.values.data(), newline_float.data(), 4), 0);
}

TEST_F(Pfm, TruncatedFilesAreRefused) {
    write_pfm(at("whole.pfm"), pattern(5, 4, 3));
    const std::string whole = take(at("whole.pfm"));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        put(at("cut.pfm"), whole.substr(0, size));
        const auto text = refusal_of(ErrorKind::input, [&] { read_pfm(at("cut.pfm")); });
        EXPECT_TRUE(mentions(text, "cut.pfm")) << text;
    }
}

TEST_F(Pfm, FilesWithExtraBytesAreRefused) {
    put(at("a.pfm"), "Pf\n2 1\n-1.0\n123456789");
    refusal_of(ErrorKind::input, [&] { read_pfm(at("a.pfm")); });
}

TEST_F(Pfm, BadHeadersAreRefused) {
    const std::string eight(8, 'x');
    for (const char* header :
         {"", "P", "Pf", "PG\n2 1\n-1\n", "P5\n2 1\n255\n", "Pf2 1 -1\n", "Pf\n0 1\n-1\n",
          "Pf\n-2 1\n-1\n", "Pf\n2 x\n-1\n", "Pf\n2 1\n0\n", "Pf\n2 1\nnan\n", "Pf\n2 1\ninf\n",
          "Pf\n2.0 1\n-1\n", "Pf\n99999 1\n-1\n", "Pf\n60000 60000\n-1\n",
          "Pf\n99999999999999999999 1\n-1\n", "Pf\n2 1\n1e999\n"}) {
        put(at("a.pfm"), header + eight);
        refusal_of(ErrorKind::input, [&] { read_pfm(at("a.pfm")); });
    }
    put(at("a.pfm"), "Pf" + std::string(100000, ' ') + "2 1 -1\n" + eight);
    refusal_of(ErrorKind::input, [&] { read_pfm(at("a.pfm")); });
}

TEST_F(Pfm, MissingFilesFoldersAndDevicesAreRefused) {
    refusal_of(ErrorKind::input, [&] { read_pfm(at("none.pfm")); });
    refusal_of(ErrorKind::input, [&] { read_pfm(folder()); });
    refusal_of(ErrorKind::input, [&] { read_pfm("/dev/zero"); });
}

TEST_F(Pfm, RefusesImagesThatPfmCannotHold) {
    refusal_of(ErrorKind::output, [&] { write_pfm(at("a.pfm"), Image(2, 2, 2)); });
    refusal_of(ErrorKind::output, [&] { write_pfm(at("a.pfm"), Image()); });
    EXPECT_EQ(entries(folder()), 0U);
}

}  // namespace
}  // namespace plenosr::test
