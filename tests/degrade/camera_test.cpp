#include "plenosr/camera.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/refusal.h"
#include "degrade/demosaic.h"
#include "degrade/displace_view.h"
#include "io/jpeg.h"
#include "plenosr/degrade.h"
#include "plenosr/frames.h"
#include "plenosr/metrics.h"
#include "plenosr/options.h"
#include "plenosr/synth.h"

namespace plenosr {
namespace {

const CameraRig rig{{2, 2}, std::sqrt(8.0)};  // of 5x5 views

DegradeOptions camera(const std::vector<std::pair<std::string, std::string>>& values) {
    DegradeOptions options;
    for (const auto& [name, value] : values)
        for (const auto& option : degrade_options())
            if (option.name == name) option.set(options, value);
    return options;
}

Image textured(int width, int height, int channels) {
    Image image(width, height, channels);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                image.at(y, x, c) = float(128 + 60 * std::sin(0.31 * x + 0.7 * c) +
                                          45 * std::cos(0.23 * y - 0.11 * x * (c + 1)));
    return image;
}

double rms(const Image& a, const Image& b, int border = 0) {
    double sum = 0;
    std::size_t count = 0;
    for (int y = border; y < a.height - border; ++y)
        for (int x = border; x < a.width - border; ++x)
            for (int c = 0; c < a.channels; ++c, ++count)
                sum += std::pow(double(a.at(y, x, c)) - b.at(y, x, c), 2);
    return std::sqrt(sum / double(count));
}

double mean(const Image& image) {
    double sum = 0;
    for (const float value : image.values)
        sum += value;
    return sum / double(image.values.size());
}

// ---- optics -------------------------------------------------------------------------------------

TEST(Camera, ThePsfHasTheWidthOfThePixelAndTheLens) {
    // The variances of a box and a Gaussian add up. Sampling at whole pixels changes the second
    // moment by less than 1 % for lenses of at least 0.5 pixels.
    for (const int scale : {2, 3, 4})
        for (const double lens : {0.5, 0.7, 1.0, 1.3}) {
            const Image k = make_psf({fmt::format("box:{}", lens)}, scale).kernel;
            double sum = 0, moment = 0;
            for (int y = 0; y < k.height; ++y)
                for (int x = 0; x < k.width; ++x) {
                    sum += k.at(y, x);
                    moment += k.at(y, x) * std::pow(x - k.width / 2, 2);
                }
            EXPECT_NEAR(sum, 1, 1e-5);
            const double expected = scale * scale / 12.0 + lens * lens;
            EXPECT_NEAR(moment / expected, 1, 0.02) << scale << " " << lens;
        }
    const Image box = make_psf({"box:0"}, 3).kernel;  // radius 2
    for (int y = 0; y < box.height; ++y)
        for (int x = 0; x < box.width; ++x) {
            const bool inside =
                std::abs(y - box.height / 2) <= 1 && std::abs(x - box.width / 2) <= 1;
            EXPECT_NEAR(box.at(y, x), inside ? 1.0 / 9 : 0.0, 1e-6);
        }
}

TEST(Camera, AnEdgeIsSpreadByTheLens) {
    // The step response has the standard deviation of the PSF: its slope is the PSF.
    for (const double lens : {0.6, 1.2}) {
        // Each row of the picture has the edge one high-resolution pixel further.
        const int scale = 2;
        double moment = 0, sum = 0;
        std::vector<double> response;
        for (int edge = 60; edge < 62; ++edge) {
            Image step(120, 8);
            for (int y = 0; y < 8; ++y)
                for (int x = edge; x < 120; ++x)
                    step.at(y, x) = 200;
            const Image low = degrade(step, {2, 2}, camera({{"lens", fmt::format("{}", lens)}}));
            for (int x = 0; x < low.width; ++x)
                response.push_back(low.at(2, x));
        }
        // response[x] at scale x - edge: interleave both pictures
        std::vector<double> fine(121, 0);
        for (int x = 0; x < 60; ++x) {
            fine[std::size_t(scale * x + 1)] = response[std::size_t(x)];
            fine[std::size_t(scale * x)] = response[std::size_t(x + 60)];
        }
        for (int i = 20; i < 100; ++i) {
            const double slope = fine[std::size_t(i + 1)] - fine[std::size_t(i)];
            sum += slope;
            moment += slope * std::pow(i + 1 - 61, 2);  // symmetric about the edge
        }
        EXPECT_NEAR(sum, 200, 1);
        const double width = std::sqrt(moment / sum);
        EXPECT_NEAR(width, std::sqrt(scale * scale / 12.0 + lens * lens), 0.06) << lens;
    }
}

// ---- displaced views ----------------------------------------------------------------------------

TEST(Camera, JitterHasTheGivenDeviationAndSparesTheReference) {
    const DegradeOptions options = camera({{"jitter", "0.05"}, {"seed", "3"}});
    double square = 0;
    int count = 0;
    std::set<double> distinct;  // no number occurs twice
    for (int row = 0; row < 40; ++row)
        for (int col = 0; col < 40; ++col) {
            const ViewDeviation at = view_deviation({double(row), double(col)}, options, rig);
            if (row == 2 && col == 2) {
                EXPECT_EQ(at.du, 0);
                EXPECT_EQ(at.dv, 0);
                continue;
            }
            square += at.du * at.du + at.dv * at.dv;
            distinct.insert({at.du, at.dv});
            count += 2;
        }
    EXPECT_NEAR(std::sqrt(square / count), 0.05, 4 * 0.05 / std::sqrt(2.0 * count));
    EXPECT_EQ(distinct.size(), std::size_t(count));
}

TEST(Camera, ADisplacedViewIsTheViewRenderedThere) {
    // A step to the right is the next view of the rendered scene, up to 0.6 pixels away. The
    // camera's pixels are compared, since the rendered ones alias.
    SynthOptions scene;
    scene.scene = "staircase";
    scene.rows = 1;
    scene.cols = 3;
    scene.width = scene.height = 160;
    scene.channels = 1;
    scene.disparity_scale = 0.4;
    const SynthResult views = synthesise(scene);
    const Image& map = views.disparity[1];
    const auto seen = [&](const Image& view) {
        return degrade(view, {2, 2}, camera({{"lens", "0.7"}}), rig);
    };
    const Image here = seen(views.light_field.views[1].image);
    const Image there = seen(views.light_field.views[2].image);
    const Image moved = seen(displaced_view(views.light_field.views[1].image, map, 1, 0));
    EXPECT_LT(rms(moved, there, 4), 0.2 * rms(here, there, 4)) << rms(moved, there, 4);
    const Image map_there = displaced_disparity(map, 1, 0);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < map.values.size(); ++i)
        wrong += std::abs(map_there.values[i] - views.disparity[2].values[i]) > 0.02F;
    EXPECT_LT(wrong, map.values.size() / 50);  // where something appears or an edge is cut
}

TEST(Camera, AFlatSceneMovesByItsDisparity) {
    const Image view = textured(80, 60, 1);
    const Image map(80, 60, 1, 2.0F);
    const Image moved = displaced_view(view, map, 0.5, -1);  // +1 along x, -2 along y
    for (int y = 8; y < 50; ++y)
        for (int x = 8; x < 70; ++x)
            ASSERT_NEAR(moved.at(y, x), view.at(y - 2, x + 1), 1e-3);
    EXPECT_EQ(displaced_view(view, map, 0, 0), view);
}

TEST(Camera, JitterWithoutAMapIsRefused) {
    const auto message = test::refusal_of(ErrorKind::input, [] {
        degrade(Image(32, 32), {0, 0}, camera({{"jitter", "0.1"}}), rig);
    });
    EXPECT_TRUE(test::mentions(message, "jitter needs the disparity map")) << message;
    EXPECT_NO_THROW(degrade(Image(32, 32), {2, 2}, camera({{"jitter", "0.1"}}), rig));
}

// ---- photometry ---------------------------------------------------------------------------------

TEST(Camera, GainsAndOffsetsCanBeMeasured) {
    const DegradeOptions options =
        camera({{"gain-spread", "10"}, {"offset-spread", "6"}, {"blur", "none"}, {"seed", "5"}});
    double lowest = 2, highest = 0;
    for (int k = 0; k < 25; ++k) {
        const ViewPosition at{double(k / 5), double(k % 5)};
        const double dark = mean(degrade(Image(64, 64, 1, 40), at, options, rig));
        const double bright = mean(degrade(Image(64, 64, 1, 200), at, options, rig));
        const ViewDeviation view = view_deviation(at, options, rig);
        EXPECT_NEAR((bright - dark) / 160, view.gain, 0.007);  // both are rounded
        EXPECT_NEAR(dark - 40 * view.gain, view.offset, 0.51);
        EXPECT_LE(std::abs(view.gain - 1), 0.1);
        EXPECT_LE(std::abs(view.offset), 6);
        lowest = std::min(lowest, view.gain);
        highest = std::max(highest, view.gain);
        if (at == rig.reference) {
            EXPECT_EQ(std::pair(dark, bright), std::pair(40.0, 200.0));
        }
    }
    EXPECT_LT(lowest, 0.93);
    EXPECT_GT(highest, 1.07);
}

TEST(Camera, VignettingFollowsItsProfile) {
    const DegradeOptions options = camera({{"vignetting", "30"}, {"blur", "none"}});
    const Image reference = degrade(Image(128, 128, 1, 200), {2, 2}, options, rig);
    EXPECT_EQ(reference, Image(64, 64, 1, 200));
    // The corner view (0, 0) loses 30 % in the corner on its own side, relative to what the
    // reference loses there (30 % / 4).
    const Image corner = degrade(Image(128, 128, 1, 200), {0, 0}, options, rig);
    EXPECT_NEAR(corner.at(0, 0), 200 * 0.7 / (1 - 0.075), 0.51);
    EXPECT_NEAR(corner.at(63, 63), 200 / (1 - 0.075), 0.51);
    EXPECT_NEAR(corner.at(32, 32), 200 * (1 - 0.075), 2);
    const double half = std::hypot(31.5, 31.5);
    for (int y = 0; y < 64; y += 9)
        for (int x = 0; x < 64; x += 9)
            EXPECT_NEAR(corner.at(y, x),
                        200 * vignetting_factor((x - 31.5) / half, (y - 31.5) / half,
                                                -2 / rig.reach, -2 / rig.reach, 30),
                        0.51);
}

// ---- noise --------------------------------------------------------------------------------------

TEST(Camera, CorrelatedNoiseKeepsItsVarianceAndHasTheCorrelationOfItsFilter) {
    for (const double s : {0.5, 0.8, 1.5}) {
        const Image y = degrade(
            Image(512, 512, 1, 128), {1, 1},
            camera({{"gaussian", "8"}, {"noise-correlation", fmt::format("{}", s)}, {"seed", "9"}}),
            rig);
        double variance = 0, across = 0, down = 0, border = 0;
        int count = 0;
        for (int row = 0; row + 1 < y.height; ++row)
            for (int col = 0; col + 1 < y.width; ++col, ++count) {
                const double n = y.at(row, col) - 128;
                variance += n * n;
                across += n * (y.at(row, col + 1) - 128);
                down += n * (y.at(row + 1, col) - 128);
                if (row == 0 || col == 0) border += n * n;
            }
        EXPECT_NEAR(std::sqrt(variance / count), 8, 0.35) << s;
        EXPECT_NEAR(std::sqrt(border / (2 * 255 - 1)), 8, 1.5) << s;
        double product = 0, square = 0;  // of the filter with itself
        const int radius = int(std::ceil(3 * s));
        const auto g = [&](int i) { return std::exp(-i * i / (2 * s * s)); };
        for (int i = -radius; i <= radius; ++i) {
            square += g(i) * g(i);
            if (i < radius) product += g(i) * g(i + 1);
        }
        const double expected = product / square;
        EXPECT_NEAR(across / variance, expected, 0.03) << s;
        EXPECT_NEAR(down / variance, expected, 0.03) << s;
    }
}

TEST(Camera, PhotonNoiseFollowsTheGainOfTheView) {
    // The noise is that of the light that reaches the sensor: variance = 255 t / peak + read noise.
    const DegradeOptions options = camera({{"gain-spread", "30"},
                                           {"poisson", "500"},
                                           {"read-noise", "2"},
                                           {"seed", "2"},
                                           {"blur", "none"}});
    const ViewPosition at{0, 4};
    const double level = 100 * view_deviation(at, options, rig).gain;
    const Image y = degrade(Image(512, 512, 1, 100), at, options, rig);
    double square = 0;
    for (const float value : y.values)
        square += std::pow(value - level, 2) / double(y.values.size());
    EXPECT_NEAR(mean(y), level, 0.15);
    EXPECT_NEAR(square / (level * 255 / 500 + 4 + 1.0 / 12), 1, 0.03);
}

// ---- Bayer pattern ------------------------------------------------------------------------------

TEST(Camera, DemosaickingKeepsConstantsAndRamps) {
    Image constant(17, 12, 3);
    Image ramp(17, 12, 3);
    for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 17; ++x)
            for (int c = 0; c < 3; ++c) {
                constant.at(y, x, c) = float(60 + 50 * c);
                ramp.at(y, x, c) = float(30 + 20 * c + (3 - c) * x + (c + 1) * 2 * y);
            }
    for (const Demosaic method : {Demosaic::bilinear, Demosaic::edge_aware}) {
        EXPECT_EQ(demosaicked(mosaicked(constant), method), constant);
        const Image back = demosaicked(mosaicked(ramp), method);
        // The mirrored border is not a ramp; two steps of two pixels reach four pixels inside.
        for (int y = 4; y < 8; ++y)
            for (int x = 4; x < 13; ++x)
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(back.at(y, x, c), ramp.at(y, x, c), 1e-4) << y << " " << x;
    }
}

