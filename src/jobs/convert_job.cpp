#include <fmt/format.h>

#include "jobs/json.h"
#include "plenosr/error.h"
#include "plenosr/peak_memory.h"
#include "plenosr/version.h"
#include "solver/solve.h"

namespace plenosr {

void require_one_blur(bool blur_given, const DegradeOptions& options) {
    if (blur_given && options.camera.lens)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("blur = {} contradicts lens = {}; give --lens none to use the blur",
                                options.blur.text, *options.camera.lens));
}

void run_convert(LightFieldSource& source, const OpenOptions& open, const Progress& progress,
                 ConvertReport& report) {
    if (source.in_memory)
        throw Error(ErrorKind::input, "Only a light field in files can be converted.");
    const Stopwatch clock;
    put_in_order(source, open, progress);
    report.notes = source.notes;
    report.part = source.index.part;
    const auto& record = source.index.degradation;
    if (report.part.width > 0 && record && is_psf_grid(record->options.blur))
        report.notes.emplace_back(
            "the recorded grid of PSFs belongs to whole views; the output does not record a blur");
    report.input_format = source.index.format;
    report.result = convert_light_field(source.index, report.output, report.options, progress);
    report.seconds = clock.seconds();
}

std::string json_report(const ConvertReport& r) {
    Json json;
    json["input"] = r.input;
    json["input_format"] = r.input_format;
    json["output"] = r.output;
    json["format"] = r.result.format;
    json["views"] = r.result.views;
    json["width"] = r.result.width;
    json["height"] = r.result.height;
    json["channels"] = r.result.channels;
    json["disparity"] = !r.result.disparity.empty();
    json["notes"] = r.notes;
    json["seconds"] = number(r.seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["crop"] = json_of(r.part);
    json["options"] = json_options<Json>(r.options, convert_options());
    json["version"] = PLENOSR_VERSION;
    return text_of(json);
}

}  // namespace plenosr
