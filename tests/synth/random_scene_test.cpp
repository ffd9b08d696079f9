#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/median.h"
#include "io/support.h"
#include "light_field/interpolate.h"
#include "plenosr/synth.h"

namespace plenosr::test {
namespace {

constexpr int seeds = 8;

SynthOptions scene_of(std::uint64_t seed, int size, int rows, int cols) {
    SynthOptions options;
    options.scene = "random";
    options.seed = seed;
    options.width = options.height = size;
    options.rows = rows;
    options.cols = cols;
    options.channels = 1;
    return options;
}

// How well the centre predicts another view along the exact disparity, where it sees the same
// surface and no edge is near: the difference, and the rms of the view itself there.
struct Prediction {
    double median = 0, rms = 0, contrast = 0, part = 0;
};
Prediction predict(const SynthResult& result, std::size_t k) {
    const LightField& views = result.light_field;
    const ViewPosition centre = views.grid.centre();
    const std::size_t c = std::size_t(views.find(centre) - views.views.data());
    const Image& d = result.disparity[k];
    const Image& d0 = result.disparity[c];
    const auto smooth = [](const Image& map, int x, int y) {
        for (int j = -2; j <= 2; ++j)
            for (int i = -2; i <= 2; ++i)
                if (std::abs(map.at(y + j, x + i) - map.at(y, x)) > 0.1F) return false;
        return true;
    };
    std::vector<double> differences;
    double sum = 0, square = 0, error = 0;
    for (int y = 3; y < d.height - 3; ++y)
        for (int x = 3; x < d.width - 3; ++x) {
            const double px = x + (views.views[k].position.col - centre.col) * d.at(y, x);
            const double py = y + (views.views[k].position.row - centre.row) * d.at(y, x);
            if (px < 3 || py < 3 || px > d.width - 4 || py > d.height - 4) continue;
            const int nx = int(std::lround(px));
            const int ny = int(std::lround(py));
            if (std::abs(d0.at(ny, nx) - d.at(y, x)) > 0.1F || !smooth(d, x, y) ||
                !smooth(d0, nx, ny))
                continue;
            const double value = views.views[k].image.at(y, x);
            const double difference = value - bicubic_at(views.views[c].image, px, py, 0);
            differences.push_back(std::abs(difference));
            error += difference * difference;
            sum += value;
            square += value * value;
        }
    const double n = double(differences.size());
    return {upper_median(differences), std::sqrt(error / n),
            std::sqrt(square / n - sum / n * sum / n), n / double(d.pixels())};
}

class RandomScene : public InFolder {
protected:
    // A picture with detail at all scales up to its pixels.
    fs::path photo(const std::string& name, int width, int height) {
        Image image(width, height, 3);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                for (int c = 0; c < 3; ++c)
                    image.at(y, x, c) =
                        float(120 + 40 * std::sin(0.02 * x * (c + 1)) * std::cos(0.03 * y) +
                              30 * std::sin(0.4 * x + 0.2 * y) + 20 * std::sin(0.9 * y + c));
        write_image(at(name), image);
        return at(name);
    }
};

TEST_F(RandomScene, ViewsAgreeAlongTheExactDisparityForEverySeed) {
    for (int seed = 1; seed <= seeds; ++seed) {
        const SynthResult result = synthesise(scene_of(std::uint64_t(seed), 128, 1, 3));
        for (const std::size_t k : {0U, 2U}) {
            const Prediction p = predict(result, k);
            EXPECT_GT(p.part, 0.25) << seed;
            EXPECT_LT(p.median, 3) << seed;
            EXPECT_LT(p.rms, 0.25 * p.contrast) << seed << " " << p.contrast;
        }
    }
}

TEST_F(RandomScene, PhotosAreSampledWithoutAliasing) {
    const fs::path file = photo("p.png", 700, 500);
    for (const std::uint64_t seed : {1U, 2U}) {
        SynthOptions options = scene_of(seed, 128, 1, 3);
        options.textures = {file};
        const SynthResult with = synthesise(options);
        const Prediction p = predict(with, 0);
        EXPECT_LT(p.median, 2) << seed;
        EXPECT_LT(p.rms, 0.2 * p.contrast) << seed;
        EXPECT_NE(with.light_field.views[0].image,
                  synthesise(scene_of(seed, 128, 1, 3)).light_field.views[0].image);
        // More rays change little: the detail is within what the pixels can show.
        options.supersampling = 6;
        const Image finer = synthesise(options).light_field.views[1].image;
        std::vector<double> changes;
        for (std::size_t i = 0; i < finer.values.size(); ++i)
            changes.push_back(
                std::abs(finer.values[i] - with.light_field.views[1].image.values[i]));
        EXPECT_LT(upper_median(changes), 0.7) << seed;
    }
}

TEST_F(RandomScene, ScenesDifferAndCoverManyLayouts) {
    int crossing = 0, positive = 0, negative = 0, stepped = 0;
    std::set<std::vector<float>> pictures;
    float least = 99, most = -99;
    for (int seed = 1; seed <= 40; ++seed) {
        SynthOptions options = scene_of(std::uint64_t(seed), 48, 1, 1);
        options.supersampling = 1;
        const SynthResult result = synthesise(options);
        const Image& d = result.disparity[0];
        pictures.insert(result.light_field.views[0].image.values);
        const auto [low, high] = std::minmax_element(d.values.begin(), d.values.end());
        crossing += *low < 0 && *high > 0;
        positive += *low >= 0;
        negative += *high <= 0;
        std::map<float, std::size_t> areas;
        for (const float value : d.values)
            ++areas[value];
        // Three levels with a twentieth of the picture each: steps.
        stepped += std::count_if(areas.begin(), areas.end(), [&](const auto& level) {
                       return level.second > d.pixels() / 20;
                   }) >= 3;
        least = std::min(least, *low);
        most = std::max(most, *high);
    }
    EXPECT_EQ(pictures.size(), 40U);
    EXPECT_GE(crossing, 15);
    EXPECT_GE(positive, 4);
    EXPECT_GE(negative, 2);
    EXPECT_GE(stepped, 3);
    EXPECT_LT(least, -1.5F);
    EXPECT_GT(most, 1.5F);
    EXPECT_GT(least, -5.0F);
    EXPECT_LT(most, 5.0F);
}

TEST_F(RandomScene, BadTexturesAreRefusedByName) {
    SynthOptions options = scene_of(1, 32, 1, 1);
    options.textures = {at("missing.png")};
    EXPECT_TRUE(
        mentions(refusal_of(ErrorKind::input, [&] { synthesise(options); }), "missing.png"));
    options.scene = "planes";
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::invalid_option, [&] { options.validate(); }),
                         "scene = random"));
}

}  // namespace
}  // namespace plenosr::test