TEST(Camera, DemosaickingKeepsWhatTheSensorRecorded) {
    const Image rgb = textured(23, 18, 3);
    for (const Demosaic method : {Demosaic::bilinear, Demosaic::edge_aware}) {
        const Image back = demosaicked(mosaicked(rgb), method);
        for (int y = 0; y < 18; ++y)
            for (int x = 0; x < 23; ++x)
                ASSERT_NEAR(back.at(y, x, bayer_channel(y, x)), rgb.at(y, x, bayer_channel(y, x)),
                            1e-4);
    }
    for (const auto& [width, height] : {std::pair(1, 1), {1, 5}, {4, 1}, {2, 2}})
        for (const Demosaic method : {Demosaic::bilinear, Demosaic::edge_aware})
            for (const float value : demosaicked(Image(width, height, 1, 77), method).values)
                EXPECT_EQ(value, 77);
}

TEST(Camera, TheEdgeAwareMethodHasFewerErrorsAtEdges) {
    // A grey edge along x: bilinear interpolation colours it, Hamilton and Adams does not.
    Image edge(40, 40, 3, 40);
    for (int y = 20; y < 40; ++y)
        for (int x = 0; x < 40; ++x)
            for (int c = 0; c < 3; ++c)
                edge.at(y, x, c) = 200;
    const auto error = [&](Demosaic method) {
        return rms(demosaicked(mosaicked(edge), method), edge, 4);
    };
    EXPECT_LT(error(Demosaic::edge_aware), 0.3 * error(Demosaic::bilinear));
}

