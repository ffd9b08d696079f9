#include "io/known_motions.h"

#include <OpenImageIO/imageio.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "io/flo.h"
#include "io/npy_header.h"
#include "io/shifts_text.h"
#include "io/support.h"
#include "plenosr/frames.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;
using test::mentions;

class MotionFiles : public test::InFolder {
protected:
    static constexpr int width = 6;
    static constexpr int height = 4;

    fs::path written(const std::string& name, const std::string& bytes) const {
        test::put(at(name), bytes);
        return at(name);
    }
    std::vector<FrameMotion> read(const fs::path& path) const {
        return read_motions(path, width, height);
    }
    std::string refused(const fs::path& path) const {
        return test::refusal_of(ErrorKind::input, [&] { read(path); });
    }
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::string flo(int width, int height, const std::vector<float>& values) {
    return "PIEH" + test::little_endian(std::uint64_t(width)) +
           test::little_endian(std::uint64_t(height)) + bytes_of(values);
}

std::string npy(const io::Shape& shape, const std::vector<double>& values) {
    return io::format_npy_header(shape, io::Element::float64) + bytes_of(values);
}

Image ramp(int width, int height) {
    Image flow(width, height, 2);
    for (std::size_t i = 0; i < flow.values.size(); ++i)
        flow.values[i] = 0.125F * float(i) - 2;
    return flow;
}

TEST_F(MotionFiles, TextHasShiftsAndMatrices) {
    const auto motions = read(written("a.txt",
                                      "# a shift, an affine and a projective motion\n"
                                      "0.5 -1\n"
                                      "1, 0.01, 2, -0.01, 1, 3\n"
                                      "2 0 4 0 2 6 0.002 0 2  # up to scale\n"
                                      "\n"
                                      "1 0 7\n"
                                      "0 1 8\n"
                                      "\n"
                                      "1 0 9\n0 1 10\n0 0.001 1\n"
                                      "1 0 0\n0 1 0\n0 0 1\n"));
    ASSERT_EQ(motions.size(), 6U);
    EXPECT_EQ(motions[0], FrameMotion::translation(0.5, -1));
    EXPECT_EQ(motions[1].matrix, (std::array<double, 9>{1, 0.01, 2, -0.01, 1, 3, 0, 0, 1}));
    EXPECT_EQ(motions[2].matrix, (std::array<double, 9>{1, 0, 2, 0, 1, 3, 0.001, 0, 1}));
    EXPECT_EQ(motions[3], FrameMotion::translation(7, 8));
    EXPECT_EQ(motions[4].matrix, (std::array<double, 9>{1, 0, 9, 0, 1, 10, 0, 0.001, 1}));
    EXPECT_EQ(motions[5], FrameMotion());
}

TEST_F(MotionFiles, ArraysHaveShiftsMatricesAndFlows) {
    EXPECT_EQ(read(written("a.npy", npy({2, 2}, {0, 0, 0.5, 0.25})))[1],
              FrameMotion::translation(0.5, 0.25));
    EXPECT_EQ(read(written("a.npy", npy({1, 2, 3}, {1, 0, 2, 0, 1, 3})))[0],
              FrameMotion::translation(2, 3));
    EXPECT_EQ(read(written("a.npy", npy({1, 3, 3}, {1, 0, 2, 0, 1, 3, 0, 0, 1})))[0],
              FrameMotion::translation(2, 3));
    const Image flow = ramp(width, height);
    const std::vector<double> values(flow.values.begin(), flow.values.end());
    EXPECT_EQ(read(written("a.npy", npy({height, width, 2}, values)))[0].flow, flow);
    const auto both = read(written("a.npy", npy({1, height, width, 2}, values)));
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(both[0].flow, flow);
}

TEST_F(MotionFiles, AFolderHasOneFlowPerFrame) {
    fs::create_directory(at("flows"));
    written("flows/f10.flo", flo(width, height, ramp(width, height).values));
    written("flows/f9.flo", flo(width, height, std::vector<float>(2 * width * height, 0)));
    written("flows/preview.png", "not read");
    const auto motions = read(at("flows"));
    ASSERT_EQ(motions.size(), 2U);
    EXPECT_EQ(motions[0].flow, Image(width, height, 2));
    EXPECT_EQ(motions[1].flow, ramp(width, height));
    written("flows/f11.txt", "0 0\n1 1\n");
    EXPECT_TRUE(mentions(refused(at("flows")), "has 2 motions"));
    fs::create_directory(at("empty"));
    EXPECT_TRUE(mentions(refused(at("empty")), ".flo"));
}

TEST_F(MotionFiles, WhatNoCameraDoesIsRefused) {
    for (const char* text :
         {"1 0 0 0 1\n", "1 0 0 0 1 0 0 0 0\n", "0 0 0 0 0 0\n", "1 0 0 0 -1 0\n",
          "100 0 0 0 100 0\n", "1 0 0 0 1 0 -1 0 1\n", "1 0 0 0 1 x\n", "1 0 2e5 0 1 0\n",
          "1 0 0\n0 1 0\n0 0 1\n1 0 0\n", "1 0 0\n", "1 0 0 0 1 0 0 0 nan\n", "", "\n"})
        EXPECT_NE(refused(written("a.txt", text)), "") << text;
    for (const auto& [shape, values] : std::vector<std::pair<io::Shape, std::vector<double>>>{
             {{2, 3}, {0, 0, 0, 0, 0, 0}},
             {{0, 2}, {}},
             {{1, 1, 2}, {0, 0}},
             {{1, 2, 3}, {1, 0, std::numeric_limits<double>::infinity(), 0, 1, 0}}})
        EXPECT_NE(refused(written("a.npy", npy(shape, values))), "");
    EXPECT_NE(refused(written("a.npy", io::format_npy_header({1, 2}, io::Element::uint8) + "ab")),
              "");
}

TEST_F(MotionFiles, FlowsAreCheckedBeforeTheyAreUsed) {
    const std::vector<float> zeros(2 * width * height, 0);
    EXPECT_EQ(read(written("a.flo", flo(width, height, zeros)))[0].flow, Image(width, height, 2));
    EXPECT_TRUE(mentions(refused(written("a.flo", flo(height, width, zeros))), "4x6"));
    EXPECT_TRUE(mentions(refused(written("a.flo", flo(width, height, {0, 0}))), "192 bytes"));
    EXPECT_TRUE(mentions(refused(written("a.flo", flo(-1, height, zeros))), "-1x4"));
    EXPECT_TRUE(mentions(refused(written("a.flo", flo(65536, 65536, zeros))), "claims"));
    EXPECT_NE(refused(written("a.flo", "PIEH")), "");
    std::vector<float> unknown = zeros;
    unknown[3] = 1e10F;  // as Middlebury's files mark it
    unknown[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(
        mentions(refused(written("a.flo", flo(width, height, unknown))), "2 of its values"));
}

TEST_F(MotionFiles, AnExrOfTwoChannelsIsAFlow) {
    const auto write = [&](const std::vector<std::string>& channels) {
        OIIO::ImageSpec spec(width, height, int(channels.size()), OIIO::TypeDesc::FLOAT);
        spec.channelnames = channels;
        std::vector<float> values(std::size_t(width * height) * channels.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 0.125F * float(i) - 2;
        const auto output = OIIO::ImageOutput::create("openexr");
        ASSERT_TRUE(output->open(at("a.exr").string(), spec));
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::FLOAT, values.data()));
        ASSERT_TRUE(output->close());
    };
    for (const auto& names : {std::vector<std::string>{"R", "G"}, {"u", "v"}, {"X", "Y"}}) {
        write(names);
        EXPECT_EQ(read(at("a.exr"))[0].flow, ramp(width, height)) << names[0];
    }
    write({"Y", "A"});
    EXPECT_TRUE(mentions(refused(at("a.exr")), "two, right and down"));
    write({"R", "G", "B"});
    EXPECT_TRUE(mentions(refused(at("a.exr")), "two, right and down"));
}

TEST_F(MotionFiles, MotionsBecomeRelativeToAnyFrame) {
    FrameMotion turned;
    turned.matrix = {0.99, 0.02, 3, -0.02, 0.99, -1, 0.0001, 0, 1};
    FrameMotion flowing;
    flowing.flow = Image(40, 30, 2, 0.75F);
    const std::vector<FrameMotion> motions = {FrameMotion::translation(2, -1), turned, flowing};
    for (int reference = 0; reference < 3; ++reference) {
        const auto relative = relative_motions(motions, reference);
        EXPECT_EQ(relative[std::size_t(reference)], FrameMotion());
        for (std::size_t k = 0; k < 3;
             ++k) {  // through the reference, the common place is the same
            const Place direct = motions[k].to_reference({12, 9});
            const Place through =
                motions[std::size_t(reference)].to_reference(relative[k].to_reference({12, 9}));
            EXPECT_NEAR(through.x, direct.x, 1e-4);
            EXPECT_NEAR(through.y, direct.y, 1e-4);
        }
    }
    const auto shifts = relative_motions(
        {FrameMotion::translation(0.1, 0.2), FrameMotion::translation(0.7, 0.3)}, 0);
    EXPECT_EQ(shifts[1], FrameMotion::translation(0.7 - 0.1, 0.3 - 0.2));
    EXPECT_TRUE(shifts[1].is_translation());
}

}  // namespace
}  // namespace plenosr
