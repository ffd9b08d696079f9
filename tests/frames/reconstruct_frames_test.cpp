#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "frames/photo.h"
#include "light_field/smooth.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

struct Set {
    Image truth;
    std::vector<Place> shifts;
    std::vector<Image> frames;
    std::vector<FrameMotion> motions;

    Set(int scale, double gaussian, double impulse = 0, int width = 132, int height = 108)
        : truth(test::photo(width, height)),
          shifts(grid_shifts(scale)),
          frames(test::images_of(
              degrade_frames(truth, shifts, test::degradation(scale, gaussian, impulse)))),
          motions(test::motions_of(shifts)) {}
};

ReconstructOptions solving(int scale) {
    ReconstructOptions options;
    options.scale = scale;
    return options;
}

std::vector<FrameReport> known(const std::vector<FrameMotion>& motions) {
    std::vector<FrameReport> reports(motions.size());
    for (std::size_t k = 0; k < motions.size(); ++k)
        reports[k].motion = motions[k];
    return reports;
}

double largest_difference(const Image& a, const Image& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        largest = std::max(largest, double(std::abs(a.values[i] - b.values[i])));
    return largest;
}

double psnr(const Image& image, const Image& truth) {
    QualityOptions quality;
    quality.border = 6;
    return compare(image, truth, quality).psnr;
}

constexpr double margin = 0.2;  // dB below a measured value

TEST(ReconstructFrames, IsBetterThanInterpolation) {
    struct Gain {
        int scale;
        double automatic;  // dB over interpolation
        double paper;
    };
    for (const auto& [scale, automatic, of_paper] :
         {Gain{2, 14.830, 14.962}, Gain{3, 12.390, 12.809}}) {
        const Set set(scale, 1);
        const double interpolated =
            psnr(interpolate_frames(set.frames, set.motions, 0, scale), set.truth);
        ReconstructOptions options = solving(scale);
        EXPECT_GE(
            psnr(reconstruct_frames(set.frames, known(set.motions), {}, options).image, set.truth),
            interpolated + automatic - margin)
            << scale;
        options.data = DataTerm::l1;
        options.prior = Prior::btv;
        const ReconstructResult paper =
            reconstruct_frames(set.frames, known(set.motions), {}, options);
        EXPECT_GE(psnr(paper.image, set.truth), interpolated + of_paper - margin) << scale;
        EXPECT_EQ(paper.tiles.normal, "periodic");
    }
}

// With one sample per pixel the plain l1 follows every sample.
TEST(ReconstructFrames, L1DoesNotAmplifyNoiseInASmoothPicture) {
    Image truth(160, 128);
    for (int y = 0; y < truth.height; ++y)
        for (int x = 0; x < truth.width; ++x)
            truth.at(y, x) = float(120 + 60 * std::sin(0.06 * x) * std::cos(0.05 * y));
    const auto shifts = grid_shifts(2);
    const auto frames = test::images_of(degrade_frames(truth, shifts, test::degradation(2, 1)));
    const auto motions = test::motions_of(shifts);
    ReconstructOptions options = solving(2);
    options.data = DataTerm::l1;
    options.prior = Prior::btv;
    options.self_check = false;  // the enlarged reference alone is better here
    const double interpolated = psnr(interpolate_frames(frames, motions, 0, 2), truth);
    const auto rounded = reconstruct_frames(frames, known(motions), {}, options);
    EXPECT_GE(psnr(rounded.image, truth), interpolated + 0.686 - margin);
    EXPECT_EQ(rounded.chosen.data, DataTerm::huber);
    EXPECT_EQ(rounded.notes.size(), 1U);
    options.lambda = 0.01;
    const auto plain = reconstruct_frames(frames, known(motions), {}, options);
    EXPECT_EQ(plain.chosen.data, DataTerm::l1);
    EXPECT_LE(psnr(plain.image, truth), interpolated - 2.335 + margin);
}

