#include <fmt/format.h>

#include <memory>

#include "bind_options.h"
#include "command.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "plenosr/outputs.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string input;
    std::string output;
    std::string disparity;
    std::string preview;
    BoundOptions<OpenOptions> open;
    BoundOptions<ConvertOptions> options;
    Report report;
};

constexpr const char* footer =
    "Views and maps are read, selected, cropped, resized, equalised, converted and written.\n"
    "\n"
    "Examples:\n"
    "  plenosr convert hci/dishes dishes.h5\n"
    "  plenosr convert lytro_eslf.png views --views 9x9 --equalise on\n"
    "  plenosr convert sheet.png views --grid 5x5 --to row_col --names 'SAI_{row:2}_{col:2}.png'\n"
    "  plenosr convert scene.mat scene --bits 16 --crop 256x256+100+60\n"
    "  plenosr convert scene scene.npy --disparity centre.npy --preview centre.png\n";

// OUT is a folder unless its extension stands for a file format.
void require_writable_output(const Arguments& a, const ConvertOptions& options) {
    const std::string format =
        options.to != "auto" ? options.to : format_for_output(a.output, LightField{});
    for (const FormatDescription& known : light_field_formats()) {
        if (known.name != format) continue;
        if (known.one_file) return require_writable_file(a.output);
        require_folder_name(a.output, fmt::format("in the format {}", format));
        return require_writable_folder(a.output);
    }
}

void require_map(const std::string& flag, const std::string& file, const ConvertResult& result,
                 const std::string& input) {
    if (!file.empty() && result.disparity.empty())
        throw Error(ErrorKind::input,
                    fmt::format("{} has no disparity map of the centre view for {} {}.", input,
                                flag, file));
}

void run(const Arguments& a) {
    const ConvertOptions options = a.options.apply(ConvertOptions());
    options.validate();
    const OpenOptions open = a.open.apply(OpenOptions());
    LightFieldSource source = open_light_field(a.input, open);
    const LightFieldIndex& index = source.index;
    require_writable_output(a, options);
    a.report.require_writable();
    require_outputs({a.output, a.report.json, a.disparity, a.preview}, files_of(index));
    for (const std::string& file : {a.disparity, a.preview})
        if (!file.empty()) require_writable_file(file);
    if (!a.preview.empty()) require_extension(a.preview, {".png"});
    if ((!a.disparity.empty() || !a.preview.empty()) &&
        index.disparity_of(index.grid.centre()).empty())
        require_map(a.disparity.empty() ? "--preview" : "--disparity",
                    a.disparity.empty() ? a.preview : a.disparity, {}, a.input);

    ProgressBar bar(a.report.quiet);
    OutputBatch outputs;
    ConvertReport report;
    report.input = a.input;
    report.output = a.output;
    report.options = options;
    run_convert(source, open, bar.callback(), report);
    const ConvertResult& result = report.result;
    if (!a.disparity.empty()) write_disparity(a.disparity, result.disparity);
    if (!a.preview.empty()) write_image(a.preview, disparity_preview(result.disparity));
    bar.clear();
    a.report.write(json_report(report));
    outputs.commit();
    a.report.notes(report.notes);
    a.report.summary(fmt::format("{} ({}) -> {} ({}): {} views of {} x {} pixels in {:.1f} s\n",
                                 printable(a.input), report.input_format, printable(a.output),
                                 result.format, result.views, result.width, result.height,
                                 report.seconds));
}

}  // namespace

Command add_convert(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("convert",
                                       "write a light field in another format, cropped or resized");
    app.add_option("IN", a->input, "the light field: a folder or a file").required();
    app.add_option("OUT", a->output, "the folder or file to write").required();
    a->open.bind(app, open_options(), OpenOptions());
    a->options.bind(app, convert_options(), ConvertOptions());
    advanced(app.add_option("--disparity", a->disparity,
                            "write the disparity map of the centre view as well: .pfm, .npy or "
                            "16-bit .png")
                 .type_name("FILE"));
    advanced(app.add_option("--preview", a->preview, "write a colour-coded picture of that map")
                 .type_name("FILE.png"));
    a->report.add_flags(app, true);
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
