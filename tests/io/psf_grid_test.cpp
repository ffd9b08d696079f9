#include "io/npy_header.h"
#include "io/support.h"

namespace plenosr::test {
namespace {

class PsfGridFile : public InFolder {
protected:
    std::string refusal(const std::string& content) {
        put(at("grid"), content);
        return refusal_of(ErrorKind::input, [&] { read_psf_grid(at("grid"), 2); });
    }
};

std::string npy(const io::Shape& shape, const std::vector<float>& values) {
    std::string bytes = io::format_npy_header(shape, io::Element::float32);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return bytes;
}

TEST_F(PsfGridFile, JsonListsTheBlurOfEachNodeRowByRow) {
    write_pfm(at("kernel.pfm"), Image(7, 3, 1, 2.0F));
    put(at("grid.json"), R"({"plenosr_psf_grid": 1, "rows": 2, "cols": 3, "psfs":
        ["none", "gaussian", "gaussian:1.2", "motion:5,30", "disc:1.5", "psf:kernel.pfm"]})");
    const PsfGrid grid = read_psf_grid(at("grid.json"), 2);
    EXPECT_EQ(grid.rows, 2);
    EXPECT_EQ(grid.cols, 3);
    ASSERT_EQ(grid.nodes.size(), 6U);
    EXPECT_EQ(grid.width(), 9) << "the widest, gaussian:1.2";
    EXPECT_EQ(grid.height(), 9);
    EXPECT_EQ(grid.kernel(0, 0).at(4, 4), 1.0F);
    EXPECT_EQ(grid.kernel(0, 2), make_psf({"gaussian:1.2"}, 2).kernel);
    EXPECT_FLOAT_EQ(grid.kernel(1, 2).at(3, 1), 1.0F / 21);
    EXPECT_EQ(grid.kernel(1, 2).at(2, 1), 0.0F);
}

TEST_F(PsfGridFile, ArraysOfFourAxesAreNormalised) {
    std::vector<float> values(2 * 1 * 3 * 3, 1.0F);
    values[4] = 8.0F;
    put(at("grid.npy"), npy({2, 1, 3, 3}, values));
    const PsfGrid grid = read_psf_grid(at("grid.npy"), 2);
    EXPECT_EQ(grid.rows, 2);
    EXPECT_EQ(grid.cols, 1);
    EXPECT_FLOAT_EQ(grid.kernel(0, 0).at(1, 1), 0.5F);
    EXPECT_FLOAT_EQ(grid.kernel(1, 0).at(0, 2), 1.0F / 9);
}

TEST_F(PsfGridFile, InvalidGridsAreRefusedWithTheReason) {
    const auto json = [](const std::string& rest) {
        return R"({"plenosr_psf_grid": 1, "rows": 1, "cols": 2, "psfs": )" + rest + "}";
    };
    EXPECT_TRUE(mentions(refusal("hello"), "neither"));
    EXPECT_TRUE(mentions(refusal(R"({"rows": 1})"), "plenosr_psf_grid"));
    EXPECT_TRUE(mentions(refusal(R"({"plenosr_psf_grid": 1, "rows": 0, "cols": 2})"), "rows"));
    EXPECT_TRUE(mentions(refusal(json(R"(["none"])")), "2 strings"));
    EXPECT_TRUE(mentions(refusal(json(R"(["none", 3])")), "2 strings"));
    EXPECT_TRUE(mentions(refusal(json(R"(["none", "box"])")), "row 0, column 1"));
    EXPECT_TRUE(mentions(refusal(json(R"(["psf:missing.pfm", "none"])")), "missing.pfm"));
    EXPECT_TRUE(mentions(refusal(json(R"(["psf-grid:grid", "none"])")), "row 0, column 0"));
    for (const char* outside : {R"(["none", "psf:/etc/k.pfm"])", R"(["none", "psf:../k.pfm"])"}) {
        const std::string message = refusal(json(outside));
        EXPECT_TRUE(mentions(message, "\"psfs[1]\"") && mentions(message, "inside the folder"))
            << message;
    }
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(mentions(refusal(npy({1, 2, 1, 1}, {1, 0})), "sum to 0"));
    EXPECT_TRUE(mentions(refusal(npy({1, 2, 1, 1}, {1, -1})), "sum must be positive"));
    EXPECT_TRUE(mentions(refusal(npy({1, 2, 1, 1}, {nan, 1})), "finite"));
    EXPECT_TRUE(mentions(refusal(npy({1, 1, 2, 2}, {1, 1, 1, 1})), "odd"));
    EXPECT_TRUE(mentions(refusal(npy({2, 2}, {1, 1, 1, 1})), "four axes"));
    EXPECT_TRUE(mentions(refusal(npy({1, 2, 1, 1}, {1})), "bytes"));
    EXPECT_TRUE(mentions(refusal(npy({70, 1, 1, 1}, std::vector<float>(70, 1.0F))), "at most 64"));
    refusal_of(ErrorKind::input, [&] { read_psf_grid(at("nowhere"), 2); });
}

}  // namespace
}  // namespace plenosr::test
