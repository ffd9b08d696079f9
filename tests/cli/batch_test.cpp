#include <sys/resource.h>
#include <csignal>
#include <cstdlib>
#include <random>
#include <set>

#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

// A folder `scenes` with two light fields, one that lacks views and one without a light field.
class Batch : public Program {
protected:
    Batch() {
        fs::create_directories(at("scenes"));
        fs::rename(at("lr"), at("scenes/a"));
        fs::copy(at("scenes/a"), at("scenes/b"), fs::copy_options::recursive);
        put(at("scenes/b/input_Cam004.png"), take(at("scenes/a/input_Cam003.png")));
        fs::create_directories(at("scenes/broken"));
        put(at("scenes/broken/input_Cam000.png"),
            take(at("scenes/a/input_Cam000.png")).substr(0, 500));
        fs::create_directories(at("scenes/empty"));
    }

    Ended plan(std::vector<std::string> more = {}) const {
        std::vector<std::string> words = {"plan",     "-o",        name("job"),
                                          "--output", name("out"), "--quiet"};
        if (more.empty() || more.front().starts_with("--")) words.push_back(name("scenes"));
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    Ended work(const std::string& task, std::vector<std::string> more = {},
               const RunOptions& options = {}) const {
        more.insert(more.begin(), {"work", name("job"), "--task", task, "--quiet"});
        return run(more, options);
    }
    std::vector<std::string> tasks(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words = {"tasks", name("job")};
        words.insert(words.end(), more.begin(), more.end());
        std::istringstream text(run(words).out);
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);)
            lines.push_back(line);
        return lines;
    }
    void work_on_all() const {
        for (auto ready = tasks(); !ready.empty(); ready = tasks())
            for (const std::string& task : ready) {
                const Ended ended = work(task);
                ASSERT_EQ(ended.code, 0) << ended.err;
            }
    }
    std::set<std::string> names_in(const std::string& folder) const {
        std::set<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(at(folder)))
            if (entry.is_regular_file()) names.insert(entry.path().filename().string());
        return names;
    }
};

TEST_F(Batch, EveryResultIsThatOfASingleRun) {
    ASSERT_EQ(plan({"--colour", "rgb", "--iterations", "3", "--bits", "16"}).code, 0);
    EXPECT_EQ(tasks(), (std::vector<std::string>{"solve:0", "solve:1", "solve:2"}));
    work_on_all();
    for (const char* item : {"a", "b"}) {
        ASSERT_EQ(run({"reconstruct", name("scenes/") + item, "-o", name("one.png"), "--colour",
                       "rgb", "--iterations", "3", "--bits", "16", "--quiet"})
                      .code,
                  0);
        EXPECT_EQ(take(at("out") / (std::string(item) + ".png")), take(at("one.png"))) << item;
    }
    EXPECT_NE(take(at("out/a.png")), take(at("out/b.png")));
    EXPECT_EQ(names_in("out"), (std::set<std::string>{"a.png", "b.png", "index.html", "results.csv",
                                                      "results.json"}));
}

TEST_F(Batch, EveryResultOfBurstsIsThatOfASingleRun) {
    for (const char* seed : {"1", "2"})
        ASSERT_EQ(run({"degrade", name("hr/input_Cam004.png"), "-o", name("bursts/") + seed,
                       "--frames", "4", "--shifts", "grid", "--scale", "2", "--gaussian", "1",
                       "--seed", seed, "--quiet"})
                      .code,
                  0);
    ASSERT_EQ(plan({name("bursts"), "--frames", "--reference", "2"}).code, 0);
    work_on_all();
    for (const char* seed : {"1", "2"}) {
        ASSERT_EQ(run({"frames", name("bursts/") + seed, "-o", name("one.png"), "--reference", "2",
                       "--quiet"})
                      .code,
                  0);
        EXPECT_EQ(take(at("out") / (std::string(seed) + ".png")), take(at("one.png")));
    }
}

