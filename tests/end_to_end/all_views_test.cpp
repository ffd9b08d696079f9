// reconstruct_all(): each view is as good as a run of its own.
#include "plenosr/all_views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/data.h"
#include "cases/random_values.h"
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
