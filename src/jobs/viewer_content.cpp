#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/file_errors.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "jobs/json.h"
#include "plenosr/error.h"
#include "plenosr/viewer.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_report_bytes = 1U << 26U;

int colours_of(int channels) {
    return channels >= 3 ? 3 : 1;
}

ViewerPicture picture_of(std::string name, const ImageInfo& info, std::function<Image()> read) {
    return {std::move(name), info.width, info.height,    colours_of(info.channels),
            info.format,     true,       std::move(read)};
}

// Reads all views at once when the first one is asked for. For files that hold several views, which
// would be decoded again for each of them.
std::function<LightFieldView()> read_once(const LightFieldSource& source) {
    struct State {
        LightFieldSource source;
        std::once_flag once;
        LightFieldView views;
    };
    auto state = std::make_shared<State>();
    state->source = source;
    return [state] {
        std::call_once(state->once, [&] { state->views = read_views(state->source); });
        return state->views;
    };
}

// True if one view is read without decoding the others.
bool reads_one_by_one(const LightFieldIndex& index) {
    for (const char* format : {"npz", "mat", "eslf", "mosaic"})
        if (index.format == format) return false;
    return true;
}

const ViewerView* reference_of(const ViewerContent& content) {
    for (const ViewerView& view : content.views)
        if (view.position == content.reference) return &view;
    return nullptr;
}

// The reference enlarged, once, before the first result.
void add_bicubic(const SamplingGrid& sampling, ViewerContent& content) {
    const ViewerView* view = reference_of(content);
    if (view == nullptr || !content.results.empty()) return;
    content.sampling = sampling;
    ViewerPicture enlarged = view->picture;
    enlarged.name = fmt::format("bicubic ×{}", sampling.scale);
    enlarged.width *= sampling.scale;
    enlarged.height *= sampling.scale;
    enlarged.read = [read = view->picture.read, sampling] {
        return enlarge_view(read(), sampling);
    };
    content.results.push_back(std::move(enlarged));
}

void add_map(ViewerMapKind kind, const std::string& name, const Image& map,
             ViewerContent& content) {
    if (map.empty()) return;
    ViewerPicture picture = viewer_picture(name, map, PixelFormat::float32);
    picture.wide = true;
    content.maps.push_back({kind, std::move(picture)});
}

// What the two kinds of results have in common.
void add_image(const ReconstructReport& job, const std::string& json, ViewerContent& content) {
    add_bicubic(sampling_of(job.result.chosen), content);
    const std::string name =
        job.output.empty() ? "result" : fs::path(job.output).filename().string();
    const PixelFormat format = job.bits == "8"    ? PixelFormat::bits8
                               : job.bits == "16" ? PixelFormat::bits16
                                                  : PixelFormat::float32;
    if (!job.result.image.empty())
        content.results.push_back(viewer_picture(name, job.result.image, format));
    add_map(ViewerMapKind::disparity, "refined disparity", job.result.refined_disparity, content);
    add_map(ViewerMapKind::number, "weights of the prior", job.result.weights, content);
    content.runs.push_back({name, json});
}

bool is_known(const std::vector<ViewerPicture>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const ViewerPicture& picture) { return picture.name == name; });
}

void add_picture(const fs::path& file, const std::string& name, ViewerContent& content) {
    content.results.push_back(
        picture_of(name, image_info(file), [file] { return read_image(file); }));
}

// The output of a report: as it was named, else beside the report.
fs::path output_of(const Json& report, const fs::path& file) {
    const auto named = report.find("output");
    if (named == report.end() || !named->is_string()) return {};
    const fs::path output = named->get<std::string>();
    const fs::path beside = file.parent_path() / output.filename();
    return io::is_file(output) ? output : io::is_file(beside) ? beside : fs::path();
}

