#include <matio.h>

#include <array>

#include "io/support.h"

namespace plenosr::test {
namespace {

// Archives and MATLAB files that claim more than they hold.
class HostileArrays : public InFolder {
protected:
    void expect_refused(const fs::path& file, const std::string& word) {
        const auto text = refusal_of(ErrorKind::input, [&] { index_light_field(file); });
        EXPECT_TRUE(mentions(text, file.filename().string()) && mentions(text, word)) << text;
    }
};

// An archive with one member, which holds `stored` and claims `size` bytes.
std::string archive(int method, const std::string& stored, std::uint64_t size) {
    const std::string name = "LF.npy";
    const std::string common =
        little_endian(20, 2) + little_endian(0, 2) + little_endian(std::uint64_t(method), 2) +
        little_endian(0, 4) + little_endian(0, 4) + little_endian(stored.size(), 4) +
        little_endian(size, 4) + little_endian(name.size(), 2) + little_endian(0, 2);
    const std::string local = "PK\x03\x04" + common + name + stored;
    const std::string central = "PK\x01\x02" + little_endian(20, 2) + common + little_endian(0, 2) +
                                little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 4) +
                                little_endian(0, 4) + name;
    return local + central + "PK\x05\x06" + little_endian(0, 4) + little_endian(1, 2) +
           little_endian(1, 2) + little_endian(central.size(), 4) + little_endian(local.size(), 4) +
           little_endian(0, 2);
}

TEST_F(HostileArrays, ArchivesThatClaimTooMuchAreRefused) {
    std::string text = "{'descr': '|u1', 'fortran_order': False, 'shape': (9, 9, 4000, 1000), }";
    text.append(63 - (10 + text.size()) % 64, ' ');
    text += '\n';
    const std::string head =
        std::string("\x93NUMPY\x01\0", 8) + little_endian(text.size(), 2) + text;
    const std::uint64_t claimed = head.size() + 9ULL * 9 * 4000 * 1000;
    // A stream of deflate with one block that is not compressed.
    const std::string stream =
        "\x01" + little_endian(head.size(), 2) + little_endian(~head.size() & 0xFFFFU, 2) + head;
    put(at("a.npz"), archive(8, stream, claimed));
    expect_refused(at("a.npz"), "claims");
}

TEST_F(HostileArrays, MatlabFilesThatClaimTooMuchAreRefused) {
    std::array<std::size_t, 4> dims = {2, 3, 40, 50};
    std::vector<unsigned char> values(std::size_t(2 * 3 * 40 * 50), 9);
    mat_t* file = Mat_CreateVer(at("a.mat").c_str(), nullptr, MAT_FT_MAT5);
    matvar_t* views =
        Mat_VarCreate("LF", MAT_C_UINT8, MAT_T_UINT8, 4, dims.data(), values.data(), 0);
    ASSERT_EQ(Mat_VarWrite(file, views, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(views);
    Mat_Close(file);
    EXPECT_EQ(index_light_field(at("a.mat")).views.size(), 6U);
    std::string bytes = take(at("a.mat"));
    const std::string axes = little_endian(40, 4) + little_endian(50, 4);
    ASSERT_NE(bytes.find(axes), std::string::npos);
    bytes.replace(bytes.find(axes), axes.size(), little_endian(400, 4) + little_endian(500, 4));
    put(at("a.mat"), bytes);
    expect_refused(at("a.mat"), "too short");

    // Elements without content, 8 bytes each.
    put(at("b.mat"), bytes.substr(0, 128) + std::string(8 * 20000, '\0'));
    expect_refused(at("b.mat"), "more than 10000 variables");
}

}  // namespace
}  // namespace plenosr::test
