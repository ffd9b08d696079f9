#include "viewer_input.h"

namespace plenosr::app {

void ViewerInput::add_flags(Flags app) {
    app.add_option("IN", input, "the light field: a folder or a file").required();
    app.add_option(
        "RESULT", results,
        "pictures or light fields to compare, and JSON reports of reconstruct, frames or "
        "disparity, which bring their pictures or maps");
    app.add_option("--disparity", disparity, "disparity map of the centre view, or of a result")
        .type_name("FILE");
    app.add_option("--confidence", confidence,
                   "confidence of that map, as `plenosr disparity` writes it")
        .type_name("FILE");
    app.add_option("--truth", truth, "the true picture, to compare with").type_name("FILE");
    app.add_flag("--lossless", lossless,
                 "keep every value of the pictures; without it they are compressed with losses");
    open.bind(app, open_options(), OpenOptions());
}

ViewerContent ViewerInput::content(const Progress& progress) const {
    const OpenOptions options = open.apply(OpenOptions());
    LightFieldSource source = open_light_field(input, options);
    const auto everything = [&] {
        ViewerContent content = viewer_content(source);
        for (const std::string& result : results)
            add_result_file(result, content);
        if (!truth.empty()) add_truth(truth, content);
        if (!disparity.empty()) add_map_file(disparity, ViewerMapKind::disparity, content);
        if (!confidence.empty()) add_map_file(confidence, ViewerMapKind::share, content);
        return content;
    };
    everything();  // refuses what is wrong before all views are read
    put_in_order(source, options, progress);
    return everything();
}

std::vector<std::filesystem::path> ViewerInput::files() const {
    std::vector<std::filesystem::path> list(results.begin(), results.end());
    list.insert(list.end(), {input, disparity, confidence, truth});
    return list;
}

}  // namespace plenosr::app