// A set of shifted frames is a light field of a flat scene of disparity 1.
TEST(ReconstructFrames, AgreesWithTheLightFieldOfAFlatScene) {
    const Set set(2, 1);
    LightField flat;
    for (std::size_t k = 0; k < set.frames.size(); ++k)
        flat.views.push_back({{set.shifts[k].y, set.shifts[k].x}, set.frames[k]});
    flat.grid = {0, 0, 2, 2};
    ReconstructOptions options = solving(2);
    options.data = DataTerm::l1;
    options.prior = Prior::btv;
    options.lambda = 0.05;
    options.data_threshold = 20;  // the automatic value differs
    options.iterations = 6;
    const Image map(set.frames[0].width, set.frames[0].height, 1, 1.0F);
    const Image expected = reconstruct(flat, {0, 0}, map, options).image;
    const Image found = reconstruct_frames(set.frames, known(set.motions), {}, options).image;
    // The splat treats samples at the border differently.
    EXPECT_GE(psnr(found, expected), 90);
}

TEST(ReconstructFrames, ADisplacementPerPixelAgreesWithTheShift) {
    const Set set(2, 2);
    auto moved = known(set.motions);
    for (std::size_t k = 1; k < moved.size(); ++k) {
        FrameMotion& motion = moved[k].motion;
        motion.flow = Image(set.frames[k].width, set.frames[k].height, 2);
        for (std::size_t i = 0; i < motion.flow.pixels(); ++i) {
            motion.flow.values[2 * i] = float(motion.matrix[2]);
            motion.flow.values[2 * i + 1] = float(motion.matrix[5]);
        }
        motion.matrix = FrameMotion().matrix;
    }
    ReconstructOptions options = solving(2);
    options.iterations = 5;
    const auto a = reconstruct_frames(set.frames, known(set.motions), {}, options);
    const auto b = reconstruct_frames(set.frames, moved, {}, options);
    EXPECT_EQ(a.tiles.normal, "periodic");
    EXPECT_NE(b.tiles.normal, "periodic");
    EXPECT_LE(largest_difference(a.image, b.image), 1e-3);
}

TEST(ReconstructFrames, TilesAgreeWithTheUntiledResult) {
    const Set set(2, 1, 0, 260, 220);
    ReconstructOptions options = solving(2);
    options.data = DataTerm::l1;
    options.prior = Prior::btv;
    options.lambda = 0.05;
    const auto whole = reconstruct_frames(set.frames, known(set.motions), {}, options);
    options.memory_limit = std::size_t(4) << 20;
    const auto tiled = reconstruct_frames(set.frames, known(set.motions), {}, options);
    EXPECT_GT(tiled.tiles.count, 1);
    EXPECT_LE(tiled.memory_peak, options.memory_limit);
    EXPECT_LE(largest_difference(whole.image, tiled.image), 0.4);
}

TEST(ReconstructFrames, EstimatedShiftsCostLittle) {
    // A blur that leaves little aliasing, like that of a lens. Without it errors of hundredths of
    // a pixel matter.
    Set set(2, 2, 0, 240, 200);
    DegradeOptions blurred = test::degradation(2, 2);
    blurred.blur.text = "gaussian:1";
    set.frames = test::images_of(degrade_frames(set.truth, set.shifts, blurred));
    ReconstructOptions options = solving(2);
    options.blur = blurred.blur;
    const double exact =
        psnr(reconstruct_frames(set.frames, known(set.motions), {}, options).image, set.truth);
    const auto found = register_frames(set.frames, {});
    EXPECT_GE(psnr(reconstruct_frames(set.frames, found, {}, options).image, set.truth),
              exact - 0.041 - 0.1);
}

TEST(ReconstructFrames, AnOutlierFrameHardlyChangesTheResult) {
    Set set(2, 1, 0, 200, 160);
    const ReconstructOptions options = solving(2);
    const double without_it = psnr(
        reconstruct_frames({set.frames[0], set.frames[1], set.frames[3]},
                           known({set.motions[0], set.motions[1], set.motions[3]}), {}, options)
            .image,
        set.truth);
    set.frames[2] = degrade(test::photo(200, 160, "discs"), {}, test::degradation(2, 1));
    const auto reports = examine_frames(set.frames, set.motions, {});
    EXPECT_GE(psnr(reconstruct_frames(set.frames, reports, {}, options).image, set.truth),
              without_it - 0.066 - 0.1);
}