TEST(Camera, LumaOfABayerCameraIsComputedLast) {
    const Image view = textured(64, 48, 3);
    DegradeOptions options = camera({{"demosaic", "bilinear"}, {"colour", "rgb"}});
    const Image colours = degrade(view, {1, 1}, options, rig);
    ASSERT_EQ(colours.channels, 3);
    options.colour = Colour::luma;
    const Image grey = degrade(view, {1, 1}, options, rig);
    Image expected = luma(colours);
    for (float& value : expected.values)
        value = std::round(value);
    EXPECT_EQ(grey, expected);
    const auto message = test::refusal_of(ErrorKind::input, [&] {
        degrade(luma(view), {1, 1}, options, rig);
    });
    EXPECT_TRUE(test::mentions(message, "three channels")) << message;
}

// ---- processing ---------------------------------------------------------------------------------

TEST(Camera, SharpeningAddsTheDifferenceToTheBlurredView) {
    const DegradeOptions plain = camera({{"blur", "none"}, {"lens", "0"}});
    DegradeOptions sharp = plain;
    sharp.camera.sharpen = 0.8;
    EXPECT_EQ(degrade(Image(64, 64, 1, 90), {0, 0}, sharp, rig), Image(32, 32, 1, 90));
    Image edge(64, 64, 1, 80);
    for (int y = 0; y < 64; ++y)
        for (int x = 32; x < 64; ++x)
            edge.at(y, x) = 160;
    const Image soft = degrade(edge, {0, 0}, plain, rig);
    const Image hard = degrade(edge, {0, 0}, sharp, rig);
    EXPECT_LT(hard.at(16, 15), soft.at(16, 15) - 4);  // a dark and a bright line beside the edge
    EXPECT_GT(hard.at(16, 17), soft.at(16, 17) + 4);
    EXPECT_NEAR(mean(hard), mean(soft), 0.2);
}

