#include "plenosr/degrade.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cases/refusal.h"
#include "degrade/counter_random.h"
#include "degrade/poisson.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

DegradeOptions noise(double gaussian, double impulse, std::uint64_t seed = 1) {
    DegradeOptions options;
    options.gaussian = gaussian;
    options.impulse = impulse;
    options.seed = seed;
    return options;
}

struct Statistics {
    double mean = 0, sigma = 0;
};
Statistics statistics(const std::vector<double>& values) {
    Statistics s;
    for (double value : values)
        s.mean += value / double(values.size());
    for (double value : values)
        s.sigma += (value - s.mean) * (value - s.mean) / double(values.size());
    s.sigma = std::sqrt(s.sigma);
    return s;
}

std::vector<double> deviations(const Image& image, double level, int channel = 0) {
    std::vector<double> result;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            result.push_back(image.at(y, x, channel) - level);
    return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const Statistics sa = statistics(a);
    const Statistics sb = statistics(b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - sa.mean) * (b[i] - sb.mean);
    return sum / double(a.size()) / (sa.sigma * sb.sigma);
}

Image colourful(int width, int height) {
    Image image(width, height, 3);
    for (std::size_t i = 0; i < image.values.size(); ++i)
        image.values[i] = float((i * 37 + i / 11) % 256);
    return image;
}

LightField small_light_field() {
    LightField light_field;
    light_field.grid = {0, 0, 2, 3};
    for (int row = 0; row < 2; ++row)
        for (int col = 0; col < 3; ++col)
            light_field.views.push_back({{double(row), double(col)}, colourful(40, 30)});
    return light_field;
}

void expect_refused(const DegradeOptions& options, const char* field) {
    const auto message = test::refusal_of(ErrorKind::invalid_option, [&] { options.validate(); });
    EXPECT_TRUE(test::mentions(message, field)) << message;
}

TEST(Degrade, WithoutNoiseIsTheRoundedBlurredAndDecimatedLuma) {
    const Image view = colourful(41, 33);
    for (int scale : {2, 3, 4, 5})
        for (const char* blur : {"gaussian", "gaussian:1.7", "motion:9,45", "none"}) {
            DegradeOptions options;
            options.scale = scale;
            options.blur = {blur};
            const Image y = degrade(view, {4, 4}, options);
            const Image exact = blur_decimate(luma(view), make_psf(options.blur, scale), scale);
            ASSERT_EQ(y.width, 41 / scale);
            ASSERT_EQ(y.height, 33 / scale);
            ASSERT_EQ(y.channels, 1);
            for (std::size_t i = 0; i < y.values.size(); ++i)
                EXPECT_EQ(y.values[i], std::round(exact.values[i]));
        }
}

// MATLAB's formula, written down once more: sample i lies at z i + (z - 1) / 2, its weights are
// cubic((k - place) / z) over their sum, and indices beyond the border are mirrored.
std::vector<double> reduced_line(const std::vector<double>& line, int z) {
    const auto cubic = [](double t) {
        t = std::abs(t);
        const double t2 = t * t;
        const double t3 = t2 * t;
        return t <= 1 ? 1.5 * t3 - 2.5 * t2 + 1 : t < 2 ? -0.5 * t3 + 2.5 * t2 - 4 * t + 2 : 0.0;
    };
    const int n = int(line.size());
    std::vector<double> result;
    for (int i = 0; i < n / z; ++i) {
        const double place = z * i + (z - 1) / 2.0;
        double sum = 0;
        double weights = 0;
        for (int k = z * i - 3 * z; k <= z * i + 4 * z; ++k) {
            int m = k;
            while (m < 0 || m >= n)
                m = m < 0 ? -1 - m : 2 * n - 1 - m;
            const double w = cubic((k - place) / z);
            sum += w * line[std::size_t(m)];
            weights += w;
        }
        result.push_back(sum / weights);
    }
    return result;
}

TEST(Degrade, BicubicIsTheAntiAliasedReductionOfMatlab) {
    const Image view = luma(colourful(41, 35));
    for (const int z : {2, 3, 4}) {
        const int width = view.width / z * z;
        const int height = view.height / z * z;
        std::vector<std::vector<double>> rows;  // [y][x], reduced along x
        for (int y = 0; y < height; ++y) {
            std::vector<double> line;
            for (int x = 0; x < width; ++x)
                line.push_back(double(view.at(y, x)));
            rows.push_back(reduced_line(line, z));
        }
        DegradeOptions options;
        options.scale = z;
        options.blur = {"bicubic"};
        const Image found = degrade(view, {0, 0}, options);
        ASSERT_EQ(found.width, width / z);
        ASSERT_EQ(found.height, height / z);
        for (int x = 0; x < found.width; ++x) {
            std::vector<double> line;
            for (int y = 0; y < height; ++y)
                line.push_back(rows[std::size_t(y)][std::size_t(x)]);
            const std::vector<double> expected = reduced_line(line, z);
            for (int y = 0; y < found.height; ++y)
                ASSERT_NEAR(found.at(y, x), std::clamp(expected[std::size_t(y)], 0.0, 255.0), 0.501)
                    << "x" << z << " at " << y << "," << x;
        }
    }
}