// Each step of a video is the run with the estimates of the sample.
TEST_F(Batch, StepsShareTheEstimatesOfASample) {
    ASSERT_EQ(plan({"--sample", "2", "--disparity-from", "estimate"}).code, 0);
    EXPECT_EQ(tasks(), (std::vector<std::string>{"survey:0", "survey:2"}));  // 2 is broken
    EXPECT_EQ(tasks({"--all"})[2], "reduce waiting");
    EXPECT_EQ(tasks({"--all"})[3], "solve:0 waiting a");
    EXPECT_EQ(work("solve:0").code, 3);
    EXPECT_EQ(work("survey:1").code, 2);
    work_on_all();
    const std::string estimates = name("job/estimates.json");
    for (const std::string item : {"a", "b"}) {
        ASSERT_EQ(
            run({"reconstruct", name("scenes/" + item), "-o", name("one.png"), "--estimates",
                 estimates, "--disparity-from", "estimate", "--json", name("one.json"), "--quiet"})
                .code,
            0);
        EXPECT_EQ(take(at("out/" + item + ".png")), take(at("one.png"))) << item;
        const json report = json::parse(take(at("one.json")));
        EXPECT_EQ(report["estimates"], json::parse(take(estimates))["estimates"]) << item;
    }
    // A damaged file is made again.
    const std::string whole = take(estimates);
    put(estimates, whole + " ");
    EXPECT_EQ(tasks(), std::vector<std::string>{"reduce"});
    work_on_all();
    EXPECT_EQ(take(estimates), whole);
}

TEST_F(Batch, EveryFrameOfAVideoIsAStep) {
    ASSERT_EQ(run({"degrade", name("hr/input_Cam004.png"), "-o", name("video"), "--frames", "5",
                   "--shifts", "grid", "--scale", "3", "--gaussian", "1", "--quiet"})
                  .code,
              0);
    std::vector<std::string> frames;
    for (const auto& entry : fs::directory_iterator(at("video")))
        if (entry.path().extension() == ".png") frames.push_back(entry.path().string());
    std::sort(frames.begin(), frames.end());
    ASSERT_EQ(plan({name("video"), "--frames", "--group", "3", "--sample", "1"}).code, 0);
    EXPECT_EQ(tasks(), std::vector<std::string>{"survey:2"});
    work_on_all();
    const auto expect_step = [&](std::size_t step, std::size_t first) {
        ASSERT_EQ(run({"frames", frames[first], frames[first + 1], frames[first + 2], "-o",
                       name("one.png"), "--reference", std::to_string(step - first), "--estimates",
                       name("job/estimates.json"), "--quiet"})
                      .code,
                  0);
        EXPECT_EQ(take(at("out") / (fs::path(frames[step]).stem().string() + ".png")),
                  take(at("one.png")))
            << step;
    };
    expect_step(0, 0);
    expect_step(2, 1);
    expect_step(4, 2);
    expect_refused(3, "has the estimates of frames at scale 2, not of views", [&] {
        return run({"reconstruct", name("scenes/a"), "-o", name("x.png"), "--estimates",
                    name("job/estimates.json"), "--quiet"});
    });
}

// The report of a run has what it measured, which makes a second run the same.
TEST_F(Batch, AReportServesAsEstimates) {
    ASSERT_EQ(run({"reconstruct", name("scenes/a"), "-o", name("one.png"), "--json",
                   name("one.json"), "--quiet"})
                  .code,
              0);
    ASSERT_EQ(run({"reconstruct", name("scenes/a"), "-o", name("two.png"), "--estimates",
                   name("one.json"), "--quiet"})
                  .code,
              0);
    EXPECT_EQ(take(at("two.png")), take(at("one.png")));
    ASSERT_EQ(run({"reconstruct", name("scenes/b"), "-o", name("b.png"), "--estimates",
                   name("one.json"), "--json", name("b.json"), "--quiet"})
                  .code,
              0);
    EXPECT_EQ(json::parse(take(at("b.json")))["lambda"],
              json::parse(take(at("one.json")))["lambda"]);
    expect_refused(3, "\"estimates\" is missing", [&] {
        return run({"reconstruct", name("scenes/a"), "-o", name("x.png"), "--estimates",
                    name("scenes/a/lightfield.json"), "--quiet"});
    });
    expect_refused(2, "--estimates is for one view", [&] {
        return run({"reconstruct", name("scenes/a"), "-o", name("x"), "--view", "all",
                    "--estimates", name("one.json"), "--quiet"});
    });
}

