#include "cli/program.h"
#include "plenosr/options.h"

namespace plenosr::test {
namespace {

class Documents : public Program {
protected:
    const std::string manual_ = take(fs::path(PLENOSR_DOCS) / "cli.md");

    std::string section_of(const std::string& command) const {
        const std::size_t begin = manual_.find("## `plenosr " + command);
        if (begin == std::string::npos) return {};
        return manual_.substr(begin, manual_.find("\n## ", begin) - begin);
    }
    template <class O>
    void expect_in_help(const std::vector<Option<O>>& list, const std::string& command) {
        const std::string help = run({command, "--help-all"}).out;
        for (const Option<O>& option : list)
            EXPECT_NE(help.find("  --" + option.name + " " + option.values + "\n"),
                      std::string::npos)
                << command << " " << option.name;
    }
};

// scripts/update_cli_manual writes these lists.
TEST_F(Documents, TheManualHasTheOptionsOfEveryCommand) {
    for (const char* command : {"reconstruct", "frames", "disparity", "noise", "info", "report",
                                "view", "convert", "evaluate", "synth", "degrade", "demo",
                                "devices", "tune", "plan", "tasks", "work", "experiment", "help"}) {
        const Ended options = run({"help", command, "--markdown"});
        ASSERT_EQ(options.code, 0) << options.err;
        EXPECT_NE(section_of(command).find(options.out), std::string::npos)
            << "run scripts/update_cli_manual: docs/cli.md must have the options of " << command
            << ":\n"
            << options.out;
    }
}

TEST_F(Documents, EveryOptionOfTheListsIsInTheHelpOfItsCommand) {
    expect_in_help(synth_options(), "synth");
    expect_in_help(degrade_options(), "degrade");
    expect_in_help(disparity_options(), "disparity");
    expect_in_help(reconstruct_options(), "reconstruct");
    expect_in_help(frames_options(), "frames");
    expect_in_help(convert_options(), "convert");
    expect_in_help(reconstruct_options(), "plan");
    expect_in_help(frames_options(), "plan");
    for (const char* command :
         {"degrade", "disparity", "noise", "reconstruct", "convert", "info", "plan"})
        expect_in_help(open_options(), command);
}

TEST_F(Documents, EveryKeyOfTheReportIsInTheManual) {
    const Ended ended = reconstruct_lr({"--json", "-"});
    const auto report = nlohmann::json::parse(ended.out);
    for (const auto& item : report.items())
        EXPECT_NE(manual_.find("- `" + item.key() + "`"), std::string::npos) << item.key();
}

TEST_F(Documents, NoLineOfTheManualIsLongerThan120Characters) {
    std::istringstream lines(manual_);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 120U) << line;
}

}  // namespace
}  // namespace plenosr::test
