// --keep-iterations: images of the solver at work.
#include <gtest/gtest.h>

#include <algorithm>

#include "cases/scenes.h"
#include "devices/make_engines.h"
#include "plenosr/all_views.h"
#include "plenosr/error.h"
#include "plenosr/frames.h"
#include "tiles/film.h"

namespace plenosr {
namespace {

using test::degraded_scene;
using test::DegradedScene;

DegradedScene scene_of(int channels = 1, int width = 128, int height = 96) {
    test::SceneSetup setup{"curved", 3, width, height, channels};
    setup.impulse = 0;
    if (channels == 3) setup.colour = Colour::rgb;
    return degraded_scene(setup);
}

ReconstructOptions keeping(int every) {
    ReconstructOptions o;
    o.iterations = 7;
    o.tolerance = 0;
    o.keep_iterations = every;
    o.threads = 1;
    return o;
}

ReconstructResult run(const DegradedScene& scene, const ReconstructOptions& o,
                      const Progress& progress = {}) {
    return reconstruct(scene.views, scene.centre, scene.full_disparity, o, progress);
}

std::vector<int> numbers_of(const std::vector<KeptIteration>& film) {
    std::vector<int> numbers;
    for (const KeptIteration& kept : film)
        numbers.push_back(kept.iteration);
    return numbers;
}

double largest_difference(const Image& a, const Image& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        largest = std::max(largest, std::abs(double(a.values[i]) - double(b.values[i])));
    return largest;
}

TEST(Film, KeepsEveryNthIterationAndTheLastOneAndChangesNoBit) {
    const DegradedScene scene = scene_of(3);
    const ReconstructResult without = run(scene, keeping(0));
    const ReconstructResult with = run(scene, keeping(3));
    EXPECT_TRUE(without.film.empty());
    EXPECT_EQ(with.image, without.image);
    EXPECT_EQ(with.initial, without.initial);
    EXPECT_EQ(with.iterations.size(), without.iterations.size());
    EXPECT_EQ(numbers_of(with.film), (std::vector<int>{0, 3, 6, 9}));
    ASSERT_EQ(with.film.front().image.channels, 3);
    EXPECT_LT(largest_difference(with.film.front().image, with.initial), 1e-3);
    EXPECT_LT(largest_difference(with.film.back().image, with.image), 1e-3);
    EXPECT_GT(largest_difference(with.film[1].image, with.film[2].image), 0.1);
    ReconstructOptions threads = keeping(3);
    threads.threads = 3;
    EXPECT_EQ(run(scene, threads).film[1].image, with.film[1].image);
}

TEST(Film, HasTheStepsOfTheDenoiser) {
    const DegradedScene scene = scene_of();
    ReconstructOptions o = keeping(1);
    o.denoiser = Denoiser::bm3d;
    const ReconstructResult result = run(scene, o);
    EXPECT_EQ(result.film.size(), result.iterations.size());
    EXPECT_EQ(result.film.back().iteration, result.iterations.back().iteration);
    EXPECT_LT(largest_difference(result.film.back().image, result.image), 1e-3);
}

TEST(Film, OfTilesIsThatOfTheWhole) {
    const DegradedScene scene = scene_of(1, 192, 192);
    ReconstructOptions o = keeping(2);
    o.memory_limit = 7 << 20;
    const ReconstructResult tiled = run(scene, o);
    ASSERT_GT(tiled.tiles.count, 1);
    const ReconstructResult whole = run(scene, keeping(2));
    ASSERT_EQ(numbers_of(tiled.film), numbers_of(whole.film));
    for (std::size_t k = 0; k < tiled.film.size(); ++k)
        EXPECT_LT(largest_difference(tiled.film[k].image, whole.film[k].image), 3) << k;
    EXPECT_LT(largest_difference(tiled.film.back().image, tiled.image), 1e-3);
}

TEST(Film, OfFramesIsThatOfTheirResult) {
    const DegradedScene scene = scene_of();
    std::vector<Image> frames(4, scene.views.find(scene.centre)->image);
    std::vector<FrameReport> reports(4);
    ReconstructOptions o = keeping(4);
    o.blur.text = "gaussian:0.5";
    const ReconstructResult result = reconstruct_frames(frames, reports, FramesOptions(), o);
    EXPECT_EQ(numbers_of(result.film), (std::vector<int>{0, 4, 8, 9}));
    o.keep_iterations = 0;
    EXPECT_EQ(reconstruct_frames(frames, reports, FramesOptions(), o).image, result.image);
}

TEST(Film, StaysSmall) {
    const DegradedScene scene = scene_of();
    ReconstructOptions o = keeping(1);
    o.iterations = 100;
    o.denoiser = Denoiser::none;
    o.self_check = false;
    const ReconstructResult result = run(scene, o);
    EXPECT_LE(result.film.size(), std::size_t(Film::most_pictures));
    EXPECT_GT(result.film.size(), std::size_t(Film::most_pictures) / 2);
    EXPECT_EQ(result.film.back().iteration, 100);
    EXPECT_NE(result.notes.back().find("every 4 iterations"), std::string::npos);

    // Larger pictures are reduced by means over squares, across tiles too.
    const int width = 2501;
    const int height = 1400;
    TilePlan plan;
    plan.overlap = 64;
    for (const int x0 : {0, 1201})
        plan.tiles.push_back({{x0, 0, 1300, height}, {x0 == 0 ? 0 : 1250, 0, 1250, height}});
    plan.tiles[0].core.width = 1250;
    plan.tiles[1].core.width = 1251;
    Film film(5, 10, width, height, 1, plan);
    for (std::size_t tile = 0; tile < 2; ++tile)
        for (const int iteration : {0, 5}) {
            Image ramp(1300, height);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < ramp.width; ++x)
                    ramp.at(y, x) = float(plan.tiles[tile].box.x0 + x) + float(iteration);
            film.keep(tile, iteration, [&] { return ramp; });
            if (iteration == 5) film.end(tile, 5, ramp);
        }
    const Engines engines = make_engines(ReconstructOptions());
    const std::vector<KeptIteration> kept = film.pictures(nullptr, 2, *engines.front());
    ASSERT_EQ(numbers_of(kept), (std::vector<int>{0, 5}));
    const Image& image = kept[1].image;
    EXPECT_EQ(image.width, (width + 1) / 2);
    EXPECT_LE(image.values.size() * sizeof(float) * Film::most_pictures, Film::most_bytes);
    for (const int x : {0, 3, 599, 600, 625, 640, 900})
        EXPECT_NEAR(image.at(300, x), 2 * x + 0.5 + 5, 0.01) << x;
    EXPECT_NEAR(image.at(300, 1250), 2500 + 5, 0.01) << "a block of one column";
    EXPECT_NE(film.note().find("1/2"), std::string::npos);
}

TEST(Film, OfARunThatIsCancelledEndsThere) {
    const DegradedScene scene = scene_of();
    const ReconstructResult result = run(scene, keeping(2), [](const ProgressEvent& event) {
        return event.stage != "solving" || event.step < 3;
    });
    EXPECT_EQ(result.termination, Termination::cancelled);
    EXPECT_EQ(numbers_of(result.film), (std::vector<int>{0, 2, 3}));
}

TEST(Film, OfAllViewsIsRefused) {
    const DegradedScene scene = scene_of();
    AllViewsOptions all;
    all.reconstruct = keeping(1);
    const std::vector<Image> maps(scene.views.views.size(), scene.full_disparity);
    EXPECT_THROW(reconstruct_all(scene.views, maps, all), Error);
}

}  // namespace
}  // namespace plenosr
