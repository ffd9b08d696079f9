#include "batch/plan_file.h"
#include "target.h"

// Whoever wrote the plan, its paths are plain and its results lie in OUT. A parsed plan can be
// written and parsed again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    namespace fs = std::filesystem;
    return fuzz::run(data, size, [](const std::string& text) {
        const BatchPlan plan = parse_plan("/job/plan.json", text);
        const auto require_plain = [](const fs::path& path) {
            fuzz::require(path.is_absolute() && path == path.lexically_normal());
        };
        require_plain(plan.output);
        for (const fs::path& file : plan.option_files)
            require_plain(file);
        for (const BatchItem& item : plan.items) {
            fuzz::require(!item.inputs.empty());
            for (const fs::path& input : item.inputs)
                require_plain(input);
            const fs::path result = plan.output / (item.name + plan.extension);
            fuzz::require(result.parent_path() == plan.output || plan.output.filename().empty());
            fuzz::require(result == result.lexically_normal());
        }
        const std::string written = format_plan(plan);
        fuzz::require(format_plan(parse_plan("/job/plan.json", written)) == written);
    });
}