TEST(ReconstructFrames, PhotometricOptionCompensatesExposure) {
    Set set(2, 1, 0, 200, 160);
    for (float& value : set.frames[1].values)
        value = (value - 20.0F) / 1.2F;
    const auto reports = examine_frames(set.frames, set.motions, {});
    for (std::size_t k = 0; k < reports.size(); ++k)
        EXPECT_EQ(reports[k].equalised, k == 1) << k;
    const ReconstructOptions options = solving(2);
    for (const Photometric photometric : {Photometric::automatic, Photometric::on}) {
        FramesOptions given;
        given.photometric = photometric;
        EXPECT_GE(psnr(reconstruct_frames(set.frames, reports, given, options).image, set.truth),
                  44.861 - margin);
    }
    FramesOptions off;
    off.photometric = Photometric::off;
    EXPECT_LE(psnr(reconstruct_frames(set.frames, reports, off, options).image, set.truth), 30);
}

// A disc of another picture moves over the photo, or nothing moves.
struct MovingDisc {
    Image truth;
    Image region = Image(240, 200);  // where the disc is in some frame
    std::vector<Image> frames;
    std::vector<FrameReport> reports;

    // As sharp as a lens shows them.
    MovingDisc(std::size_t count, double step)
        : MovingDisc(count, step, smoothed(test::photo(240, 200), 0.8),
                     smoothed(test::photo(240, 200, "discs"), 0.8), 1) {}
    MovingDisc(std::size_t count, double step, const Image& photo, const Image& other,
               double noise) {
        const std::vector<Place> all = {{0, 0},     {0.5, 0},    {0, 0.5},
                                        {0.5, 0.5}, {0.3, 0.7},  {-0.3, 0.2},
                                        {0.8, 0.1}, {0.2, -0.4}, {0.6, 0.8}};
        const std::vector<Place> shifts(all.begin(), all.begin() + std::ptrdiff_t(count));
        for (std::size_t k = 0; k < count; ++k) {
            Image scene = photo;
            for (int y = 0; y < scene.height; ++y)
                for (int x = 0; x < scene.width; ++x)
                    if (std::hypot(x - 90 - step * double(k), y - 90) < 24 && step > 0) {
                        scene.at(y, x) = other.at(y, x - int(step * double(k)));
                        region.at(y, x) = 1;
                    }
            if (k == 0) truth = scene;
            frames.push_back(degrade_frames(scene, {shifts[k]}, test::degradation(2, noise))
                                 .views.front()
                                 .image);
        }
        reports = known(test::motions_of(shifts));
    }
    double psnr_in_region(const Image& image) const {
        double sum = 0;
        double count = 0;
        for (std::size_t i = 0; i < truth.values.size(); ++i)
            if (region.values[i] > 0.0F) {
                sum += std::pow(double(image.values[i] - truth.values[i]), 2);
                ++count;
            }
        return 10 * std::log10(255 * 255 * count / sum);
    }
};

TEST(ReconstructFrames, MovingThingsKeepTheReferencesLook) {
    for (const std::size_t count : {5U, 9U}) {
        MovingDisc set(count, 6);
        const ReconstructOptions options = solving(2);
        const auto psnr_now = [&] {
            return set.psnr_in_region(
                reconstruct_frames(set.frames, set.reports, {}, options).image);
        };
        const double bicubic = set.psnr_in_region(enlarge_view(set.frames[0], 2));
        EXPECT_LE(psnr_now(), bicubic - 2) << count;
        const Image mask = weigh_by_motion(set.frames, set.reports, {}, options);
        EXPECT_GE(psnr_now(), bicubic - 0.3) << count;
        EXPECT_EQ(mask.at(80, 20), 0.0F) << count;
    }
}

