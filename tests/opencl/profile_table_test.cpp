#include "../apps/plenosr/profile_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plenosr/jobs.h"

namespace plenosr::test {
namespace {

DeviceProfile made_up() {
    DeviceProfile profile;
    profile.device = "Large GPU";
    profile.bandwidth = 100e9;
    profile.build_seconds = 0.25;
    profile.kernels = {{"blur_rows", 40, 0.5, 25e9}, {"writing", 2, 0.25, 0}};
    return profile;
}

TEST(ProfileTable, ShowsStagesThenKernelsWithTheirShareOfTheBandwidth) {
    StageSeconds stages;
    stages.io = 1.5;
    stages.zw_step = 0.125;
    stages.x_step = 2.25;
    const std::string text = app::profile_table(stages, {made_up()});
    std::size_t place = 0;
    for (const char* words :
         {"io                           1.5000", "z/w-step                     0.1250",
          "x-step                       2.2500", "Large GPU", "100.0 GB/s", "0.250 s",
          "blur_rows                    0.5000        40    50.00    50 %",
          "writing                      0.2500         2        -       -",
          "all                          0.7500"}) {
        place = text.find(words, place);
        ASSERT_NE(place, std::string::npos) << words << " in\n" << text;
    }
}

TEST(ProfileTable, WithoutABandwidthNoShareIsShown) {
    DeviceProfile profile = made_up();
    profile.bandwidth = 0;
    EXPECT_EQ(app::profile_table({}, {profile}).find('%'), std::string::npos);
}

TEST(ProfileTable, TheJsonHasTheSameNumbers) {
    ReconstructReport report;
    report.options.profile = true;
    report.result.profile = {made_up()};
    const auto json = nlohmann::json::parse(json_report(report))["profile"];
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["device"], "Large GPU");
    EXPECT_EQ(json[0]["kernels"][0]["name"], "blur_rows");
    EXPECT_EQ(json[0]["kernels"][0]["launches"], 40);
    EXPECT_EQ(json[0]["kernels"][0]["bytes"], 25e9);
}

}  // namespace
}  // namespace plenosr::test
