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
    expect_refused(3, "it is a folder", [&] { return report({name("lr")}); });
    expect_refused(3, "text.png", [&] { return report({"--truth", name("text.png")}); });
    expect_refused(4, ".html", [&] { return run({"report", name("lr"), "-o", name("p.png")}); });
    expect_refused(4, ".html", [&] { return reconstruct_lr({"--report", name("p.png")}); });
    expect_refused(2, "--report", [&] {
        return reconstruct_lr({"-o", name("all"), "--view", "all", "--report", name("p.html")});
    });
    expect_refused(2, "port = 70000", [&] { return run({"view", name("lr"), "--port", "70000"}); });
}

TEST_F(ReportPage, AnInputIsNotOverwritten) {
    fs::copy(at("lr") / "input_Cam004.png", at("input.html"));
    expect_refused(4, "overwrite", [&] {
        return run({"report", name("lr"), "--truth", name("input.html"), "-o", name("input.html")});
    });
}

}  // namespace
}  // namespace plenosr::test
