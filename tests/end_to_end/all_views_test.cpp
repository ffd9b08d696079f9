// reconstruct_all(): each view is as good as a run of its own.
#include "plenosr/all_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cases/data.h"
#include "cases/random_values.h"
#include "cases/scenes.h"
#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
#include "plenosr/light_field_source.h"
#include "plenosr/metrics.h"
#include "plenosr/synth.h"

namespace plenosr {
namespace {

// 5 x 5 views, of which (1, 1) is much noisier than the others. With --views 3x3 it is the first
// view of the centre's subset and the last one of the corner's.
TEST(AllViews, TheNoisyViewCountsLessInEverySubset) {
    SynthOptions synth;
    synth.rows = synth.cols = 5;
    synth.width = synth.height = 128;
    synth.channels = 1;
    synth.supersampling = 2;
    const SynthResult scene = synthesise(synth);
    DegradeOptions degradation;
    degradation.gaussian = 1;
    degradation.seed = 1;
    LightField views = degrade(scene.light_field, degradation);
    test::RandomValues random(5);
    for (View& view : views.views)
        if (view.position == ViewPosition{1, 1})
            for (float& value : view.image.values)
                value = std::clamp(value + random.next(-52.0F, 52.0F), 0.0F, 255.0F);
    std::vector<Image> maps;
    for (const Image& map : scene.disparity)
        maps.push_back(reduce_disparity(map, 2));

    AllViewsOptions options;
    options.views = "3x3";
    const AllViewsResult result = reconstruct_all(views, maps, options);
    const auto psnr = [&](std::size_t k) {
        return compare(result.light_field.views[k].image, scene.light_field.views[k].image).psnr;
    };
    EXPECT_GE(psnr(0), 21.409 - 0.3);
    EXPECT_GE(psnr(12), 23.445 - 0.3);
}

// With --views 3x3 the centre of a 3 x 3 grid has nine views, the corner four. Lambda follows from
// the number of samples, so the corner has another one than the centre.
TEST(AllViews, LambdaFollowsFromTheSamplesOfEachView) {
    const test::DegradedScene scene =
        test::degraded_scene({.views = 3, .width = 48, .height = 48, .gaussian = 10, .impulse = 0});
    std::vector<Image> maps(scene.views.views.size());
    maps[4] = scene.low_disparity;
    for (const DataTerm data : {DataTerm::mixture, DataTerm::l1_l2}) {
        AllViewsOptions options;
        options.views = "3x3";
        ReconstructOptions& o = options.reconstruct;
        o.data = data;
        o.denoiser = Denoiser::none;
        o.self_check = false;
        const AllViewsResult own = reconstruct_all(scene.views, maps, options);
        o.lambda = own.centre.lambda;
        const AllViewsResult of_centre = reconstruct_all(scene.views, maps, options);
        const auto closeness = [&](std::size_t k) {
            return test::closeness(own.light_field.views[k].image,
                                   of_centre.light_field.views[k].image);
        };
        EXPECT_EQ(closeness(4), std::numeric_limits<double>::infinity());
        EXPECT_LT(closeness(0), 60);
    }
}

// Without iterations the result of a view is its start: the result of the centre where both maps
// show the same surface, in pixels of the result, and the enlarged view elsewhere.
TEST(AllViews, SurfacesAreComparedInPixelsOfTheResult) {
    constexpr int low = 32;
    constexpr float centre_grey = 50;
    constexpr float other_grey = 200;
    LightField field;
    field.grid = {0, 0, 1, 3};
    std::vector<Image> maps;
    for (int col = 0; col < 3; ++col) {
        const bool is_centre = col == 1;
        field.views.push_back(
            {{0, double(col)}, Image(low, low, 1, is_centre ? centre_grey : other_grey)});
        Image map(low, low);
        for (int y = 0; y < low; ++y)
            for (int x = 0; x < low && !is_centre; ++x)  // pixels of the views: half as large
                map.at(y, x) = 0.5F * same_surface * (x < low / 2 ? 1.5F : 0.75F);
        maps.push_back(map);
    }
    AllViewsOptions options;
    ReconstructOptions& o = options.reconstruct;
    o.iterations = 0;
    o.init = Initial::bicubic;
    o.self_check = false;
    const AllViewsResult result = reconstruct_all(field, maps, options);
    const Image& image = result.light_field.views[0].image;
    for (const int y : {8, 32, 56}) {
        EXPECT_NEAR(image.at(y, 16), other_grey, 0.5F);
        EXPECT_NEAR(image.at(y, 48), centre_grey, 0.5F);
    }
}

// Both estimate the disparity, and correct it with their results. `truth`: all views; `views`: of
// them, reduced by 2.
void expect_as_good_as_single_runs(const LightField& truth, const LightField& low,
                                   const ReconstructOptions& o,
                                   const std::vector<std::size_t>& compared) {
    const std::size_t centre = low.views.size() / 2;
    const DisparityOfViews maps =
        estimate_disparity_of_views(low, low.views[centre].position, matching_options(o));
    std::vector<Image> disparity;
    for (const ViewEstimate& view : maps.views)
        disparity.push_back(view.disparity);
    AllViewsOptions options;
    options.reconstruct = o;
    options.estimated = true;
    const AllViewsResult all = reconstruct_all(low, disparity, options);
    const QualityOptions inside{.border = 8};
    for (const std::size_t k : compared) {
        const ReconstructResult one = reconstruct(low, low.views[k].position, o);
        const auto psnr = [&](const Image& image) {
            return compare(image, truth.views[k].image, inside).psnr;
        };
        const ImageView seen = low.views[k].image;
        const double bicubic = psnr(enlarge_view(seen, sampling_grid(o.blur, o.phase, o.scale)));
        EXPECT_GT(psnr(all.light_field.views[k].image), psnr(one.image) - 0.1) << "view " << k;
        EXPECT_GT(psnr(all.light_field.views[k].image), bicubic + 1) << "view " << k;
        EXPECT_GT(all.views[k].refinements, 0);
        EXPECT_EQ(all.disparity[k].width, 2 * low.width());
    }
}

TEST(AllViews, AreAsGoodAsSingleRunsOfARenderedScene) {
    SynthOptions synth;
    synth.scene = "curved";
    synth.rows = synth.cols = 3;
    synth.width = synth.height = 160;
    synth.channels = 1;
    const SynthResult scene = synthesise(synth);
    DegradeOptions degradation;
    degradation.gaussian = 1;
    degradation.seed = 1;
    ReconstructOptions o;
    o.blur.text = degradation.blur.text = "gaussian:0.8";
    expect_as_good_as_single_runs(scene.light_field, degrade(scene.light_field, degradation), o,
                                  {0, 7});
}

TEST(AllViews, AreAsGoodAsSingleRunsOfAReducedCapture) {
    SKIP_WITHOUT_DATA("lytro/bikes");
    LightFieldSource source = open_light_field(test::data_path("lytro/bikes"), {});
    put_in_order(source, {});
    LightField truth;
    truth.grid = {0, 0, 3, 3};
    for (const PlacedView& view : read_views(source, {}).views)
        if (std::abs(view.position.row - 7) <= 1 && std::abs(view.position.col - 7) <= 1)
            truth.views.push_back({{view.position.row - 6, view.position.col - 6},
                                   luma(crop(view.image, {192, 128, 192, 160}))});
    DegradeOptions degradation;
    degradation.blur.text = "bicubic";
    ReconstructOptions o;
    o.blur.text = "bicubic";
    expect_as_good_as_single_runs(truth, degrade(truth, degradation), o, {1, 8});
}

}  // namespace
}  // namespace plenosr