TEST_F(Batch, AnItemThatFailsDoesNotKeepTheOthersFromBeingDone) {
    const Ended ended = run({"plan", name("scenes"), "-o", name("job"), "--output", name("out")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("warning: empty is left out: "), std::string::npos) << ended.out;
    EXPECT_EQ(tasks({"--all"}).back(), "finish waiting");
    EXPECT_EQ(work("finish").code, 3);
    work_on_all();
    const auto all = tasks({"--all"});
    EXPECT_EQ(all[0], "solve:0 done a");
    EXPECT_TRUE(all[2].starts_with("solve:2 failed broken: ")) << all[2];
    EXPECT_TRUE(all[3].starts_with("solve:3 failed empty: ")) << all[3];
    EXPECT_EQ(all[4], "finish done");
    const json results = json::parse(take(at("out/results.json")));
    EXPECT_EQ(results["done"], 2);
    EXPECT_EQ(results["failed"], 2);
    EXPECT_EQ(results["items"][0]["report"]["width"], size);
    const std::string table = take(at("out/results.csv"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
    const std::string page = take(at("out/index.html"));
    EXPECT_NE(page.find("href=\"./a.png\""), std::string::npos);
    EXPECT_NE(page.find("data:image/jpeg;base64,"), std::string::npos);
    EXPECT_NE(page.find("<b>empty</b>: "), std::string::npos);
}

TEST_F(Batch, AKilledTaskIsDoneAgainAndLeavesNothing) {
    ASSERT_EQ(plan().code, 0);
    const char* chosen = std::getenv("PLENOSR_TEST_KILLS");
    const int kills = chosen != nullptr ? std::atoi(chosen) : 3;
    std::mt19937 random{std::random_device{}()};
    std::uniform_real_distribution<double> moment(0, 0.3);
    for (int i = 0; i < kills; ++i) {
        work("solve:1", {}, {{}, SIGKILL, {}, after(moment(random))});
        const auto all = tasks({"--all"});
        if (all[1] == "solve:1 done b") fs::remove(at("job/parts/solve-1.json"));
    }
    // Of a machine that is gone.
    fs::create_directories(at("out"));
    put(at("out/.a.png.tmp-01234567-77-0"), "part");
    work_on_all();
    for (const std::string& file : names_in("out"))
        EXPECT_EQ(file.find(".tmp-"), std::string::npos) << file;
    for (const std::string& file : names_in("job"))
        EXPECT_EQ(file.find(".tmp-"), std::string::npos) << file;
    ASSERT_EQ(run({"reconstruct", name("scenes/b"), "-o", name("one.png"), "--quiet"}).code, 0);
    EXPECT_EQ(take(at("out/b.png")), take(at("one.png")));
}

TEST_F(Batch, DamagedPartsAndResultsAreMadeAgain) {
    ASSERT_EQ(plan().code, 0);
    work_on_all();
    const std::string whole = take(at("out/a.png"));
    // A part that is damaged is none.
    std::string part = take(at("job/parts/solve-0.json"));
    part.replace(part.find("\"width\""), 7, "\"Width\"");
    put(at("job/parts/solve-0.json"), part);
    EXPECT_EQ(tasks(), std::vector<std::string>{"solve:0"});
    work_on_all();
    // A result of the right size is found out by finish.
    std::string bits = whole;
    bits[bits.size() / 2] = char(~bits[bits.size() / 2]);
    put(at("out/a.png"), bits);
    const Ended refused = work("finish", {"--again"});
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.err.find("is damaged or was changed"), std::string::npos) << refused.err;
    EXPECT_EQ(tasks(), std::vector<std::string>{"solve:0"});
    work_on_all();
    EXPECT_EQ(take(at("out/a.png")), whole);
    // A part of another task is none.
    fs::copy_file(at("job/parts/solve-0.json"), at("job/parts/solve-1.json"),
                  fs::copy_options::overwrite_existing);
    EXPECT_EQ(tasks(), std::vector<std::string>{"solve:1"});
}

TEST_F(Batch, ATaskIsRefusedInOneSentence) {
    ASSERT_EQ(plan().code, 0);
    expect_refused(2, "task = solve:4 must be solve:0 to solve:3, or finish",
                   [&] { return work("solve:4"); });
    expect_refused(2, "task = solve:01 must be", [&] { return work("solve:01"); });
    expect_refused(3, "must wait for solve:0 (a)", [&] { return work("finish"); });
    expect_refused(3, "it has no plan.json; plenosr plan makes", [&] {
        return run({"tasks", name("scenes")});
    });
    expect_refused(3, "it does not exist", [&] { return run({"tasks", name("nothing")}); });
    RunOptions limited;
    limited.in_child = [] {
        const rlimit small{4096, 4096};
        setrlimit(RLIMIT_FSIZE, &small);
    };
    expect_refused(4, "cannot be written: File too large",
                   [&] { return work("solve:0", {}, limited); });

    const std::string before = take(at("scenes/a/input_Cam000.png"));
    put(at("scenes/a/input_Cam000.png"), take(at("scenes/a/input_Cam001.png")));
    expect_refused(3, "changed after the job was planned", [&] { return work("solve:0"); });
    put(at("scenes/a/input_Cam000.png"), before);

    const std::string text = take(at("job/plan.json"));
    std::string other = text;
    other.replace(other.find("\"version\": \"") + 12, 1, "9");
    put(at("job/plan.json"), other);
    expect_refused(3, "use the same program, or plan the job anew",
                   [&] { return work("solve:0"); });
    EXPECT_EQ(tasks().size(), 3U);
}

TEST_F(Batch, AHostilePlanIsRefused) {
    ASSERT_EQ(plan().code, 0);
    const std::string text = take(at("job/plan.json"));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string changed = text;
        changed.replace(changed.find(from), from.size(), to);
        put(at("job/plan.json"), changed);
    };
    const auto expect = [&](const std::string& about) {
        expect_refused(3, about, [&] { return work("solve:0"); });
    };
    with("\"name\": \"a\"", "\"name\": \"../a\"");
    expect("cannot be the name of a result");
    with("\"name\": \"a\"", "\"name\": \"b\"");
    expect("two items have the name b");
    with(name("scenes/a"), "scenes/a");
    expect("must be absolute");
    with(name("scenes/a"), name("scenes/../scenes/a"));
    expect("must be absolute and without \"..\"");
    with("\".png\"", "\"/../x.png\"");
    expect("is no extension of a picture");
    with("\"options\": {}", "\"options\": {\"blur\": \"psf:" + name("hr/input_Cam000.png") + "\"}");
    expect("does not list the files that its options name");
    with("{", "");
    expect("it is no JSON");
}

TEST_F(Batch, APlanIsRefusedBeforeAnythingIsWritten) {
    expect_refused(2, "--register is for bursts, so it needs --frames", [&] {
        return plan({"--register", "flow"});
    });
    expect_refused(2, "--view is for light fields, not for bursts", [&] {
        return plan({"--frames", "--view", "1,1"});
    });
    expect_refused(2, "scale = 1 must be", [&] { return plan({"--scale", "1"}); });
    expect_refused(4, "it lies within the input", [&] {
        return run({"plan", name("scenes"), "-o", name("scenes/job"), "--output", name("out")});
    });
    expect_refused(4, "it lies within the input", [&] {
        return run({"plan", name("scenes"), "-o", name("job"), "--output", name("scenes/a/x")});
    });
    expect_refused(4, "it exists and is no job", [&] {
        return run({"plan", name("scenes"), "-o", name("hr"), "--output", name("out"), "--quiet"});
    });
    ASSERT_EQ(plan().code, 0);
    EXPECT_EQ(plan().code, 0);  // the same plan again
    expect_refused(4, "it holds another plan", [&] { return plan({"--scale", "3"}); });
}

TEST_F(Batch, WhatIsLeftIsEstimatedFromWhatIsDone) {
    ASSERT_EQ(plan().code, 0);
    expect_refused(3, "has no item that is done", [&] {
        return run({"tasks", name("job"), "--estimate", "2"});
    });
    ASSERT_EQ(work("solve:0").code, 0);
    EXPECT_TRUE(tasks({"--estimate", "2"})[0].starts_with("2 items left, about "));
    expect_refused(2, "estimate = 0 must be at least 1", [&] {
        return run({"tasks", name("job"), "--estimate", "0"});
    });
    work_on_all();
    EXPECT_EQ(tasks({"--estimate", "2"}), std::vector<std::string>{"no item is left"});
}

TEST_F(Batch, GivingUpAnItemLetsTheJobEnd) {
    put(at("list.txt"), "# two items\nscenes/a\nscenes/b\n");
    ASSERT_EQ(run({"plan", "--list", name("list.txt"), "-o", name("job"), "--output", name("out"),
                   "--quiet"})
                  .code,
              0);
    ASSERT_EQ(work("solve:0", {"--give-up", "too large for every machine"}).code, 0);
    work_on_all();
    EXPECT_EQ(tasks({"--all"})[0], "solve:0 failed a: too large for every machine");
    ASSERT_EQ(work("solve:0", {"--again"}).code, 0);
    EXPECT_EQ(tasks(), std::vector<std::string>{"finish"});
}

}  // namespace
}  // namespace plenosr::test
