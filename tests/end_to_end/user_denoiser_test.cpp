#include <gtest/gtest.h>

#include <stdexcept>

#include "cases/refusal.h"
#include "cases/scenes.h"
#include "denoise/denoise.h"
#include "plenosr/options.h"

namespace plenosr::test {
namespace {

const DegradedScene& noisy_scene() {
    static const DegradedScene scene =
        degraded_scene({.views = 3, .width = 64, .height = 48, .scale = 2, .gaussian = 10});
    return scene;
}

ReconstructResult reconstructed_by(const DenoiserFunction& function) {
    ReconstructOptions options;
    options.denoiser_function = function;
    return reconstruct_scene(noisy_scene(), options);
}

Image by_bm3d(Image image, double sigma) {
    denoise_bm3d(image.values, image.width, image.height, sigma);
    return image;
}

TEST(UserDenoiser, BlockMatchingAsAFunctionGivesTheBitsOfTheOption) {
    ReconstructOptions options;
    options.denoiser = Denoiser::bm3d;
    const ReconstructResult by_option = reconstruct_scene(noisy_scene(), options);
    const ReconstructResult by_function = reconstructed_by(by_bm3d);
    EXPECT_EQ(by_function.image, by_option.image);
    EXPECT_EQ(by_function.message, by_option.message);
}

TEST(UserDenoiser, IsShownAsAFunctionThatTheProgramDoesNotAccept) {
    ReconstructOptions options;
    options.denoiser_function = by_bm3d;
    options.validate();
    for (const Option<ReconstructOptions>& option : reconstruct_options()) {
        if (option.name != "denoiser") continue;
        EXPECT_EQ(option.show(options), "function");
        ReconstructOptions others;
        const std::string message =
            refusal_of(ErrorKind::invalid_option, [&] { option.set(others, "function"); });
        EXPECT_TRUE(mentions(message, "denoiser = function must be one of")) << message;
    }
}

TEST(UserDenoiser, ItsExceptionsReachTheCaller) {
    EXPECT_THROW(reconstructed_by(
                     [](const Image&, double) -> Image { throw std::out_of_range("of the user"); }),
                 std::out_of_range);
}

TEST(UserDenoiser, ResultsOfAnotherSizeOrNotFiniteAreRefused) {
    const std::string size = refusal_of(ErrorKind::input, [] {
        reconstructed_by([](const Image& image, double) { return crop(image, 10, 5); });
    });
    EXPECT_TRUE(mentions(size, "returned an image of 10x5 pixels")) << size;
    const std::string finite = refusal_of(ErrorKind::input, [] {
        reconstructed_by([](Image image, double) {
            image.values.front() = std::numeric_limits<float>::quiet_NaN();
            return image;
        });
    });
    EXPECT_TRUE(mentions(finite, "not finite")) << finite;
}

}  // namespace
}  // namespace plenosr::test
