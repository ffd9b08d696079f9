#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class NoiseProgram : public Program {
protected:
    json noise_of(const std::string& gaussian, const std::string& impulse,
                  const std::vector<std::string>& more = {}) {
        EXPECT_EQ(run({"degrade", name("hr"), "-o", name("noisy"), "--gaussian", gaussian,
                       "--impulse", impulse, "--quiet"})
                      .code,
                  0);
        std::vector<std::string> words = {"noise", name("noisy"), "--json", "-", "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 0) << ended.err;
        return json::parse(ended.out);
    }
};

// The scene is small and full of texture: the figures are rough, their order is not.
TEST_F(NoiseProgram, MoreNoiseReadsAsMoreAndImpulsesAreCounted) {
    const json little = noise_of("1", "0");
    const json more = noise_of("20", "5");
    EXPECT_LT(little["sigma"].get<double>() + 5, more["sigma"].get<double>());
    EXPECT_LT(little["impulse_percent"].get<double>(), 1.0);
    EXPECT_NEAR(more["impulse_percent"].get<double>(), 5.0, 2.0);
    EXPECT_EQ(more["views"], 9);
    EXPECT_EQ(more["disparity"], "lowres");
    EXPECT_TRUE(more["model_error"].is_number());
    EXPECT_TRUE(more["single_views"]["sigma"].is_number());
}

TEST_F(NoiseProgram, SingleViewsNeedNoDisparity) {
    const json report = noise_of("10", "1", {"--single"});
    EXPECT_EQ(report["sigma"], report["single_views"]["sigma"]);
    EXPECT_TRUE(report["model_error"].is_null());
    EXPECT_TRUE(report["disparity"].is_null());
}

TEST_F(NoiseProgram, WhatIsWrongIsRefused) {
    expect_refused(3, "nowhere", [&] { return run({"noise", name("nowhere")}); });
    expect_refused(2, "scale", [&] { return run({"noise", name("lr"), "--scale", "0"}); });
    expect_refused(2, "disparity-from", [&] {
        return run({"noise", name("lr"), "--disparity-from", "hope"});
    });
}

}  // namespace
}  // namespace plenosr::test