TEST(Degrade, ConstantsStayConstant) {
    for (const char* blur : {"gaussian", "motion:5.5,20", "none"})
        for (Colour colour : {Colour::luma, Colour::rgb}) {
            DegradeOptions options;
            options.blur = {blur};
            options.colour = colour;
            const Image y = degrade(Image(21, 13, 3, 91), {0, 0}, options);
            EXPECT_EQ(y, Image(10, 6, colour == Colour::luma ? 1 : 3, 91));
        }
}

TEST(Degrade, ValuesAreEightBit) {
    Image view(64, 64, 1, 300.25F);
    view.at(0, 0) = -80;
    for (float value : degrade(view, {0, 0}, noise(40, 5)).values) {
        EXPECT_EQ(value, std::round(value));
        EXPECT_GE(value, 0);
        EXPECT_LE(value, 255);
    }
}

TEST(Degrade, GaussianNoiseHasTheGivenSigma) {
    // With 65536 samples, the standard error of the mean is sigma / 256, that of sigma is sigma /
    // 362.
    for (double sigma : {1.0, 5.0, 20.0}) {
        const auto n = deviations(degrade(Image(512, 512, 1, 128), {2, 3}, noise(sigma, 0)), 128);
        const Statistics s = statistics(n);
        EXPECT_NEAR(s.mean, 0, 4 * sigma / 256);
        EXPECT_NEAR(s.sigma, std::sqrt(sigma * sigma + 1.0 / 12), 4 * sigma / 362);
        double fourth = 0;
        for (double value : n)
            fourth += std::pow(value / s.sigma, 4) / double(n.size());
        EXPECT_NEAR(fourth, 3, 0.15);
    }
}

DegradeOptions photons(double peak, double read_noise, std::uint64_t seed = 1) {
    DegradeOptions options;
    options.poisson = peak;
    options.read_noise = read_noise;
    options.seed = seed;
    return options;
}

TEST(Degrade, PhotonNoiseHasTheMeanAndVarianceOfItsIntensity) {
    // var = t 255 / peak + S^2, plus 1/12 for the rounding; 65536 samples. The cases cover both
    // sampling methods (means below and above 10 photons) and avoid clipping.
    for (const double peak : {30.0, 200.0, 5000.0, 1e6})
        for (const double level : {15.0, 40.0, 90.0}) {
            const double read_noise = 1.5;
            const double variance = level * 255 / peak + read_noise * read_noise + 1.0 / 12;
            const double sigma = std::sqrt(variance);
            if (level < 3.5 * sigma || level * peak / 255 < 4) continue;
            const Image view(512, 512, 1, float(level));
            const Statistics s =
                statistics(deviations(degrade(view, {2, 3}, photons(peak, read_noise)), level));
            // A fraction of about 1e-4 of the samples is clipped at 0, by less than sigma.
            EXPECT_NEAR(s.mean, 0, 4 * sigma / 256 + 1e-3 * sigma) << peak << " " << level;
            EXPECT_NEAR(s.sigma / sigma, 1, 0.016) << peak << " " << level;
        }
}

TEST(Degrade, FewPhotonsHaveThePoissonDistribution) {
    // With 5 photons at white, values are multiples of 51 with Poisson probabilities.
    const double mean = 2;
    const Image y = degrade(Image(512, 512, 1, float(mean * 51)), {0, 0}, photons(5, 0));
    double p = std::exp(-mean);
    for (int k = 0; k <= 4; ++k) {
        const double n = double(y.values.size());
        const double count = double(std::count(y.values.begin(), y.values.end(), float(51 * k)));
        EXPECT_NEAR(count, n * p, 4 * std::sqrt(n * p)) << k;
        p *= mean / (k + 1);
    }
    for (const float value : y.values)
        EXPECT_EQ(std::fmod(value, 51.0F), 0.0F);
}