// Scale and phase that a report names, else those that follow from the sizes.
SamplingGrid sampling_of(const Json& report, int width, const ViewerContent& content) {
    ReconstructOptions options;
    options.blur.text = "auto";
    const ViewerView* view = reference_of(content);
    if (view != nullptr) options.scale = std::max(1, width / std::max(1, view->picture.width));
    const auto chosen = report.find("chosen");
    if (chosen != report.end() && chosen->is_object())
        for (const auto& option : reconstruct_options())
            if (option.name == "scale" || option.name == "phase")
                if (const auto value = chosen->find(option.name); value != chosen->end())
                    option.set(options,
                               value->is_string() ? value->get<std::string>() : value->dump());
    return plenosr::sampling_of(options);
}

// The view or frame that the run improved, if it is among the views.
void take_reference(const Json& report, ViewerContent& content) {
    if (report.contains("motion_model")) content.frames = true;
    const auto named = report.find("reference");
    if (named == report.end()) return;
    ViewPosition reference;
    if (named->is_array() && named->size() == 2 && (*named)[0].is_number() &&
        (*named)[1].is_number())
        reference = {(*named)[0].get<double>(), (*named)[1].get<double>()};
    else if (named->is_number())
        reference = {0, named->get<double>()};
    for (const ViewerView& view : content.views)
        if (view.position == reference) content.reference = reference;
}

void add_report(const fs::path& file, ViewerContent& content) {
    const std::string text = io::read_bytes(file, largest_report_bytes + 1);
    if (text.size() > largest_report_bytes)
        refuse_file(file, "it is larger than any report of this program", "report");
    const Json report = Json::parse(text, nullptr, false);
    if (!report.is_object() || !report.contains("version"))
        refuse_file(file, "it is no JSON report of `plenosr reconstruct`, `frames` or `disparity`",
                    "report");
    take_reference(report, content);
    const fs::path output = output_of(report, file);
    const std::string name = (output.empty() ? file : output).filename().string();
    content.runs.push_back({name, report.dump(-1, ' ', false, Json::error_handler_t::replace)});
    if (output.empty()) {
        content.notes.push_back(
            fmt::format("the output of {} was not found; only its figures are shown",
                        file.filename().string()));
        return;
    }
    if (report.contains("mean_confidence"))  // of `plenosr disparity`
        return add_map_file(output, ViewerMapKind::disparity, content);
    if (is_known(content.results, name)) return;
    add_bicubic(sampling_of(report, image_info(output).width, content), content);
    add_picture(output, name, content);
}

}  // namespace

ViewerPicture viewer_picture(std::string name, Image image, PixelFormat format) {
    const ImageInfo info{image.width, image.height, image.channels, format};
    // A result may exceed black and white a little, at edges.
    constexpr float overshoot = 64;  // grey levels
    const bool wide = std::any_of(image.values.begin(), image.values.end(), [](float value) {
        return !(value >= -overshoot && value <= 255 + overshoot);
    });
    ViewerPicture picture =
        picture_of(std::move(name), info,
                   [kept = std::make_shared<const Image>(std::move(image))] { return *kept; });
    picture.wide = wide;
    return picture;
}

ViewerContent viewer_content(const LightFieldSource& source) {
    const LightFieldIndex& index = source.index;
    ViewerContent content;
    content.title = index.path.filename().empty() ? index.path.parent_path().filename().string()
                                                  : index.path.filename().string();
    content.linear = index.colour_space == ColourSpace::linear;
    content.grid = index.grid;
    content.notes = source.notes;
    const bool one_by_one = !source.in_memory && reads_one_by_one(index);
    const auto all = one_by_one ? nullptr : read_once(source);
    for (const LightFieldIndex::Entry& entry : index.views) {
        const ViewPosition p = entry.position;
        const auto read = [index, one_by_one, all, p] {
            return one_by_one ? read_light_field(index, {p}).views.front().image
                              : to_image(all().find(p)->image);
        };
        content.views.push_back({p, picture_of(to_string(p), index.image, read)});
    }
    const ViewPosition centre = index.grid.centre();
    content.reference =
        index.find(centre) != nullptr ? centre : index.views[index.views.size() / 2].position;
    if (!index.disparity_of(content.reference).empty())
        add_map(ViewerMapKind::disparity, "disparity beside the views",
                read_disparity(index, content.reference), content);
    return content;
}

