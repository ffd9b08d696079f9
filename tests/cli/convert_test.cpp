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
