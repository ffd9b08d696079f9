#include "frames/lambda_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/random_values.h"
#include "frames/photo.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

// Noise in which each value is the mean of (2 radius + 1)^2 random values.
Image grain(int width, int height, int radius, float strength, std::uint64_t seed) {
    test::RandomValues random(seed);
    const Image white = random.image(width + 2 * radius, height + 2 * radius, 1, -1, 1);
    Image result(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int j = 0; j <= 2 * radius; ++j)
                for (int i = 0; i <= 2 * radius; ++i)
                    sum += white.at(y + j, x + i);
            result.at(y, x) = strength * sum / float(2 * radius + 1);
        }
    return result;
}

double correlation_of(const Image& residuals, float level = 128) {
    Image fine = residuals;
    for (float& value : fine.values)
        value += level;
    const auto shifts = grid_shifts(2);
    std::vector<Image> frames;
    for (const Place& shift : shifts) {
        Image frame(fine.width / 2, fine.height / 2);
        for (int y = 0; y < frame.height; ++y)
            for (int x = 0; x < frame.width; ++x)
                frame.at(y, x) = fine.at(2 * y + int(2 * shift.y), 2 * x + int(2 * shift.x));
        frames.push_back(frame);
    }
    Correlation correlation;
    add_residuals(frames, test::motions_of(shifts), 2, Image(fine.width, fine.height, 1, level),
                  value_limits(frames), correlation);
    return correlation.value();
}

TEST(LambdaTrial, NoiseIsUncorrelatedAndLostDetailIsCorrelated) {
    EXPECT_NEAR(correlation_of(grain(200, 160, 0, 5, 1)), 0, 0.01);
    EXPECT_NEAR(correlation_of(grain(200, 160, 1, 5, 2)), 2.0 / 3, 0.02);  // of means of 3 x 3
    EXPECT_EQ(correlation_of(Image(8, 8)), 0);                             // no residuals
}

TEST(LambdaTrial, UsesSamplesAbove255OfHdrFrames) {
    EXPECT_NEAR(correlation_of(grain(200, 160, 1, 5, 2), 1500), 2.0 / 3, 0.05);
}

// Frames of a grey ramp, with or without fine texture.
struct Frames {
    Image truth{741, 723};
    std::vector<Image> images;
    std::vector<FrameReport> reports;

    explicit Frames(float strength) {
        const Image texture = grain(truth.width, truth.height, 1, strength, 3);
        for (int y = 0; y < truth.height; ++y)
            for (int x = 0; x < truth.width; ++x)
                truth.at(y, x) =
                    float(120 + 50 * std::sin(0.01 * x) * std::cos(0.012 * y)) + texture.at(y, x);
        const auto shifts = grid_shifts(3);
        images = test::images_of(degrade_frames(truth, shifts, test::degradation(3, 1)));
        for (const FrameMotion& motion : test::motions_of(shifts))
            reports.emplace_back().motion = motion;
    }
    ReconstructResult solved(std::optional<double> lambda = {},
                             Denoiser denoiser = Denoiser::automatic) const {
        ReconstructOptions options;
        options.scale = 3;
        options.lambda = lambda;
        options.denoiser = denoiser;
        return reconstruct_frames(images, reports, {}, options);
    }
    double psnr(const Image& image) const {
        QualityOptions quality;
        quality.border = 6;
        return compare(image, truth, quality).psnr;
    }
};

bool tried_less(const ReconstructResult& result) {
    return std::ranges::any_of(result.explanation, [](const std::string& line) {
        return line.find("of the usual value") != std::string::npos;
    });
}

TEST(LambdaTrial, KeepsFineTextureAllOverTheImage) {
    const Frames grainy(6);
    for (const Denoiser denoiser : {Denoiser::automatic, Denoiser::none}) {
        const ReconstructResult result = grainy.solved({}, denoiser);
        const ReconstructResult less = grainy.solved(0.5 * *result.chosen.lambda, denoiser);
        EXPECT_FALSE(tried_less(less));  // a given lambda is kept
        EXPECT_GT(grainy.psnr(result.image), grainy.psnr(less.image) - 0.407 - 0.1);
    }
    EXPECT_FALSE(tried_less(Frames(0).solved()));
}

// Enough pixels for a trial, but too narrow for its windows.
TEST(LambdaTrial, SkipsTheTrialForANarrowStrip) {
    const Image truth = test::photo(8800, 60);
    const auto shifts = grid_shifts(2);
    const auto frames = test::images_of(degrade_frames(truth, shifts, test::degradation(2, 1)));
    std::vector<FrameReport> reports;
    for (const FrameMotion& motion : test::motions_of(shifts))
        reports.emplace_back().motion = motion;
    ReconstructOptions options;
    options.scale = 2;
    options.denoiser = Denoiser::none;
    const ReconstructResult result = reconstruct_frames(frames, reports, {}, options);
    EXPECT_EQ(result.image.width, 8800);
    EXPECT_FALSE(tried_less(result));
}

}  // namespace
}  // namespace plenosr