TEST(Degrade, ManyPhotonsHaveThePoissonDistribution) {
    // Mean 20 uses rejection. Checks the counts of 10 to 30 and the third moment, which is the
    // mean.
    const double mean = 20;
    const CounterRandom random(3, {0, 0});
    std::vector<double> counts(60, 0);
    double third = 0;
    constexpr int n = 200000;
    for (int i = 0; i < n; ++i) {
        const double k = poisson_variable(
            mean, [&](unsigned draw) { return random.uniform_of_poisson(0, i, 0, draw); });
        ASSERT_GE(k, 0);
        ASSERT_LT(k, 60);
        ++counts[std::size_t(k)];
        third += std::pow(k - mean, 3) / n;
    }
    for (int k = 10; k <= 30; ++k) {
        const double p = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
        EXPECT_NEAR(counts[std::size_t(k)], n * p, 4.5 * std::sqrt(n * p)) << k;
    }
    EXPECT_NEAR(third, mean, 4 * std::sqrt(15 * std::pow(mean, 3) / n));
}

TEST(Degrade, PhotonNoiseIsReproducibleAndBlackStaysBlack) {
    const Image view(64, 64, 1, 100);
    EXPECT_EQ(degrade(view, {1, 2}, photons(30, 2)), degrade(view, {1, 2}, photons(30, 2)));
    EXPECT_NE(degrade(view, {1, 2}, photons(30, 2, 5)), degrade(view, {1, 2}, photons(30, 2)));
    EXPECT_NE(degrade(view, {2, 1}, photons(30, 2)), degrade(view, {1, 2}, photons(30, 2)));
    EXPECT_EQ(degrade(Image(64, 64), {0, 0}, photons(30, 0)), Image(32, 32));
    EXPECT_EQ(degrade(Image(64, 64, 1, -3), {0, 0}, photons(30, 0)), Image(32, 32));
    const Image eight = degrade(view, {1, 2}, photons(30, 2));
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(degrade(view, {1, 2}, photons(30, 2)), eight);
}

TEST(Degrade, ImpulsesHaveTheGivenFractionAndAreBalanced) {
    for (double percent : {1.0, 5.0, 20.0}) {
        const Image y = degrade(Image(512, 512, 1, 128), {0, 1}, noise(0, percent));
        double black = 0, white = 0;
        for (float value : y.values) {
            black += value == 0;
            white += value == 255;
            EXPECT_TRUE(value == 0 || value == 128 || value == 255);
        }
        const double p = percent / 100;
        const double count = double(y.values.size());
        EXPECT_NEAR(black + white, count * p, 4 * std::sqrt(count * p * (1 - p)));
        EXPECT_NEAR(black - white, 0, 4 * std::sqrt(count * p));
    }
}

TEST(Degrade, ImpulsesAtHundredAndZeroPercent) {
    for (float value : degrade(Image(64, 64, 1, 128), {0, 0}, noise(0, 100)).values)
        EXPECT_TRUE(value == 0 || value == 255);
    EXPECT_EQ(degrade(Image(64, 64, 1, 128), {0, 0}, noise(0, 0)), Image(32, 32, 1, 128));
}

TEST(Degrade, ImpulsesAreIndependentOfGaussianNoise) {
    const Image view(256, 256, 1, 128);
    const Image gaussian = degrade(view, {0, 0}, noise(10, 0));
    const Image both = degrade(view, {0, 0}, noise(10, 10));
    const Image impulses = degrade(view, {0, 0}, noise(0, 10));
    for (std::size_t i = 0; i < both.values.size(); ++i)
        EXPECT_EQ(both.values[i],
                  impulses.values[i] == 128 ? gaussian.values[i] : impulses.values[i]);
}

TEST(Degrade, ColourHasNoisePerChannelAndImpulsesOnWholePixels) {
    DegradeOptions options = noise(10, 0);
    options.colour = Colour::rgb;
    const Image view(256, 256, 3, 128);
    const Image y = degrade(view, {0, 0}, options);
    ASSERT_EQ(y.channels, 3);
    EXPECT_NEAR(correlation(deviations(y, 128, 0), deviations(y, 128, 1)), 0, 4.0 / 128);
    EXPECT_NEAR(correlation(deviations(y, 128, 1), deviations(y, 128, 2)), 0, 4.0 / 128);

    options.gaussian = 0;
    options.impulse = 30;
    const Image hit = degrade(view, {0, 0}, options);
    for (int row = 0; row < hit.height; ++row)
        for (int col = 0; col < hit.width; ++col) {
            EXPECT_EQ(hit.at(row, col, 0), hit.at(row, col, 1));
            EXPECT_EQ(hit.at(row, col, 0), hit.at(row, col, 2));
        }
}

