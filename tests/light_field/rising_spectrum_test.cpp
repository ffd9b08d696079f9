// Pictures that were sharpened too far.
#include "light_field/rising_spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace plenosr {
namespace {

constexpr int scale = 2;
constexpr int size = 320;

// Waves in all directions whose amplitude falls with the frequency, as in natural pictures, times
// gain(cycles per pixel); pixels lie `step` apart.
template <class Gain>
Image waves(int width, int step, const Gain& gain) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    Image image(width, width, 1, 128);
    for (int n = 0; n < 300; ++n) {
        const double f = 0.02 * std::pow(0.45 / 0.02, uniform(random));
        const double angle = 2 * std::numbers::pi * uniform(random);
        const double phase = 2 * std::numbers::pi * uniform(random);
        const double amplitude = 0.2 / f * gain(f);
        for (int y = 0; y < width; ++y)
            for (int x = 0; x < width; ++x)
                image.at(y, x) +=
                    float(amplitude * std::cos(2 * std::numbers::pi * f * step *
                                                   (std::cos(angle) * x + std::sin(angle) * y) +
                                               phase));
    }
    return image;
}

// A Gaussian blur: what a camera with that lens sees.
double blurred(double f, double sigma) {
    const double q = 2 * std::numbers::pi * f * sigma;
    return std::exp(-q * q / 2);
}

TEST(RisingSpectrum, NaturalPicturesFall) {
    const Image seen = waves(size / scale, scale, [](double f) { return blurred(f, 0.7); });
    const Image truth = waves(size, 1, [](double) { return 1.0; });
    const SpectrumVotes votes = rising_spectrum(truth, seen, scale);
    EXPECT_EQ(votes.windows, 25);
    EXPECT_LE(votes.rising, 3);
    EXPECT_FALSE(votes.is_significant());
}

TEST(RisingSpectrum, FindsABlurThatWasRemovedThoughItWasNotThere) {
    const Image seen = waves(size / scale, scale, [](double f) { return blurred(f, 0.43); });
    const Image ringing = waves(size, 1, [](double f) {
        return f < 0.35 ? blurred(f, 0.43) / blurred(f, 1.4)
                        : 0.1;  // the prior keeps the rest down
    });
    EXPECT_TRUE(rising_spectrum(ringing, seen, scale).is_significant());
}

TEST(RisingSpectrum, PatternsOfTheReferenceAndPicturesWithoutTextureHaveNoVote) {
    const auto pattern = [](double f) { return f > 0.2 && f < 0.25 ? 20.0 : 1.0; };
    const SpectrumVotes cloth =
        rising_spectrum(waves(size, 1, pattern), waves(size / scale, scale, pattern), scale);
    EXPECT_FALSE(cloth.is_significant());
    EXPECT_LE(cloth.windows, 5);
    const SpectrumVotes flat =
        rising_spectrum(Image(size, size, 1, 50), Image(size / scale, size / scale, 1, 50), scale);
    EXPECT_EQ(flat.windows, 0);
    EXPECT_FALSE(flat.is_significant());
}

}  // namespace
}  // namespace plenosr
