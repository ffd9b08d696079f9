#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "frames/photo.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "plenosr/error.h"
#include "registration/normal_equations.h"
#include "registration/phase_correlation.h"

namespace plenosr {
namespace {

const std::vector<Place> some_shifts = {{0, 0},       {0.5, 0.25}, {-1.3, 0.7},
                                        {2.6, -3.15}, {0.1, 0.9},  {7.75, 5.5}};

// The largest error of a corner of the frame, in pixels.
double corner_error(const FrameMotion& found, const FrameMotion& truth, const Image& frame) {
    return corner_distance(found.matrix, truth.matrix, frame);
}

double worst_shift_error(double gaussian, double impulse, Registration what, float exposure = 1) {
    const Image photo = test::photo(320, 260, "discs");
    auto frames = test::images_of(
        degrade_frames(photo, some_shifts, test::degradation(2, gaussian, impulse)));
    for (Image& frame : frames)
        for (float& value : frame.values)
            value *= exposure;
    FramesOptions options;
    options.registration = what;
    const auto reports = register_frames(frames, options);
    const auto truth = test::motions_of(some_shifts);
    double worst = 0;
    for (std::size_t k = 0; k < reports.size(); ++k) {
        worst = std::max(worst, corner_error(reports[k].motion, truth[k], frames[k]));
        EXPECT_EQ(reports[k].weight, 1.0) << reports[k].weight_reason;
    }
    return worst;
}

TEST(Registration, ShiftsOfCleanFramesAreFoundToAFiftiethOfAPixel) {
    EXPECT_LE(worst_shift_error(0, 0, Registration::translation), 0.0185);
}

TEST(Registration, ShiftsAreFoundToATwentiethOfAPixelInMixedNoise) {
    EXPECT_LE(worst_shift_error(10, 5, Registration::translation), 0.049);
}

TEST(Registration, ShiftsOfHdrFramesAreFoundToATwentiethOfAPixel) {
    EXPECT_LE(worst_shift_error(0, 0, Registration::translation, 2.5F), 0.05);
}

TEST(Registration, AffineAndHomographyFindShifts) {
    EXPECT_LE(worst_shift_error(1, 0, Registration::affine), 0.093);
    EXPECT_LE(worst_shift_error(1, 0, Registration::homography), 0.186);
}

// frame(q) = photo(motion q) for any motion, clipped as a camera does: values beyond 0 and 255
// would mark the frames as HDR.
Image seen(const Image& photo, const FrameMotion& motion, int width, int height) {
    Image frame(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Place p = motion.to_reference({double(x), double(y)});
            frame.at(y, x) = std::clamp(bicubic_at(photo, p.x, p.y, 0), 0.0F, 255.0F);
        }
    return frame;
}

TEST(Registration, RotatedAndTiltedFramesAreRegistered) {
    const Image photo = test::photo(220, 180);
    const double angle = 0.04;
    const FrameMotion turn{{1.02 * std::cos(angle), -1.02 * std::sin(angle), 5,
                            1.02 * std::sin(angle), 1.02 * std::cos(angle), -3, 0, 0, 1},
                           {}};
    const FrameMotion tilt{{1.01, 0.02, -2, -0.015, 0.98, 4, 1e-4, -5e-5, 1}, {}};
    const std::vector<Image> frames = {photo, seen(photo, turn, 220, 180),
                                       seen(photo, tilt, 220, 180)};
    FramesOptions options;
    options.registration = Registration::affine;
    EXPECT_LE(corner_error(register_frames(frames, options)[1].motion, turn, photo), 0.0048);
    options.registration = Registration::homography;
    EXPECT_LE(corner_error(register_frames(frames, options)[2].motion, tilt, photo), 0.0034);
}

FrameMotion turned(double degrees, double dx, double dy) {
    const double a = degrees * 3.14159265358979 / 180;
    return {{std::cos(a), -std::sin(a), dx, std::sin(a), std::cos(a), dy, 0, 0, 1}, {}};
}

TEST(Registration, TheSimplestModelThatExplainsTheFramesIsChosen) {
    const Image photo = test::photo(260, 220);
    struct Case {
        Registration model;
        std::vector<FrameMotion> motions;
    };
    const std::vector<Case> cases = {
        {Registration::translation,
         {FrameMotion::translation(1.3, -0.4), FrameMotion::translation(-2.6, 1.2)}},
        {Registration::similarity, {turned(1.5, 2, -3), turned(-2.5, -4, 2.5)}},
        {Registration::homography,
         {{{1.01, 0.02, -2, -0.015, 0.98, 4, 1e-4, -5e-5, 1}, {}},
          {{0.99, -0.01, 3, 0.02, 1.01, -1, -8e-5, 6e-5, 1}, {}}}},
    };
    for (const auto& [model, motions] : cases) {
        std::vector<Image> frames = {photo};
        for (const FrameMotion& motion : motions)
            frames.push_back(seen(photo, motion, 260, 220));
        const auto reports = register_frames(frames, {});
        for (std::size_t k = 1; k < frames.size(); ++k) {
            EXPECT_EQ(reports[k].model, model) << k;
            EXPECT_LE(corner_error(reports[k].motion, motions[k - 1], photo), 0.03) << k;
        }
    }
}

TEST(Registration, ShadingIsFoundWhereThereIsAny) {
    const Image photo = test::photo(260, 220);
    std::vector<Image> frames = {photo, seen(photo, FrameMotion::translation(0.5, 1.5), 260, 220)};
    frames.push_back(frames[1]);
    for (int y = 0; y < 220; ++y)
        for (int x = 0; x < 260; ++x)
            frames[2].at(y, x) *= float(1 - 0.15 * (2.0 * x / 259 - 1));
    const auto reports = register_frames(frames, {});
    EXPECT_FALSE(reports[1].equalised);
    EXPECT_EQ(reports[1].shading[0], 0);
    EXPECT_TRUE(reports[2].equalised);
    EXPECT_NEAR(reports[2].shading[0], 0.15, 0.01);
}

TEST(Registration, BlurredFramesRankLowerAndOnlyTheBestAreKept) {
    const Image photo = test::photo(200, 160);
    const std::vector<Image> frames = {smoothed(photo, 1.5), photo, smoothed(photo, 0.8)};
    const FrameRanks ranks = rank_by_sharpness(frames, {});
    EXPECT_EQ(ranks.order, (std::vector<int>{1, 2, 0}));
    std::vector<FrameReport> reports(3);
    for (std::size_t k = 0; k < 3; ++k)
        reports[k].sharpness = ranks.sharpness[k];
    keep_best(reports, 0, 2);
    EXPECT_EQ(reports[0].weight, 1);
    EXPECT_EQ(reports[1].weight, 1);
    EXPECT_EQ(reports[2].weight, 0);
    EXPECT_FALSE(reports[2].weight_reason.empty());
}

TEST(Registration, FlowFollowsADeformation) {
    const Image photo = test::photo(200, 160);
    FrameMotion bent = FrameMotion::translation(1.5, -0.5);
    bent.flow = Image(200, 160, 2);
    for (int y = 0; y < 160; ++y)
        for (int x = 0; x < 200; ++x) {
            bent.flow.at(y, x, 0) = float(1.5 * std::sin(0.05 * y));
            bent.flow.at(y, x, 1) = float(std::cos(0.04 * x));
        }
    FramesOptions options;
    options.registration = Registration::flow;
    const auto reports = register_frames({photo, seen(photo, bent, 200, 160)}, options);
    double sum = 0;
    double count = 0;
    for (int y = 12; y < 148; ++y)
        for (int x = 12; x < 188; ++x) {
            const Place a = reports[1].motion.to_reference({double(x), double(y)});
            const Place b = bent.to_reference({double(x), double(y)});
            sum += std::hypot(a.x - b.x, a.y - b.y);
            ++count;
        }
    EXPECT_LE(sum / count, 0.065);
}

TEST(Registration, OnlyTheOutlierFrameIsDownWeighted) {
    const auto shifts = grid_shifts(2);
    auto frames =
        test::images_of(degrade_frames(test::photo(200, 160), shifts, test::degradation(2, 2)));
    frames[2] = degrade(test::photo(200, 160, "discs"), {}, test::degradation(2, 2));
    for (const auto& reports :
         {register_frames(frames, {}), examine_frames(frames, test::motions_of(shifts), {})})
        for (std::size_t k = 0; k < frames.size(); ++k) {
            EXPECT_EQ(reports[k].weight_reason.empty(), k != 2) << k << reports[k].weight_reason;
            EXPECT_EQ(reports[k].weight < 0.1, k == 2) << k;
        }
}

TEST(Registration, OnlyAWrongReferenceIsReplaced) {
    const auto shifts = grid_shifts(2);
    const auto good =
        test::images_of(degrade_frames(test::photo(200, 160), shifts, test::degradation(2, 2)));
    const auto check = [](const std::vector<Image>& frames) {
        return check_reference(frames, register_frames(frames, {}), {});
    };
    EXPECT_EQ(check(good).better, -1) << check(good).reason;
    auto wrong = good;
    wrong[0] = degrade(test::photo(200, 160, "discs"), {}, test::degradation(2, 2));
    const ReferenceCheck found = check(wrong);
    EXPECT_GT(found.better, 0);
    EXPECT_NE(found.reason.find("frame 0, the reference"), std::string::npos) << found.reason;
    // another wrong frame does not change the reference
    auto other = good;
    other[2] = wrong[0];
    EXPECT_EQ(check(other).better, -1) << check(other).reason;
    EXPECT_EQ(check({wrong[0], good[1]}).better, -1);
}

// Registration to one aliased reference alone leaves an error of 0.05 pixels here, and that to all
// others 0.018.
TEST(Registration, ShiftsByExactFractionsOfAPixelAreFoundExactly) {
    for (const int scale : {2, 3}) {
        const auto shifts = grid_shifts(scale);
        const auto reports =
            register_frames(test::images_of(degrade_frames(test::photo(528, 432), shifts,
                                                           test::degradation(scale))),
                            {});
        for (std::size_t k = 0; k < shifts.size(); ++k) {
            EXPECT_NEAR(reports[k].motion.matrix[2], shifts[k].x, 1e-9) << scale << " " << k;
            EXPECT_NEAR(reports[k].motion.matrix[5], shifts[k].y, 1e-9) << scale << " " << k;
            EXPECT_TRUE(reports[k].motion.is_translation());
        }
    }
}

TEST(Registration, ShiftsNearALatticeAreNotMovedToIt) {
    std::vector<Place> shifts = grid_shifts(2);
    shifts[1].x += 0.06;
    shifts[2].y -= 0.05;
    shifts[3].x -= 0.06;
    const auto reports =
        register_frames(test::images_of(degrade_frames(test::photo(320, 260, "discs"), shifts,
                                                       test::degradation(2))),
                        {});
    for (std::size_t k = 0; k < shifts.size(); ++k) {
        EXPECT_NEAR(reports[k].motion.matrix[2], shifts[k].x, 0.03) << k;
        EXPECT_NEAR(reports[k].motion.matrix[5], shifts[k].y, 0.03) << k;
    }
}

// Local fits to unevenly distributed samples are biased.
TEST(Registration, UnevenShiftsKeepTheRegistrationToTheReference) {
    const std::vector<Place> shifts = {{0, 0},        {0.45, -1.58}, {2.9, -1.31},
                                       {0.79, -1.2},  {0.52, 0.04},  {-1.24, -0.59},
                                       {0.29, -0.57}, {2.2, -2.67},  {-2.32, 0.34}};
    const auto reports =
        register_frames(test::images_of(degrade_frames(test::photo(320, 260, "discs"), shifts,
                                                       test::degradation(2))),
                        {});
    for (std::size_t k = 0; k < shifts.size(); ++k) {
        EXPECT_NEAR(reports[k].motion.matrix[2], shifts[k].x, 0.02) << k;
        EXPECT_NEAR(reports[k].motion.matrix[5], shifts[k].y, 0.02) << k;
    }
}

TEST(Registration, GainAndOffsetAreFound) {
    auto frames = test::images_of(
        degrade_frames(test::photo(240, 200), some_shifts, test::degradation(2, 1)));
    for (float& value : frames[1].values)
        value = (value - 12.0F) / 1.25F;
    const FrameReport found = register_frames(frames, {})[1];
    EXPECT_NEAR(found.gain, 1.25, 0.0055);
    EXPECT_NEAR(found.offset, 12.0, 0.55);
    EXPECT_NEAR(found.motion.matrix[2], 0.5, 0.0275);
    EXPECT_NEAR(found.motion.matrix[5], 0.25, 0.0275);
    EXPECT_TRUE(found.weight_reason.empty());
}

TEST(Registration, PhaseCorrelationFindsLargeShifts) {
    const Image photo = test::photo(256, 256);
    const Image a = crop(photo, {40, 60, 128, 100});
    const Image b = crop(photo, {40 - 23, 60 + 17, 128, 100});
    const Place d = phase_correlation(a, b);  // b(p + d) = a(p)
    EXPECT_NEAR(d.x, 23, 0.1);
    EXPECT_NEAR(d.y, -17, 0.1);
}

TEST(Registration, FramesWithoutDetailKeepTheIdentity) {
    const std::vector<Image> frames = {Image(40, 30, 1, 100.0F), Image(40, 30, 1, 100.0F)};
    for (const auto what :
         {Registration::translation, Registration::homography, Registration::flow}) {
        FramesOptions options;
        options.registration = what;
        const FrameReport found = register_frames(frames, options)[1];
        const Place p = found.motion.to_reference({5, 7});
        EXPECT_NEAR(p.x, 5, 1e-6);
        EXPECT_NEAR(p.y, 7, 1e-6);
        EXPECT_EQ(found.weight, 1.0);
    }
}

TEST(Registration, TinyFramesWorkAndInvalidReferencesAreRejected) {
    for (const int size : {1, 2, 5}) {
        const auto reports =
            register_frames({Image(size, size, 3, 9.0F), Image(size, size, 3, 90.0F)}, {});
        ASSERT_EQ(reports.size(), 2U);
        const Place p = reports[1].motion.to_reference({0, 0});
        EXPECT_NEAR(p.x, 0, 1e-6) << size;
        EXPECT_NEAR(p.y, 0, 1e-6) << size;
    }
    FramesOptions options;
    options.reference = 2;
    EXPECT_THROW(register_frames({Image(9, 9), Image(9, 9)}, options), Error);
    EXPECT_THROW(register_frames({Image(9, 9), Image(8, 9)}, {}), Error);
    EXPECT_THROW(register_frames({}, {}), Error);
}

}  // namespace
}  // namespace plenosr
