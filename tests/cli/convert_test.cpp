#include "cli/program.h"

namespace plenosr::test {
namespace {

class ConvertProgram : public Program {
protected:
    nlohmann::json info(const std::string& file, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {"info", name(file), "--json", "-", "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 0) << ended.err;
        return nlohmann::json::parse(ended.out);
    }
    void convert(const std::vector<std::string>& more) {
        std::vector<std::string> words = {"convert", "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_EQ(ended.out, "");
    }
};

TEST_F(ConvertProgram, FromFolderToFileAndBackNothingIsLost) {
    for (const char* file : {"a.npy", "a.h5", "a.png", "a.tif"}) {
        convert({name("hr"), name(file)});
        convert({name(file), name("back"), "--grid", "3x3", "--format",
                 info(file, {"--grid", "3"})["format"]});
        for (int i = 0; i < 9; ++i) {
            const std::string view = "/input_Cam00" + std::to_string(i) + ".png";
            EXPECT_EQ(read_image(at("back" + view)), read_image(at("hr" + view))) << file;
        }
        fs::remove_all(at("back"));
    }
}

TEST_F(ConvertProgram, ReconstructionFromAFileIsTheSame) {
    EXPECT_EQ(reconstruct_lr({"-o", name("a.png")}).code, 0);
    convert({name("lr"), name("lr.h5")});
    // The file does not record scale and blur.
    const Ended ended = run({"reconstruct", name("lr.h5"), "-o", name("b.png"), "--scale", "2",
                             "--blur", "gaussian", "--quiet"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(take(at("a.png")), take(at("b.png")));
}

TEST_F(ConvertProgram, AFileIsDegradedIntoAList) {
    convert({name("hr"), name("hr.h5")});
    const Ended ended = run({"degrade", name("hr.h5"), "-o", name("low"), "--quiet"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(info("low")["format"], "list");
    EXPECT_EQ(info("low")["width"], size / 2);
    for (const char* from : {"lowres", "full"})
        EXPECT_EQ(run({"reconstruct", name("low"), "-o", name("c.png"), "--disparity-from", from,
                       "--quiet"})
                      .code,
                  0);
}

TEST_F(ConvertProgram, MapsAndPreviewsAreWritten) {
    convert({name("hr"), name("a.npy"), "--disparity", name("d.png"), "--preview", name("p.png")});
    const Image map = read_disparity(at("d.png"));
    const Image truth = read_pfm(at("hr/gt_disp_lowres.pfm"));
    for (std::size_t i = 0; i < map.values.size(); ++i)
        EXPECT_NEAR(map.values[i], truth.values[i], 1e-3);
    EXPECT_EQ(read_image(at("p.png")).channels, 3);
    EXPECT_EQ(run({"reconstruct", name("lr"), "-o", name("o.png"), "--disparity", name("d.png"),
                   "--quiet"})
                  .code,
              0);
}

// Maps, recorded maps and true pictures of the whole views are cropped as the views are.
TEST_F(ConvertProgram, APartIsReconstructedAsIfItWereAllThereIs) {
    const std::string part = "16x14+5+3";
    convert({name("lr"), name("part"), "--crop", part});
    convert({name("hr"), name("hr_part"), "--crop", "32x28+10+6"});
    const auto report = [&](const char* file) { return nlohmann::json::parse(take(at(file))); };
    EXPECT_EQ(run({"reconstruct", name("part"), "-o", name("a.png"), "--truth",
                   name("hr_part/input_Cam004.png"), "--json", name("a.json"), "--quiet"})
                  .code,
              0);
    EXPECT_EQ(reconstruct_lr({"-o", name("b.png"), "--crop", part, "--truth",
                              name("hr/input_Cam004.png"), "--json", name("b.json")})
                  .code,
              0);
    EXPECT_EQ(take(at("a.png")), take(at("b.png")));
    EXPECT_EQ(report("a.json")["psnr"], report("b.json")["psnr"]);
    EXPECT_EQ(report("b.json")["crop"],
              nlohmann::json({{"x", 5}, {"y", 3}, {"width", 16}, {"height", 14}}));
    EXPECT_TRUE(report("a.json")["crop"].is_null());

    EXPECT_EQ(reconstruct_lr({"-o", name("full"), "--crop", part, "--disparity-from", "full",
                              "--view", "all", "--truth", name("hr"), "--json", name("c.json")})
                  .code,
              0);
    EXPECT_EQ(read_image(at("full/input_Cam004.png")).width, 32);
    for (const auto& view : report("c.json")["views"])
        EXPECT_GT(view["psnr"], 20.0) << view;
    EXPECT_EQ(run({"disparity", name("lr"), "-o", name("map.pfm"), "--crop", part, "--quiet"}).code,
              0);
    EXPECT_EQ(read_pfm(at("map.pfm")).height, 14);
}

TEST_F(ConvertProgram, PartsThatDoNotExistOrDoNotFitAreRefused) {
    expect_refused(2, "have 24x24", [&] { return reconstruct_lr({"--crop", "16x14+9+3"}); });
    write_image(at("small.png"), Image(20, 20, 1, 9));
    expect_refused(3, "whole view of 24x24", [&] {
        return reconstruct_lr({"--crop", "16x14+5+3", "--truth", name("small.png")});
    });
    put(at("nodes.json"),
        R"({"plenosr_psf_grid": 1, "rows": 1, "cols": 2, "psfs": ["gaussian:0.6", "gaussian:0.9"]})");
    expect_refused(2, "belongs to whole views", [&] {
        return reconstruct_lr({"--crop", "16x14+5+3", "--psf-grid", name("nodes.json")});
    });
    const Ended made = run(
        {"degrade", name("hr"), "-o", name("low"), "--psf-grid", name("nodes.json"), "--quiet"});
    EXPECT_EQ(made.code, 0) << made.err;
    const Ended ended = run({"convert", name("low"), name("low_part"), "--crop", "16x14+5+3"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("belongs to whole views"), std::string::npos) << ended.out;
    const std::string manifest = take(at("low_part/lightfield.json"));
    EXPECT_EQ(manifest.find("psf-grid"), std::string::npos) << manifest;
}

TEST_F(ConvertProgram, InfoReportsSuspiciousViews) {
    EXPECT_EQ(info("hr")["findings"], nlohmann::json::array());
    fs::copy_file(at("hr/input_Cam001.png"), at("hr/input_Cam002.png"),
                  fs::copy_options::overwrite_existing);
    write_image(at("hr/input_Cam000.png"), Image(size, size, 3));
    const auto findings = info("hr")["findings"];
    std::string kinds;
    for (const auto& finding : findings)
        kinds += finding["kind"].get<std::string>() + " ";
    EXPECT_NE(kinds.find("black"), std::string::npos) << kinds;
    EXPECT_NE(kinds.find("duplicate"), std::string::npos) << kinds;
    EXPECT_TRUE(info("hr", {"--fast"})["findings"].is_null());
    const Ended ended = run({"info", name("hr")});
    EXPECT_EQ(run({"info", name("hr"), "--quiet"}).out, "");
    EXPECT_NE(ended.out.find("suspicious"), std::string::npos);
}

TEST_F(ConvertProgram, InvalidArgumentsAreRefusedInOneSentence) {
    expect_refused(2, "resize", [&] {
        return run({"convert", name("hr"), name("o"), "--resize", "-1"});
    });
    expect_refused(2, "crop", [&] {
        return run({"convert", name("hr"), name("o"), "--crop", "10x10"});
    });
    expect_refused(2, "grid", [&] { return run({"info", name("hr"), "--grid", "0x3"}); });
    expect_refused(2, "format", [&] { return run({"info", name("hr"), "--format", "film"}); });
    expect_refused(2, "pattern", [&] { return run({"info", name("hr"), "--pattern", "{row}"}); });
    expect_refused(2, "cannot be written", [&] {
        return run({"convert", name("hr"), name("o"), "--to", "mat", "--quiet"});
    });
    expect_refused(4, "overwrite", [&] { return run({"convert", name("hr"), name("hr")}); });
    write_image(at("plain.png"), Image(12, 12, 1, 9));
    expect_refused(3, "no disparity map", [&] {
        return run(
            {"convert", name("plain.png"), name("o"), "--grid", "2x2", "--preview", name("p.png")});
    });
    expect_refused(3, "--grid", [&] { return run({"info", name("plain.png")}); });
    expect_refused(2, "the light field is missing", [&] { return run({"info"}); });
}

TEST_F(ConvertProgram, TheTableOfFormatsIsTheDocuments) {
    const std::string table = run({"info", "--formats"}).out;
    ASSERT_NE(table.find("| `hci` |"), std::string::npos);
    EXPECT_NE(take(fs::path(PLENOSR_DOCS) / "formats.md").find(table), std::string::npos)
        << "docs/formats.md must hold what plenosr info --formats prints:\n"
        << table;
}

}  // namespace
}  // namespace plenosr::test
