#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class CameraProgram : public Program {
protected:
    Ended degrade_hr(const std::vector<std::string>& more) const {
        std::vector<std::string> words = {"degrade", name("hr"), "-o", name("l"), "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
};

TEST_F(CameraProgram, TheReconstructionIsNotToldWhatTheCameraDid) {
    const Ended made = degrade_hr({"--camera", "phone", "--seed", "3"});
    ASSERT_EQ(made.code, 0) << made.err;
    const json manifest = json::parse(take(at("l/lightfield.json")));
    EXPECT_FALSE(manifest["degradation"].contains("blur"));
    EXPECT_FALSE(manifest["degradation"].contains("poisson"));
    EXPECT_EQ(manifest["simulated_camera"]["lens"], 0.8);
    EXPECT_EQ(manifest["simulated_camera"]["views"].size(), 9U);

    const Ended solved = run({"reconstruct", name("l"), "-o", name("o.png"), "--quiet", "--json",
                              name("o.json"), "--iterations", "4", "--denoiser", "none"});
    ASSERT_EQ(solved.code, 0) << solved.err;
    const json report = json::parse(take(at("o.json")));
    EXPECT_EQ(report["options"]["blur"], "auto");  // the default, not the camera's
    EXPECT_EQ(take(at("o.json")).find("simulated_camera"), std::string::npos);

    const json info = json::parse(run({"info", name("l"), "--json", "-"}).out);
    EXPECT_EQ(info["degradation"]["scale"], 2);
    EXPECT_FALSE(info["degradation"].contains("blur"));
    EXPECT_FALSE(info["degradation"].contains("gaussian"));

    const Ended judged = run({"evaluate", name("o.png"), name("hr/input_Cam004.png"), "--camera-of",
                              name("l"), "--json", "-"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    EXPECT_EQ(json::parse(judged.out)["simulated_camera"], manifest["simulated_camera"]);
    const json plain = json::parse(run({"evaluate", name("o.png"), name("hr/input_Cam004.png"),
                                        "--camera-of", name("lr"), "--json", "-"})
                                       .out);
    EXPECT_TRUE(plain["simulated_camera"].is_null());

    // A converted light field keeps the record, and its secret.
    ASSERT_EQ(run({"convert", name("l"), name("c"), "--to", "row_col", "--quiet"}).code, 0);
    const json converted = json::parse(take(at("c/lightfield.json")));
    EXPECT_EQ(converted["simulated_camera"], manifest["simulated_camera"]);
    EXPECT_FALSE(converted["degradation"].contains("blur"));
}

TEST_F(CameraProgram, JitterUsesTheMapsOfTheViewsOrThatOfTheCentre) {
    const auto view = [&] { return read_image(at("l/input_Cam000.png")); };
    ASSERT_EQ(degrade_hr({}).code, 0);
    const Image still = view();
    ASSERT_EQ(degrade_hr({"--jitter", "0.3"}).code, 0);
    const Image exact = view();
    EXPECT_NE(exact, still);
    EXPECT_EQ(read_image(at("l/input_Cam004.png")).width, size / 2);
    for (int k = 0; k < 9; ++k)
        fs::remove(at("hr/gt_disp_lowres_Cam00" + std::to_string(k) + ".pfm"));
    ASSERT_EQ(degrade_hr({"--jitter", "0.3"}).code, 0);
    const Image projected = view();
    double moved = 0, different = 0;
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        moved += std::abs(exact.values[i] - still.values[i]);
        different += std::abs(exact.values[i] - projected.values[i]);
    }
    EXPECT_LT(different, 0.3 * moved);  // they differ where the centre does not see the surface
    fs::remove(at("hr/gt_disp_lowres.pfm"));
    fs::remove_all(at("l"));
    expect_refused(3, "jitter = 0.3 needs to know the disparity", [&] {
        return degrade_hr({"--jitter", "0.3"});
    });
}

TEST_F(CameraProgram, ContradictionsAreRefused) {
    expect_refused(2, "contradicts lens", [&] {
        return degrade_hr({"--camera", "clean", "--blur", "gaussian:1"});
    });
    EXPECT_EQ(degrade_hr({"--camera", "array", "--lens", "none", "--blur", "gaussian:1"}).code, 0);
    fs::remove_all(at("l"));
    expect_refused(2, "vignetting", [&] {
        return run({"degrade", name("hr/input_Cam004.png"), "-o", name("f"), "--frames", "4",
                    "--vignetting", "20", "--quiet"});
    });
    expect_refused(2, "camera-of", [&] {
        return run({"evaluate", name("hr/gt_disp_lowres.pfm"), name("hr/gt_disp_lowres.pfm"),
                    "--disparity", "--camera-of", name("lr")});
    });
}

TEST_F(CameraProgram, FramesHaveACameraToo) {
    const Ended made = run({"degrade", name("hr/input_Cam004.png"), "-o", name("f"), "--frames",
                            "4", "--camera", "lytro", "--colour", "rgb", "--quiet"});
    ASSERT_EQ(made.code, 0) << made.err;
    const json manifest = json::parse(take(at("f/lightfield.json")));
    EXPECT_EQ(manifest["simulated_camera"]["vignetting"], 0);
    EXPECT_EQ(manifest["views"][1]["position"], json::parse("[0.0, 0.5]"));
    EXPECT_NE(manifest["simulated_camera"]["views"][1]["true_position"],
              manifest["views"][1]["position"]);
    const Ended solved = run({"frames", name("f"), "-o", name("o.png"), "--quiet", "--json", "-"});
    ASSERT_EQ(solved.code, 0) << solved.err;
    EXPECT_EQ(json::parse(solved.out)["options"]["blur"], "auto");
}

TEST_F(CameraProgram, RandomScenesUsePhotosOfFilesAndFolders) {
    const auto synth = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"synth",  "-o",       name("s"), "--scene",
                                          "random", "--grid",   "1",       "--width",
                                          "40",     "--height", "30",      "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const auto picture = [&] { return take(at("s/input_Cam000.png")); };
    ASSERT_EQ(synth({"--seed", "4"}).code, 0);
    const std::string plain = picture();
    ASSERT_EQ(synth({"--seed", "5"}).code, 0);
    EXPECT_NE(picture(), plain);
    fs::create_directories(at("photos"));
    fs::copy(at("hr/input_Cam000.png"), at("photos/a.png"));
    fs::copy(at("hr/input_Cam008.png"), at("photos/b.png"));
    ASSERT_EQ(synth({"--seed", "4", "--texture", name("photos")}).code, 0);
    const std::string folder = picture();
    EXPECT_NE(folder, plain);
    const Ended files = synth({"--seed", "4", "--texture", name("photos/a.png"),
                               name("photos/b.png"), "--json", name("s.json")});
    ASSERT_EQ(files.code, 0) << files.err;
    EXPECT_EQ(picture(), folder);
    EXPECT_EQ(json::parse(take(at("s.json")))["textures"].size(), 2U);
    fs::remove_all(at("s"));
    expect_refused(3, "lightfield.json", [&] {
        return synth({"--texture", name("hr/lightfield.json")});
    });
}

}  // namespace
}  // namespace plenosr::test