TEST(ReconstructFrames, MovingThingsAreFoundInStrongNoise) {
    MovingDisc set(9, 6, Image(240, 200, 1, 100.0F), Image(240, 200, 1, 150.0F), 20);
    const ReconstructOptions options = solving(2);
    const double bicubic = set.psnr_in_region(enlarge_view(set.frames[0], 2));
    weigh_by_motion(set.frames, set.reports, {}, options);
    EXPECT_GE(set.psnr_in_region(reconstruct_frames(set.frames, set.reports, {}, options).image),
              bicubic - 0.3);
}

// A fence whose pickets the frames cannot resolve, registered with errors of 0.02 pixels.
TEST(ReconstructFrames, AliasesAreNotMotion) {
    Image photo = smoothed(test::photo(240, 200), 0.8);
    for (int y = 60; y < 140; ++y)
        for (int x = 40; x < 200; ++x)
            photo.at(y, x) = float(128 + 90 * std::sin(2.6 * x + 0.05 * y));
    const std::vector<Place> shifts = {{0, 0},      {0.45, 0.42}, {-0.1, 0.69},
                                       {0.79, 0.8}, {0.52, 0.04}, {-0.24, 0.41},
                                       {0.29, 0.4}, {0.2, 0.33},  {-0.32, 0.34}};
    const std::vector<Image> frames =
        test::images_of(degrade_frames(photo, shifts, test::degradation(2, 0)));
    std::vector<FrameReport> reports = known(test::motions_of(shifts));
    for (std::size_t k = 1; k < reports.size(); ++k)
        reports[k].motion.matrix[2] += k % 3 == 0 ? -0.02 : 0.02;
    const auto psnr_now = [&] {
        return psnr(reconstruct_frames(frames, reports, {}, solving(2)).image, photo);
    };
    const double all_samples = psnr_now();
    weigh_by_motion(frames, reports, {}, solving(2));
    EXPECT_GE(psnr_now(), all_samples - 0.1);
}

// Motion is looked for before the blur is estimated.
TEST(ReconstructFrames, MotionIsFoundIfTheBlurIsEstimated) {
    MovingDisc given(9, 6);
    MovingDisc estimated(9, 6);
    ReconstructOptions options = solving(2);
    const Image mask = weigh_by_motion(given.frames, given.reports, {}, options);
    options.blur.text = "auto";
    EXPECT_EQ(weigh_by_motion(estimated.frames, estimated.reports, {}, options), mask);
    EXPECT_GT(*std::max_element(mask.values.begin(), mask.values.end()), 0.0F);
}

TEST(ReconstructFrames, AStillSceneKeepsAllSamples) {
    for (const std::size_t count : {5U, 9U}) {
        MovingDisc set(count, 0);
        const Image mask = weigh_by_motion(set.frames, set.reports, {}, solving(2));
        for (const FrameReport& r : set.reports)
            EXPECT_TRUE(r.weights.empty()) << count;
        EXPECT_EQ(mask, Image(120, 100)) << count;
    }
}

TEST(ReconstructFrames, DoesNotDependOnTheThreadCount) {
    const Set set(3, 3, 1);
    ReconstructOptions options = solving(3);
    options.iterations = 3;
    options.threads = 1;
    const Image one = reconstruct_frames(set.frames, known(set.motions), {}, options).image;
    options.threads = 3;
    EXPECT_EQ(reconstruct_frames(set.frames, known(set.motions), {}, options).image, one);
}

TEST(ReconstructFrames, AcceptsOneFrameAndRejectsTheChain) {
    const Set set(2, 1);
    ReconstructOptions options = solving(2);
    EXPECT_GE(psnr(reconstruct_frames({set.frames[0]}, known({FrameMotion()}), {}, options).image,
                   set.truth),
              psnr(enlarge_view(set.frames[0], 2), set.truth) + 0.018 - 0.1);
    options.operator_form = OperatorForm::chain;
    EXPECT_THROW(reconstruct_frames(set.frames, known(set.motions), {}, options), Error);
    EXPECT_THROW(reconstruct_frames(set.frames, known({}), {}, solving(2)), Error);
}

}  // namespace
}  // namespace plenosr
