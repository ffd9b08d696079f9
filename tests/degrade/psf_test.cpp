#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "cases/refusal.h"
#include "plenosr/io.h"
#include "plenosr/psf.h"

namespace plenosr {
namespace {

double sum(const Image& kernel) {
    double total = 0;
    for (float value : kernel.values)
        total += value;
    return total;
}

// E[x x], E[x y], E[y y] about the centre, y upwards.
struct SecondMoments {
    double xx = 0, xy = 0, yy = 0;
};
SecondMoments second_moments(const Image& kernel) {
    SecondMoments m;
    for (int j = 0; j < kernel.height; ++j)
        for (int i = 0; i < kernel.width; ++i) {
            const double x = i - kernel.width / 2;
            const double y = kernel.height / 2 - j;
            m.xx += kernel.at(j, i) * x * x;
            m.xy += kernel.at(j, i) * x * y;
            m.yy += kernel.at(j, i) * y * y;
        }
    return m;
}

void expect_centred_and_normalised(const Psf& psf) {
    const Image& k = psf.kernel;
    EXPECT_EQ(k.width % 2, 1);
    EXPECT_EQ(k.height, k.width);
    EXPECT_NEAR(sum(k), 1, 1e-6);
    for (std::size_t i = 0; i < k.values.size(); ++i) {
        EXPECT_GE(k.values[i], 0);
        EXPECT_EQ(k.values[i], k.values[k.values.size() - 1 - i]);
    }
}

std::string refusal(const std::string& blur, ErrorKind kind = ErrorKind::invalid_option) {
    SCOPED_TRACE(blur);
    return test::refusal_of(kind, [&] { make_psf({blur}, 2); });
}

std::filesystem::path scratch(const std::string& name) {
    return std::filesystem::path(testing::TempDir()) / name;
}

TEST(GaussianPsf, IsCentredNormalisedAndCutAtThreeSigma) {
    for (double sigma : {0.2, 0.4330127, 0.9682458, 1.0, 2.5}) {
        const Psf psf = gaussian_psf(sigma);
        expect_centred_and_normalised(psf);
        EXPECT_EQ(psf.kernel.width, 2 * int(std::ceil(3 * sigma)) + 1);
        const int centre = psf.kernel.width / 2;
        EXPECT_NEAR(psf.kernel.at(centre, centre + 1) / psf.kernel.at(centre, centre),
                    std::exp(-1 / (2 * sigma * sigma)), 1e-6);
    }
}

TEST(MotionPsf, IsCentredAndNormalisedAtAnyLengthAndAngle) {
    for (double length : {0.3, 1.0, 2.0, 8.9, 9.0, 31.5})
        for (double angle : {0.0, 17.0, 45.0, 90.0, 135.0, -60.0, 180.0, 725.0})
            expect_centred_and_normalised(motion_psf(length, angle));
}

TEST(MotionPsf, SecondMomentsAreThoseOfTheLine) {
    // The line has the second moment L²/12 along its direction. Bilinear interpolation adds the
    // mean of f (1 - f) over the fractions f along the line: 1/6 for lines that cross many pixels.
    const double length = 41;
    for (double degrees : {30.0, 45.0, 110.0, -20.0}) {
        const SecondMoments m = second_moments(motion_psf(length, degrees).kernel);
        const double a = degrees * std::numbers::pi / 180;
        const double along = length * length / 12;
        EXPECT_NEAR(m.xx, along * std::cos(a) * std::cos(a) + 1.0 / 6, 0.05);
        EXPECT_NEAR(m.yy, along * std::sin(a) * std::sin(a) + 1.0 / 6, 0.05);
        EXPECT_NEAR(m.xy, along * std::cos(a) * std::sin(a), 0.05);
    }
}

TEST(MotionPsf, HorizontalMotionIsABoxWithSoftEnds) {
    const Image kernel = motion_psf(4, 0).kernel;
    ASSERT_EQ(kernel.width, 5);
    for (int y : {0, 1, 3, 4})
        for (int x = 0; x < 5; ++x)
            EXPECT_NEAR(kernel.at(y, x), 0, 1e-7);
    EXPECT_NEAR(kernel.at(2, 0), 0.125, 1e-6);
    for (int x : {1, 2, 3})
        EXPECT_NEAR(kernel.at(2, x), 0.25, 1e-6);
}

TEST(MotionPsf, RotationBy90DegreesTransposesTheKernel) {
    const Image level = motion_psf(7.5, 0).kernel;
    const Image upright = motion_psf(7.5, 90).kernel;
    ASSERT_TRUE(level.same_size(upright));
    for (int y = 0; y < level.height; ++y)
        for (int x = 0; x < level.width; ++x)
            EXPECT_NEAR(level.at(y, x), upright.at(x, y), 1e-6);
}

TEST(PsfFromKernel, NormalisesAndRefusesInvalidKernels) {
    Image kernel(3, 1, 1, 2.0F);
    const Psf psf = psf_from_kernel(kernel);
    for (float value : psf.kernel.values)
        EXPECT_FLOAT_EQ(value, 1.0F / 3);
    EXPECT_THROW(psf_from_kernel(Image(2, 3, 1, 1)), Error);
    EXPECT_THROW(psf_from_kernel(Image(3, 4, 1, 1)), Error);
    EXPECT_THROW(psf_from_kernel(Image(3, 3, 3, 1)), Error);
    EXPECT_THROW(psf_from_kernel(Image()), Error);
    EXPECT_THROW(psf_from_kernel(Image(3, 3, 1, 0)), Error);
    EXPECT_THROW(psf_from_kernel(Image(3, 3, 1, -1)), Error);
    Image cancelling(2, 2, 1, 1);
    cancelling.at(0, 0) = cancelling.at(1, 1) = -1;
    EXPECT_THROW(psf_from_kernel(cancelling, 0.5), Error);
    kernel.at(0, 1) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(psf_from_kernel(kernel), Error);
}

// Before: "A PSF has the value -0.5; all must be finite and at least 0."
TEST(PsfFromKernel, ValuesMayBeNegativeIfTheirSumIsPositive) {
    Image kernel(3, 1, 1, 3.0F);
    kernel.at(0, 0) = kernel.at(0, 2) = -0.5F;
    const Psf psf = psf_from_kernel(kernel);
    EXPECT_FLOAT_EQ(psf.kernel.at(0, 0), -0.25F);
    EXPECT_FLOAT_EQ(psf.kernel.at(0, 1), 1.5F);
}

// The centre of mass of a kernel, with t = 0 on the middle tap.
double centre_of(const Image& k, bool along_x) {
    double sum = 0;
    for (int y = 0; y < k.height; ++y)
        for (int x = 0; x < k.width; ++x)
            sum += double(k.at(y, x)) * (along_x ? x - k.width / 2 : y - k.height / 2);
    return sum;
}

// (B x)(n) is the value at the place n + p: the taps k(t + p) lie around t = -p.
TEST(PsfPhase, MovesEveryPsfByThePhase) {
    for (const char* blur :
         {"none", "gaussian", "gaussian:1.3", "motion:5,30", "disc:2.2", "bicubic"})
        for (const double phase : {0.5, 1.0, 1.5, -0.5, 0.3}) {
            const Psf psf = make_psf({blur}, {3, phase});
            double sum = 0;
            for (const float value : psf.kernel.values)
                sum += double(value);
            EXPECT_NEAR(sum, 1, 1e-5) << blur;
            ASSERT_EQ(psf.kernel.width % 2, 1);
            // Sampled Gaussians, discs and cubics do not keep their centre of mass exactly.
            EXPECT_NEAR(centre_of(psf.kernel, true), -phase, 0.06) << blur << " " << phase;
            EXPECT_NEAR(centre_of(psf.kernel, false), -phase, 0.06) << blur << " " << phase;
        }
}

TEST(PsfPhase, OfWholePixelsMovesTheTapsExactly) {
    for (const char* blur : {"gaussian:1.3", "motion:5,30", "disc:2.2", "bicubic", "none"}) {
        const Image plain = make_psf({blur}, {2, 0}).kernel;
        const Image moved = make_psf({blur}, {2, 1}).kernel;
        const int border = (moved.width - plain.width) / 2;
        for (int y = 0; y < plain.height; ++y)
            for (int x = 0; x < plain.width; ++x)
                EXPECT_NEAR(moved.at(y + border - 1, x + border - 1), plain.at(y, x), 1e-6) << blur;
    }
}

TEST(PsfPhase, OfHalfAPixelTakesKernelsWithACentreBetweenPixels) {
    const Image even(4, 2, 1, 1.0F);
    const Psf psf = psf_from_kernel(even, 0.5);
    ASSERT_EQ(psf.kernel.width, 5);  // t = -2 … 2
    ASSERT_EQ(psf.kernel.height, 3);
    for (int t = -2; t <= 2; ++t)
        EXPECT_FLOAT_EQ(psf.kernel.at(0, t + 2), t < 2 ? 0.125F : 0.0F);
    EXPECT_FLOAT_EQ(psf.kernel.at(2, 2), 0.0F);
}

TEST(PsfPhase, IsRefusedInOneSentence) {
    for (const char* phase : {"middle", "3.5", "-4", "nan", ""}) {
        if (*phase == 0) continue;
        const auto message =
            test::refusal_of(ErrorKind::invalid_option, [&] { sampling_grid({}, {phase}, 3); });
        EXPECT_TRUE(test::mentions(message, "phase")) << message;
    }
    EXPECT_EQ(sampling_grid({"bicubic"}, {}, 4).phase, 1.5);
    EXPECT_EQ(sampling_grid({"bicubic"}, {"corner"}, 4).phase, 0);
    EXPECT_EQ(sampling_grid({"gaussian"}, {}, 4).phase, 0);
    EXPECT_EQ(sampling_grid({"gaussian"}, {"centre"}, 3).phase, 1);
    EXPECT_EQ(sampling_grid({"gaussian"}, {"0.25"}, 3).phase, 0.25);
}

TEST(DiscPsf, PixelsHaveTheAreaThatTheDiscCovers) {
    for (const double radius : {0.3, 0.5, 0.8, 1.0, 1.5, 2.25, 3.7, 6.0}) {
        const Image k = disc_psf(radius).kernel;
        ASSERT_EQ(k.width, k.height);
        EXPECT_EQ(k.width, 2 * int(std::ceil(radius - 0.5)) + 1) << radius;
        EXPECT_NEAR(sum(k), 1, 1e-6);
        // compared with 400 x 400 sample points per pixel
        const double area = std::numbers::pi * radius * radius;
        const int n = k.width / 2;
        for (int y = 0; y <= n; ++y)
            for (int x = 0; x <= n; ++x) {
                int inside = 0;
                for (int j = 0; j < 400; ++j)
                    for (int i = 0; i < 400; ++i)
                        inside += std::hypot(y - 0.5 + (j + 0.5) / 400,
                                             x - 0.5 + (i + 0.5) / 400) <= radius;
                EXPECT_NEAR(k.at(n + y, n + x), inside / 160000.0 / area, 1e-3 / area);
                EXPECT_NEAR(k.at(n - y, n + x), k.at(n + y, n + x), 1e-6);
                EXPECT_NEAR(k.at(n + x, n - y), k.at(n + y, n + x), 1e-6);
            }
    }
    EXPECT_EQ(disc_psf(0.4), identity_psf());
}

TEST(PsfGrid, NodesReachFromBorderToBorder) {
    const PsfGrid grid = PsfGrid(2, 3, std::vector<Psf>(6, identity_psf())).spread_over(101, 51);
    const auto expect = [](PsfGrid::Between b, int first, double part) {
        EXPECT_EQ(b.first, first);
        EXPECT_NEAR(b.part, part, 1e-12);
    };
    expect(grid.across(0), 0, 0);
    expect(grid.across(20), 0, 0.4);
    expect(grid.across(60), 1, 0.2);
    expect(grid.across(100), 1, 1);
    expect(grid.across(-7), 0, 0);
    expect(grid.across(130), 1, 1);
    expect(grid.down(25), 0, 0.5);
    // A part of the image has the matching part of the grid.
    expect(grid.spread_over(101, 51, 20, 10).across(40), 1, 0.2);
    expect(grid.spread_over(101, 51, 20, 10).down(0), 0, 0.2);
    expect(PsfGrid(identity_psf()).spread_over(101, 51).across(70), 0, 0);
}

TEST(MakePsf, RefusesPsfsLargerThanTheImageExceptGaussians) {
    EXPECT_NO_THROW(make_psf_grid({"motion:9,0"}, 2, 11, 3)) << "zeros do not count";
    EXPECT_NO_THROW(make_psf_grid({"gaussian:4"}, 2, 8, 8));
    for (const char* blur : {"motion:30,0", "disc:8"}) {
        const auto message =
            test::refusal_of(ErrorKind::input, [&] { make_psf_grid({blur}, 2, 16, 16); });
        EXPECT_TRUE(test::mentions(message, "larger than the image")) << message;
    }
}

TEST(MakePsf, GaussianAloneFollowsTheScale) {
    for (int scale : {2, 3, 4, 5})
        EXPECT_EQ(make_psf({"gaussian"}, scale),
                  gaussian_psf(std::sqrt(double(scale * scale - 1)) / 4));
    EXPECT_EQ(make_psf({"gaussian"}, 1), identity_psf());
}

TEST(MakePsf, ParsesEveryForm) {
    EXPECT_EQ(make_psf({"none"}, 3), identity_psf());
    EXPECT_EQ(make_psf({"gaussian:1.25"}, 3), gaussian_psf(1.25));
    EXPECT_EQ(make_psf({"motion:9,45"}, 3), motion_psf(9, 45));
    EXPECT_EQ(make_psf({"disc:2.5"}, 3), disc_psf(2.5));
    EXPECT_TRUE(make_psf_grid({"disc:2.5"}, 3) == PsfGrid(disc_psf(2.5)));
    EXPECT_EQ(make_psf({"motion:9.5,-45"}, 3), motion_psf(9.5, -45));
    EXPECT_EQ(identity_psf().kernel, Image(1, 1, 1, 1));
}

TEST(MakePsf, ReadsAKernelFromAFile) {
    Image kernel(5, 3, 1, 0.25F);
    kernel.at(1, 2) = 4;
    const auto file = scratch("kernel.pfm");
    write_pfm(file, kernel);
    EXPECT_EQ(make_psf({"psf:" + file.string()}, 2), psf_from_kernel(kernel));
    std::filesystem::remove(file);
}

TEST(MakePsf, ReadsAPictureAsAKernel) {
    Image kernel(3, 3, 1, 10);
    kernel.at(0, 1) = 200;
    const auto file = scratch("kernel.png");
    write_image(file, kernel);
    const Psf psf = make_psf({"psf:" + file.string()}, 2);
    const Psf expected = psf_from_kernel(kernel);
    ASSERT_TRUE(psf.kernel.same_size(expected.kernel));
    for (std::size_t i = 0; i < kernel.values.size(); ++i)
        EXPECT_NEAR(psf.kernel.values[i], expected.kernel.values[i], 1e-6);
    std::filesystem::remove(file);
}

TEST(MakePsf, RefusesFilesThatAreMissingOrInvalid) {
    EXPECT_NE(refusal("psf:" + scratch("missing.pfm").string(), ErrorKind::input).find("missing"),
              std::string::npos);
    const auto file = scratch("even.pfm");
    write_pfm(file, Image(4, 4, 1, 1));
    EXPECT_NE(refusal("psf:" + file.string(), ErrorKind::input).find("even.pfm"),
              std::string::npos);
    std::filesystem::remove(file);
}

TEST(MakePsf, UnknownTextsAreRefusedWithTheAllowedForms) {
    for (const char* blur : {"",
                             "box",
                             "Gaussian",
                             "gaussian:",
                             "gaussian:x",
                             "gaussian:1x",
                             "gaussian: 1",
                             "gaussian:nan",
                             "gaussian:inf",
                             "gaussian:1,2",
                             "motion",
                             "motion:9",
                             "motion:9,",
                             "motion:,45",
                             "motion:9,45,1",
                             "motion:nan,1",
                             "disc",
                             "disc:x",
                             "psf",
                             "psf:",
                             "none:",
                             "none "}) {
        const std::string message = refusal(blur);
        for (const char* form : {"gaussian:SIGMA", "motion:LENGTH,ANGLE", "psf:FILE", "none"})
            EXPECT_NE(message.find(form), std::string::npos) << message;
    }
}

TEST(MakePsf, InvalidValuesAreRefusedByName) {
    for (const char* blur : {"gaussian:0", "gaussian:-1", "gaussian:1e9"})
        EXPECT_TRUE(test::mentions(refusal(blur), "sigma"));
    for (const char* blur : {"motion:0,10", "motion:-3,10", "motion:1e9,0"})
        EXPECT_TRUE(test::mentions(refusal(blur), "length"));
    for (const char* blur : {"disc:0", "disc:-3", "disc:1e9"})
        EXPECT_TRUE(test::mentions(refusal(blur), "radius"));
    EXPECT_THROW(make_psf({"gaussian"}, 0), Error);
}

}  // namespace
}  // namespace plenosr
