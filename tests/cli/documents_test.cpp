#include "cli/program.h"
#include "plenosr/options.h"

namespace plenosr::test {
namespace {

class Documents : public Program {
protected:
    template <class O>
    void expect_described(const std::vector<Option<O>>& list, const std::string& command) {
        const std::string help = run({command, "--help"}).out;
        const std::string manual = take(fs::path(PLENOSR_DOCS) / "cli.md");
        const std::size_t begin = manual.find("## `plenosr " + command);
        ASSERT_NE(begin, std::string::npos) << command;
        const std::string section = manual.substr(begin, manual.find("\n## ", begin) - begin);
        const O defaults;
        for (const Option<O>& option : list) {
            EXPECT_NE(help.find("  --" + option.name + " " + option.values + "\n"),
                      std::string::npos)
                << option.name;
            const std::size_t row = section.find("| `--" + option.name + " ");
            ASSERT_NE(row, std::string::npos) << command << " --" << option.name;
            const std::string line = section.substr(row, section.find('\n', row) - row);
            const bool recorded = option.name == "scale" && command == "reconstruct";
            EXPECT_TRUE(recorded ||
                        line.find("| " + option.show(defaults) + " |") != std::string::npos)
                << line << " lacks the default " << option.show(defaults);
        }
    }
};

TEST_F(Documents, EveryOptionIsInTheHelpAndInTheManualWithItsDefault) {
    expect_described(synth_options(), "synth");
    expect_described(degrade_options(), "degrade");
    expect_described(disparity_options(), "disparity");
    expect_described(reconstruct_options(), "reconstruct");
    expect_described(frames_options(), "frames");
    expect_described(convert_options(), "convert");
    for (const char* command : {"degrade", "disparity", "reconstruct", "convert", "info"})
        expect_described(open_options(), command);
}

TEST_F(Documents, EveryKeyOfTheReportIsInTheManual) {
    const Ended ended = reconstruct_lr({"--json", "-"});
    const std::string manual = take(fs::path(PLENOSR_DOCS) / "cli.md");
    const auto report = nlohmann::json::parse(ended.out);
    for (const auto& item : report.items())
        EXPECT_NE(manual.find("| `" + item.key() + "` |"), std::string::npos) << item.key();
}

}  // namespace
}  // namespace plenosr::test