TEST(Camera, JpegLosesMoreAtLowerQuality) {
    Image view = textured(96, 80, 3);
    for (float& value : view.values)
        value = std::round(value);
    double worse = 0;
    std::size_t larger = SIZE_MAX;
    for (const int quality : {98, 90, 60, 20}) {
        const Image back = io::through_jpeg(view, quality);
        ASSERT_EQ(back.channels, 3);
        ASSERT_TRUE(back.same_size(view));
        const double error = rms(luma(back), luma(view));
        const std::size_t size = io::encode_jpeg(view, quality).size();
        EXPECT_GT(error, worse) << quality;
        EXPECT_LT(size, larger) << quality;
        worse = error;
        larger = size;
    }
    EXPECT_LT(rms(luma(io::through_jpeg(view, 98)), luma(view)), 1.5);
    EXPECT_EQ(io::through_jpeg(Image(9, 7, 1, 128), 50), Image(9, 7, 1, 128));
    // The camera applies it last.
    const DegradeOptions plain = camera({{"lens", "0.5"}, {"colour", "rgb"}});
    DegradeOptions packed = plain;
    packed.camera.jpeg = 75;
    EXPECT_EQ(degrade(view, {1, 1}, packed, rig),
              io::through_jpeg(degrade(view, {1, 1}, plain, rig), 75));
}