TEST(Degrade, NoiseIsIndependentBetweenViewsPixelsAndSeeds) {
    const Image view(256, 256, 1, 128);
    const auto n = deviations(degrade(view, {4, 4}, noise(20, 0, 7)), 128);
    const double bound = 4.0 / 128;
    for (ViewPosition other : {ViewPosition{4, 5}, {5, 4}, {-4, 4}, {4.5, 4}, {0, 0}})
        EXPECT_NEAR(correlation(n, deviations(degrade(view, other, noise(20, 0, 7)), 128)), 0,
                    bound);
    for (std::uint64_t seed : {0, 1, 6, 8})
        EXPECT_NEAR(correlation(n, deviations(degrade(view, {4, 4}, noise(20, 0, seed)), 128)), 0,
                    bound);
    for (std::size_t lag : {1, 2, 127, 128, 129})
        EXPECT_NEAR(correlation({n.begin() + long(lag), n.end()}, {n.begin(), n.end() - long(lag)}),
                    0, bound);
}

TEST(Degrade, NoiseDistinguishesRowAndColumn) {
    const Image view(64, 64, 1, 128);
    EXPECT_NE(degrade(view, {1, 2}, noise(20, 5)), degrade(view, {2, 1}, noise(20, 5)));
    EXPECT_EQ(degrade(view, {0, -0.0}, noise(20, 5)), degrade(view, {-0.0, 0}, noise(20, 5)));
}

TEST(Degrade, NoiseDependsNeitherOnTheOtherViewsNorOnTheThreads) {
    LightField light_field = small_light_field();
    const LightField all = degrade(light_field, noise(20, 5));
    ASSERT_EQ(all.views.size(), 6U);
    EXPECT_EQ(all.grid, light_field.grid);
    for (std::size_t i = 0; i < all.views.size(); ++i) {
        EXPECT_EQ(all.views[i].position, light_field.views[i].position);
        EXPECT_EQ(all.views[i].image,
                  degrade(light_field.views[i].image, light_field.views[i].position, noise(20, 5)));
    }
    const View last = light_field.views.back();
    light_field.views = {last};
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(degrade(light_field, noise(20, 5)).views[0].image, all.views.back().image);
}

TEST(Degrade, NoiseOfAPixelDoesNotDependOnTheSizeOfTheView) {
    const Image large = degrade(Image(60, 50, 1, 128), {1, 1}, noise(20, 5));
    const Image small = degrade(Image(32, 20, 1, 128), {1, 1}, noise(20, 5));
    for (int y = 0; y < small.height; ++y)
        for (int x = 0; x < small.width; ++x)
            EXPECT_EQ(small.at(y, x), large.at(y, x));
}

TEST(Degrade, ProgressCountsViewsAndCancelThrows) {
    std::vector<int> steps;
    degrade(small_light_field(), noise(0, 0), [&](const ProgressEvent& event) {
        EXPECT_EQ(event.steps, 6);
        steps.push_back(event.step);
        return true;
    });
    EXPECT_EQ(steps, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
    try {
        degrade(small_light_field(), noise(0, 0),
                [](const ProgressEvent& event) { return event.step < 2; });
        FAIL() << "not cancelled";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

TEST(Degrade, InvalidOptionsAreRefusedByName) {
    DegradeOptions options;
    for (int scale : {-1, 0, 1, 1000}) {
        options.scale = scale;
        expect_refused(options, "scale");
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (double sigma : {-0.1, nan, infinity})
        expect_refused(noise(sigma, 0), "gaussian");
    for (double percent : {-1.0, 100.5, nan})
        expect_refused(noise(0, percent), "impulse");
    EXPECT_THROW(degrade(Image(16, 16), {0, 0}, noise(-1, 0)), Error);
    for (double peak : {-1.0, nan, infinity, 1e10})
        expect_refused(photons(peak, 0), "poisson");
    for (double sigma : {-0.1, nan, infinity})
        expect_refused(photons(30, sigma), "read-noise");
    expect_refused(photons(0, 2), "read-noise");
    options = photons(30, 2);
    options.gaussian = 1;
    expect_refused(options, "gaussian");
}

TEST(Degrade, RefusesViewsSmallerThanTheScaleAndEmptyLightFields) {
    DegradeOptions options;
    options.scale = 4;
    EXPECT_THROW(degrade(Image(3, 8), {0, 0}, options), Error);
    EXPECT_THROW(degrade(Image(), {0, 0}, options), Error);
    EXPECT_THROW(degrade(LightField(), options), Error);
    EXPECT_EQ(degrade(Image(4, 4), {0, 0}, options).pixels(), 1U);
}

}  // namespace
}  // namespace plenosr
