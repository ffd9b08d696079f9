// reconstruct_all(): each view is weighted by the noise of its own neighbours.
#include "plenosr/all_views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/random_values.h"
#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
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

}  // namespace
}  // namespace plenosr
