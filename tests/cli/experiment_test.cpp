#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class Experiments : public Program {
protected:
    Ended experiment(const std::vector<std::string>& more) const {
        std::vector<std::string> words = {"experiment"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        std::istringstream list(experiment({"list"}).out);
        for (std::string line; std::getline(list, line);)
            found.push_back(line.substr(0, line.find(' ')));
        return found;
    }
};

TEST_F(Experiments, AllOfThemMakePagesPlotsAndOneSelfContainedDocument) {
    const Ended ended = experiment({"all", "--quick", "-o", name("results"), "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const std::vector<std::string> all = names();
    ASSERT_EQ(all.size(), 11U);
    const std::string html = take(at("results/index.html"));
    for (const std::string& one : all) {
        const fs::path folder = at("results") / one;
        const json report = json::parse(take(folder / (one + ".json")));
        const std::string page = take(folder / (one + ".md"));
        EXPECT_NE(page.find("plenosr experiment " + one), std::string::npos) << page;
        EXPECT_NE(page.find("commit "), std::string::npos);
        ASSERT_FALSE(report["tables"].empty()) << one;
        for (const auto& [table, rows] : report["tables"].items()) {
            EXPECT_FALSE(rows.empty()) << table;
            EXPECT_GT(fs::file_size(folder / (table + ".csv")), 20U);
        }
        int plots = 0;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() != ".svg") continue;
            ++plots;
            EXPECT_NE(take(entry.path()).find("</svg>"), std::string::npos) << entry.path();
            const Image png = read_image(fs::path(entry.path()).replace_extension(".png"));
            EXPECT_GT(png.width, 200);
        }
        EXPECT_GT(plots, 0) << one;
        EXPECT_NE(html.find("<section id=\"" + one + "\">"), std::string::npos);
    }
    // every picture is inside
    for (std::size_t at = 0; (at = html.find("src=\"", at)) != std::string::npos; ++at)
        EXPECT_EQ(html.compare(at, 10, "src=\"data:"), 0) << html.substr(at, 40);
}

TEST_F(Experiments, TakeScenesOfAnyFolderAndSayWhichStandIn) {
    fs::create_directories(at("data"));
    fs::copy(name("hr"), at("data/dishes"), fs::copy_options::recursive);
    const Ended ended = experiment({"iterations", "--data", name("data"), "-o", name("results")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("the paper's 29.53"), std::string::npos) << ended.out;
    const Ended other = experiment({"motion-blur", "--data", name("data"), "-o", name("results")});
    ASSERT_EQ(other.code, 0) << other.err;
    EXPECT_NE(other.out.find("dishes is used instead"), std::string::npos) << other.out;
    EXPECT_EQ(other.out.find("the paper's 35.43"), std::string::npos) << "not the paper's scene";
}

TEST_F(Experiments, AddTheResultsOfOtherMethods) {
    fs::create_directories(at("data"));
    fs::create_directories(at("other"));
    fs::copy(name("hr"), at("data/dishes"), fs::copy_options::recursive);
    Image nearly = read_image(fs::path(name("hr")) / "input_Cam004.png");
    for (float& value : nearly.values)
        value += value < 128 ? 1.0F : -1.0F;
    write_image(at("other/dishes_20_5.png"), nearly);
    const Ended ended = experiment({"noise-table", "--data", name("data"), "--model", "paper",
                                    "--add", "nearly=" + name("other"), "-o", name("results")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("3 results of nearly: no such file"), std::string::npos) << ended.out;
    const json report = json::parse(take(at("results/noise-table/noise-table.json")));
    int seen = 0;
    for (const json& row : report["tables"]["noise-raw"])
        if (row["method"] == "nearly") {
            ++seen;
            EXPECT_NEAR(row["PSNR"].get<double>(), 48.5, 1.5);
        }
    EXPECT_EQ(seen, 1);
}

TEST_F(Experiments, TheCleanTableAveragesViewsThenScenesBesidePublishedRows) {
    fs::create_directories(at("data"));
    fs::copy(name("hr"), at("data/dishes"), fs::copy_options::recursive);
    const Ended ended = experiment({"clean-table", "--data", name("data"), "-o", name("results")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json tables = json::parse(take(at("results/clean-table/clean-table.json")))["tables"];
    for (const int scale : {2, 4}) {
        double sum = 0;
        double bicubic = 0;
        int views = 0;
        for (const json& row : tables["clean-raw"])
            if (row["scale"] == scale) {
                sum += row["PSNR"].get<double>();
                bicubic += row["bicubic"].get<double>();
                ++views;
            }
        EXPECT_EQ(views, 9);
        int seen = 0;
        for (const json& row : tables["clean-means"]) {
            if (row["scale"] != scale) continue;
            if (row["method"] == "PlenoSR") {
                EXPECT_NEAR(row["PSNR"].get<double>(), sum / views, 1e-9);
                EXPECT_NEAR(row["over bicubic"].get<double>(), (sum - bicubic) / views, 1e-9);
                ++seen;
            } else if (row["method"] == "EPIT, published") {
                EXPECT_EQ(row["PSNR"].get<double>(), scale == 2 ? 38.23 : 31.51);
                ++seen;
            }
        }
        EXPECT_EQ(seen, 2);
    }
}

TEST_F(Experiments, RefuseWhatTheyCannotDoInOneSentence) {
    struct Fault {
        std::vector<std::string> words;
        int code;
        std::string about;
    };
    const std::vector<Fault> faults = {
        {{"nonsense"}, 2, "there is no experiment nonsense"},
        {{"inputs", "--data", name("nowhere")}, 3, "nowhere of --data does not exist"},
        {{"inputs", "--model", "best"}, 2, "paper|auto|both"},
        {{"noise-table", "--add", "other"}, 2, "must be NAME=DIR"},
        {{"noise-table", "--add", "other=" + name("nowhere")}, 3, "of --add does not exist"},
        {{"inputs", "--device", "fast"}, 2, "device"},
        {{"clean-table", "--view", "2,2"}, 2, "all|centre"},
    };
    for (const Fault& fault : faults)
        expect_refused(fault.code, fault.about, [&] { return experiment(fault.words); });
    fs::create_directories(at("empty"));
    expect_refused(3, "no light field", [&] {
        return experiment({"inputs", "--data", name("empty"), "-o", name("results")});
    });
}

TEST_F(Experiments, WithoutGnuplotThePageSaysThatFiguresAreMissing) {
    RunOptions without;
    without.in_child = [] { setenv("PATH", "/nowhere", 1); };
    const Ended ended = run({"experiment", "weights", "--quick", "-o", name("results")}, without);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("gnuplot was not found"), std::string::npos) << ended.out;
    EXPECT_FALSE(fs::exists(at("results/weights/weights-auto.svg")));
    EXPECT_TRUE(fs::exists(at("results/weights/weights.csv")));
}

}  // namespace
}  // namespace plenosr::test
