#include "cli/program.h"

namespace plenosr::test {
namespace {

class ReportPage : public Program {
protected:
    Ended report(const std::vector<std::string>& more) const {
        std::vector<std::string> words = {"report", name("lr"), "-o", name("page.html"), "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    // What the page shows.
    nlohmann::json data() const {
        const std::string page = take(at("page.html"));
        const std::string begin = "<script type=\"application/json\" id=\"data\">";
        const std::size_t from = page.find(begin) + begin.size();
        return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
    }
};

TEST_F(ReportPage, ShowsTheViewsTheResultAndItsReport) {
    ASSERT_EQ(reconstruct_lr({"--json", name("out.json")}).code, 0);
    ASSERT_EQ(report({name("out.json")}).code, 0);
    const nlohmann::json shown = data();
    EXPECT_EQ(shown["views"].size(), 9U);
    EXPECT_EQ(shown["results"][0]["name"], "bicubic ×2");
    EXPECT_EQ(shown["results"][1]["name"], "out.png");
    EXPECT_EQ(shown["maps"][0]["kind"], "disparity");
    EXPECT_EQ(shown["runs"][0]["report"], nlohmann::json::parse(take(at("out.json"))));
}

TEST_F(ReportPage, OfARunShowsTheSamePictures) {
    ASSERT_EQ(reconstruct_lr({"--json", name("out.json"), "--report", name("run.html")}).code, 0);
    ASSERT_EQ(report({name("out.json")}).code, 0);
    const nlohmann::json own = data();
    fs::rename(at("run.html"), at("page.html"));
    const nlohmann::json of_run = data();
    EXPECT_EQ(own["views"], of_run["views"]);
    EXPECT_EQ(own["results"], of_run["results"]);
}

TEST_F(ReportPage, IsTheSameForTheSameInput) {
    ASSERT_EQ(report({}).code, 0);
    const std::string first = take(at("page.html"));
    ASSERT_EQ(report({}).code, 0);
    EXPECT_EQ(take(at("page.html")), first);
}

TEST_F(ReportPage, LoadsNothingFromOutside) {
    ASSERT_EQ(report({}).code, 0);
    const std::string page = take(at("page.html"));
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    for (const char* outside : {"src=\"http", "href=\"http", "url(http", "@import", "src=\"//"})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

TEST_F(ReportPage, TextCannotEndItsElement) {
    const std::string hostile = "<script>alert(1)<!--";
    fs::rename(at("lr"), at(hostile));
    ASSERT_EQ(run({"report", name(hostile), "-o", name("page.html"), "--quiet"}).code, 0);
    EXPECT_EQ(take(at("page.html")).find(hostile), std::string::npos);
    EXPECT_EQ(data()["title"], hostile);
}

TEST_F(ReportPage, UnusableInputIsRefused) {
    put(at("list.json"), "[1, 2]");
    put(at("cut.json"), "{\"version\": ");
    put(at("text.png"), "no picture");
    expect_refused(3, "does not exist", [&] { return report({name("nothing.png")}); });
    expect_refused(3, "no JSON report", [&] { return report({name("list.json")}); });
    expect_refused(3, "no JSON report", [&] { return report({name("cut.json")}); });
    expect_refused(3, "text.png", [&] { return report({name("text.png")}); });
    fs::create_directory(at("empty"));
    expect_refused(3, "empty", [&] { return report({name("empty")}); });
    expect_refused(3, "text.png", [&] { return report({"--truth", name("text.png")}); });
    expect_refused(4, ".html", [&] { return run({"report", name("lr"), "-o", name("p.png")}); });
    expect_refused(4, ".html", [&] { return reconstruct_lr({"--report", name("p.png")}); });
    put(at("film.json"), "{\"version\": 1, \"output\": \"" + name("lr/input_Cam000.png") +
                             "\", \"film\": {\"file\": \"" + name("lr/input_Cam001.png") +
                             "\", \"iterations\": [0, 3]}}");
    expect_refused(3, "2 iterations", [&] { return report({name("film.json")}); });
    expect_refused(2, "port = 70000", [&] { return run({"view", name("lr"), "--port", "70000"}); });
}

TEST_F(ReportPage, HasTheKeptIterations) {
    ASSERT_EQ(reconstruct_lr({"--json", name("out.json"), "--report", name("run.html"),
                              "--keep-iterations", "2", "--iterations", "5", "--denoiser", "none",
                              "--refine-disparity", "0", "--tolerance", "0"})
                  .code,
              0);
    const auto known = nlohmann::json::parse(take(at("out.json")))["film"];
    EXPECT_EQ(known["file"], name("out.iterations.tif"));
    EXPECT_EQ(known["iterations"], nlohmann::json({0, 2, 4, 5}));
    ASSERT_EQ(report({name("out.json")}).code, 0);
    const nlohmann::json stored = data()["series"][0];
    EXPECT_EQ(stored["iterations"], known["iterations"]);
    EXPECT_EQ(stored["pictures"].size(), 4U);
    EXPECT_EQ(stored["pictures"][3]["url"], data()["results"][1]["url"])
        << "the last is the result";
    EXPECT_NE(stored["pictures"][0]["url"], stored["pictures"][1]["url"]);
    fs::rename(at("run.html"), at("page.html"));
    EXPECT_EQ(data()["series"][0]["iterations"], known["iterations"]);
    fs::remove(at("out.iterations.tif"));
    ASSERT_EQ(report({name("out.json")}).code, 0);
    EXPECT_NE(data()["notes"].dump().find("kept iterations"), std::string::npos);
}

TEST_F(ReportPage, KeptIterationsNeedOneViewAndAFile) {
    expect_refused(2, "keep-iterations = 1", [&] {
        return reconstruct_lr({"-o", name("all"), "--view", "all", "--keep-iterations", "1"});
    });
    expect_refused(2, "-o", [&] { return reconstruct_lr({"-o", "-", "--keep-iterations", "1"}); });
    expect_refused(2, "keep-iterations = -1", [&] {
        return reconstruct_lr({"--keep-iterations", "-1"});
    });
    fs::create_directory(at("out.iterations.tif"));
    expect_refused(4, "out.iterations.tif", [&] {
        return reconstruct_lr({"--keep-iterations", "1"});
    });
}

TEST_F(ReportPage, OfAllViewsHasEachView) {
    ASSERT_EQ(run({"reconstruct", name("lr"), "-o", name("all"), "--view", "all", "--report",
                   name("page.html"), "--json", name("all.json"), "--iterations", "1", "--quiet"})
                  .code,
              0);
    const nlohmann::json of_run = data();
    ASSERT_EQ(of_run["series"].size(), 2U);
    EXPECT_EQ(of_run["series"][0]["name"], "bicubic ×2");
    EXPECT_EQ(of_run["series"][1]["name"], "all");
    EXPECT_EQ(of_run["series"][1]["positions"].size(), 9U);
    EXPECT_EQ(of_run["series"][1]["pictures"][4]["width"],
              2 * of_run["views"][4]["picture"]["width"].get<int>());
    ASSERT_EQ(report({name("all.json")}).code, 0);
    EXPECT_EQ(data()["series"], of_run["series"]);
    ASSERT_EQ(report({name("all")}).code, 0);
    EXPECT_EQ(data()["series"], of_run["series"]);
}

TEST_F(ReportPage, ViewsInOneArrayOrPictureAreThoseInFiles) {
    ASSERT_EQ(report({"--lossless"}).code, 0);
    const nlohmann::json in_files = data()["views"];
    for (const char* format : {"lf.npy", "lf.h5", "lf.png"}) {
        const bool sheet = std::string(format) == "lf.png";
        std::vector<std::string> words = {"convert", name("lr"), name(format), "--quiet"};
        if (sheet) words.insert(words.end(), {"--to", "mosaic"});
        ASSERT_EQ(run(words).code, 0) << format;
        words = {"report", name(format), "-o", name("page.html"), "--quiet", "--lossless"};
        if (sheet) words.insert(words.end(), {"--grid", "3x3"});
        ASSERT_EQ(run(words).code, 0) << format;
        const nlohmann::json views = data()["views"];
        ASSERT_EQ(views.size(), in_files.size());
        for (std::size_t i = 0; i < views.size(); ++i)
            EXPECT_EQ(views[i]["picture"]["url"], in_files[i]["picture"]["url"]) << format << i;
    }
}

TEST_F(ReportPage, AnInputIsNotOverwritten) {
    fs::copy(at("lr") / "input_Cam004.png", at("input.html"));
    expect_refused(4, "overwrite", [&] {
        return run({"report", name("lr"), "--truth", name("input.html"), "-o", name("input.html")});
    });
}

}  // namespace
}  // namespace plenosr::test
