// The published protocol on real scenes: views reduced to a quarter with noise, the true disparity
// of the centre reduced in the same way, default options.
#include "cases/data.h"
#include "plenosr/disparity.h"
#include "plenosr/io.h"
#include "plenosr/reconstruct.h"

namespace plenosr {
namespace {

struct Protocol {
    const char* name;
    const char* folder;
    const char* views;
    std::size_t count;
    double gaussian;
    double impulse;
    double measured;  // PSNR in dB
};

constexpr int scale = 4;
constexpr double margin = 0.1;  // dB below the measured value

std::ostream& operator<<(std::ostream& out, const Protocol& p) {
    return out << p.folder << " " << p.views << " " << p.gaussian << "/" << p.impulse;
}

class RealScenes : public testing::TestWithParam<Protocol> {};

TEST_P(RealScenes, ReachTheMeasuredQuality) {
    const Protocol& p = GetParam();
    SKIP_WITHOUT_DATA(p.folder);
    const LightFieldIndex index = index_light_field(test::data_path(p.folder));
    const ViewPosition centre = index.grid.centre();
    const auto positions = select_views(p.views, centre, index.positions());
    ASSERT_EQ(positions.size(), p.count);
    const LightField field = read_light_field(index, positions);

    DegradeOptions degradation;
    degradation.scale = scale;
    degradation.gaussian = p.gaussian;
    degradation.impulse = p.impulse;
    degradation.seed = 1;
    ReconstructOptions options;
    options.scale = scale;
    const Image truth = luma(field.find(centre)->image);
    const ReconstructResult result =
        reconstruct(degrade(field, degradation), centre,
                    reduce_disparity(read_pfm(index.disparity), scale), options, {}, &truth);
    const double psnr = result.iterations.back().psnr;
    RecordProperty("psnr", std::to_string(psnr));
    EXPECT_GE(psnr, p.measured - margin);
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, RealScenes,
    testing::Values(Protocol{"dishes_star17", "hci/dishes", "star17", 17, 1, 1, 31.268},
                    Protocol{"vinyl_3x3", "hci/vinyl", "3x3", 9, 1, 0, 34.473},
                    Protocol{"vinyl_5x5", "hci/vinyl", "5x5", 25, 1, 0, 36.184},
                    Protocol{"vinyl_7x7", "hci/vinyl", "7x7", 49, 1, 0, 36.534}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plenosr