ViewerContent viewer_content(const FrameFiles& files) {
    ViewerContent content;
    content.frames = true;
    content.title = files.frames.front().file.parent_path().filename().string();
    if (content.title.empty()) content.title = files.frames.front().file.filename().string();
    content.grid = {0, 0, 1, int(files.frames.size())};
    const ImageInfo info = image_info(files.frames.front().file);
    for (std::size_t k = 0; k < files.frames.size(); ++k) {
        FrameFiles one;
        one.frames = {files.frames[k]};
        const auto read = [one] { return read_frames(one).front(); };
        content.views.push_back(
            {{0, double(k)},
             picture_of(fmt::format("{}: {}", k, files.frames[k].file.filename().string()), info,
                        read)});
    }
    return content;
}

ViewerContent viewer_content(const std::vector<Image>& frames) {
    ViewerContent content;
    content.frames = true;
    content.title = "frames";
    content.grid = {0, 0, 1, int(frames.size())};
    for (std::size_t k = 0; k < frames.size(); ++k)
        content.views.push_back(
            {{0, double(k)},
             viewer_picture(fmt::format("frame {}", k), frames[k], PixelFormat::bits8)});
    return content;
}

void add_result_file(const fs::path& file, ViewerContent& content) {
    io::require_regular_file(file);
    if (io::lower_extension(file) == ".json") return add_report(file, content);
    const std::string name = file.filename().string();
    if (is_known(content.results, name)) return;
    add_bicubic(sampling_of(Json::object(), image_info(file).width, content), content);
    add_picture(file, name, content);
}

void add_truth(const fs::path& file, ViewerContent& content) {
    add_picture(file, "truth: " + file.filename().string(), content);
}

void add_truth(const Image& truth, ViewerContent& content) {
    content.results.push_back(viewer_picture("truth", truth, PixelFormat::bits8));
}

void add_map_file(const fs::path& file, ViewerMapKind kind, ViewerContent& content) {
    Image map;
    if (kind == ViewerMapKind::disparity || io::lower_extension(file) == ".pfm") {
        map = read_disparity(file);
    } else {
        map = luma(read_image(file));
        for (float& value : map.values)
            value /= 255.0F;
    }
    add_map(kind, file.filename().string(), map, content);
}

void add_result(const ReconstructReport& report, ViewerContent& content) {
    content.reference = report.reference;
    if (report.result.estimated) {
        std::erase_if(content.maps,
                      [](const ViewerMap& map) { return map.kind == ViewerMapKind::disparity; });
        add_map(ViewerMapKind::disparity, "estimated disparity", report.result.estimated->disparity,
                content);
        add_map(ViewerMapKind::share, "confidence of the disparity",
                report.result.estimated->confidence, content);
    } else if (content.maps.empty()) {
        add_map(ViewerMapKind::disparity, "disparity", report.disparity.map, content);
    }
    add_image(report, json_report(report), content);
}

void add_result(const FramesReport& report, ViewerContent& content) {
    content.reference = {0, double(std::max(0, report.options.reference))};
    add_map(ViewerMapKind::share, "left out because of motion", report.moved, content);
    add_image(report.job, json_report(report), content);
}

void add_result(const DisparityReport& report, ViewerContent& content) {
    const DisparityResult& estimate = report.result.reference;
    content.reference = report.reference;
    content.maps.clear();
    add_map(ViewerMapKind::disparity, "estimated disparity", estimate.disparity, content);
    add_map(ViewerMapKind::share, "confidence", estimate.confidence, content);
    for (const ViewEstimate& view : report.result.views)
        if (!view.occluded.empty() && !(view.position == report.reference))
            add_map(ViewerMapKind::share, "hidden from view " + to_string(view.position),
                    view.occluded, content);
    content.runs.push_back(
        {report.output.empty() ? "disparity" : report.output, json_report(report)});
}

}  // namespace plenosr
