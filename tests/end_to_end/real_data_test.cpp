// The published protocol on real scenes, where they are found under $PLENOSR_DATA: views reduced
// to a quarter with noise, the centre's true disparity reduced alike, default options.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "plenosr/disparity.h"
#include "plenosr/io.h"
#include "plenosr/reconstruct.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;

struct Protocol {
    const char* scene;
    const char* views;
    std::size_t count;
    double gaussian;
    double impulse;
    double decibels;  // PSNR, at least
};

constexpr int scale = 4;

double final_psnr(const Protocol& p, const fs::path& folder) {
    const LightFieldIndex index = index_light_field(folder);
    const ViewPosition centre = index.grid.centre();
    const auto positions = select_views(p.views, centre, index.positions());
    EXPECT_EQ(positions.size(), p.count);
    const LightField field = read_light_field(index, positions);

    DegradeOptions degradation;
    degradation.scale = scale;
    degradation.gaussian = p.gaussian;
    degradation.impulse = p.impulse;
    degradation.seed = 1;
    ReconstructOptions options;
    options.scale = scale;
    const Image truth = luma(field.find(centre)->image);
    return reconstruct(degrade(field, degradation), centre,
                       reduce_disparity(read_pfm(index.disparity), scale), options, {}, &truth)
        .iterations.back()
        .psnr;
}

TEST(RealScenes, ReachThePublishedQuality) {
    const char* data = std::getenv("PLENOSR_DATA");
    for (const Protocol& p :
         {Protocol{"dishes", "star17", 17, 1, 1, 29.6}, Protocol{"vinyl", "3x3", 9, 1, 0, 33.0},
          Protocol{"vinyl", "5x5", 25, 1, 0, 34.7}, Protocol{"vinyl", "7x7", 49, 1, 0, 34.8}}) {
        if (data == nullptr || !fs::exists(fs::path(data) / "hci" / p.scene)) continue;
        SCOPED_TRACE(testing::Message() << p.scene << " " << p.views);
        const double psnr = final_psnr(p, fs::path(data) / "hci" / p.scene);
        EXPECT_GE(psnr, p.decibels);
        RecordProperty(std::string(p.scene) + "_" + p.views, std::to_string(psnr));
    }
}

}  // namespace
}  // namespace plenosr