// ---- the whole ----------------------------------------------------------------------------------

TEST(Camera, EveryPresetIsValidReproducibleAndHidden) {
    const Image view = textured(64, 48, 3);
    const Image map(64, 48, 1, 0.7F);
    for (const CameraPreset& preset : camera_presets()) {
        DegradeOptions options = camera({{"scale", "2"}, {"camera", preset.name}, {"seed", "4"}});
        EXPECT_TRUE(options.camera.active());
        EXPECT_NO_THROW(options.validate());
        EXPECT_EQ(options.camera.lens, 2 * preset.lens);
        const Image first = degrade(view, {0, 1}, options, rig, map);
        for (const float value : first.values)
            ASSERT_EQ(value, std::round(value));
        {
            const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
            EXPECT_EQ(degrade(view, {0, 1}, options, rig, map), first) << preset.name;
        }
        options.seed = 5;
        EXPECT_EQ(degrade(view, {0, 1}, options, rig, map) == first, preset.name == "clean");
        const auto described =
            nlohmann::json::parse(describe_camera(options, {{0, 1}, {2, 2}}, rig));
        EXPECT_EQ(described["camera"], preset.name);
        EXPECT_EQ(described["lens"], 2 * preset.lens);
        EXPECT_EQ(described["seed"], 5);
        EXPECT_EQ(described["views"][1]["true_position"], nlohmann::json::parse("[2.0, 2.0]"));
        EXPECT_EQ(described["views"][0]["gain"], view_deviation({0, 1}, options, rig).gain);
    }
}

TEST(Camera, SingleOptionsOverrideThePreset) {
    const DegradeOptions options = camera({{"scale", "3"}, {"camera", "phone"}, {"jpeg", "0"}});
    EXPECT_EQ(options.camera.jpeg, 0);
    EXPECT_EQ(options.camera.sharpen, 0.6);
    EXPECT_NEAR(*options.camera.lens, 1.2, 1e-12);
    EXPECT_FALSE(camera({{"camera", "none"}}).camera.active());
    EXPECT_FALSE(DegradeOptions().camera.active());
    const auto message = test::refusal_of(ErrorKind::invalid_option, [] {
        camera({{"camera", "leica"}});
    });
    EXPECT_TRUE(test::mentions(message, "none|clean|array|lytro|phone")) << message;
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"lens", "-1"},
                                                          {"jitter", "0.6"},
                                                          {"gain-spread", "-1"},
                                                          {"vignetting", "100"},
                                                          {"noise-correlation", "-1"},
                                                          {"demosaic", "malvar"},
                                                          {"sharpen", "nan"},
                                                          {"jpeg", "101"}})
        EXPECT_TRUE(test::mentions(test::refusal_of(ErrorKind::invalid_option,
                                                    [&] {
                                                        camera({{name, value}});
                                                    }),
                                   name));
}

TEST(Camera, FramesPassThroughTheSameCamera) {
    const Image photo = textured(80, 60, 3);
    DegradeOptions options = camera({{"camera", "phone"}, {"colour", "rgb"}, {"seed", "2"}});
    const std::vector<Place> shifts = grid_shifts(2);
    const LightField frames = degrade_frames(photo, shifts, options);
    ASSERT_EQ(frames.views.size(), 4U);
    EXPECT_EQ(frames.views[1].position, (ViewPosition{0, 0.5}));  // the jitter is not recorded
    EXPECT_EQ(frames.width(), 40);
    // Away from the border, where the lens sees beyond the photo, the first frame is the view.
    options.camera.jpeg = 0;
    options.poisson = options.read_noise = 0;
    const Image first = degrade_frames(photo, shifts, options).views[0].image;
    const Image view = degrade(photo, {0, 0}, options, CameraRig{});
    EXPECT_LT(rms(first, view, 4), 0.01);
    options.camera.jitter = 0;
    const Image still = degrade_frames(photo, shifts, options).views[1].image;
    options.camera.jitter = 0.3;
    EXPECT_GT(rms(degrade_frames(photo, shifts, options).views[1].image, still, 4), 1);
}

}  // namespace
}  // namespace plenosr
