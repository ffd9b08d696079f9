#include <fmt/format.h>

#include <algorithm>

#include "base/file_errors.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "jobs/json.h"
#include "jobs/viewer_parts.h"
#include "plenosr/error.h"

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

// The pictures of all views, read one by one.
std::vector<ViewerView> views_of(const LightFieldSource& source) {
    const auto stored =
        source.in_memory ? nullptr : std::make_shared<const StoredViews>(source.index);
    const auto held = std::make_shared<const std::optional<LightFieldView>>(source.in_memory);
    std::vector<ViewerView> views;
    for (const LightFieldIndex::Entry& entry : source.index.views) {
        const ViewPosition p = entry.position;
        const auto read = [stored, held, p] {
            return stored ? stored->read(p) : to_image((*held)->find(p)->image);
        };
        views.push_back({p, picture_of(to_string(p), source.index.image, read)});
    }
    return views;
}

ViewerSeries series_of(std::string name, std::vector<ViewerView> views) {
    ViewerSeries series{std::move(name), {}, {}, {}};
    for (ViewerView& view : views) {
        series.positions.push_back(view.position);
        series.pictures.push_back(std::move(view.picture));
    }
    return series;
}

std::string name_of(const fs::path& folder) {
    return folder.filename().empty() ? folder.parent_path().filename().string()
                                     : folder.filename().string();
}

}  // namespace

const ViewerView* reference_of(const ViewerContent& content) {
    for (const ViewerView& view : content.views)
        if (view.position == content.reference) return &view;
    return nullptr;
}

namespace {

ViewerPicture enlarged(const ViewerPicture& view, std::string name, const SamplingGrid& sampling) {
    ViewerPicture picture = view;
    picture.name = std::move(name);
    picture.width *= sampling.scale;
    picture.height *= sampling.scale;
    picture.read = [read = view.read, sampling] { return enlarge_view(read(), sampling); };
    return picture;
}

}  // namespace

void add_bicubic(const SamplingGrid& sampling, ViewerContent& content) {
    const ViewerView* view = reference_of(content);
    if (view == nullptr || !content.results.empty()) return;
    content.sampling = sampling;
    content.results.push_back(
        enlarged(view->picture, fmt::format("bicubic ×{}", sampling.scale), sampling));
}

void add_bicubic_of_views(const SamplingGrid& sampling, ViewerContent& content) {
    const bool known =
        std::any_of(content.series.begin(), content.series.end(),
                    [](const ViewerSeries& series) { return series.iterations.empty(); });
    if (known || content.views.empty()) return;
    content.sampling = sampling;
    ViewerSeries series{fmt::format("bicubic ×{}", sampling.scale), {}, {}, {}};
    for (const ViewerView& view : content.views) {
        series.positions.push_back(view.position);
        series.pictures.push_back(enlarged(view.picture, view.picture.name, sampling));
    }
    content.series.push_back(std::move(series));
}

void add_map(ViewerMapKind kind, const std::string& name, const Image& map, ViewerContent& content,
             const std::string& meaning) {
    if (map.empty()) return;
    ViewerPicture picture = viewer_picture(name, map, PixelFormat::float32);
    picture.wide = true;
    content.maps.push_back({kind, std::move(picture), meaning});
}

namespace {

bool is_known(const std::vector<ViewerPicture>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const ViewerPicture& picture) { return picture.name == name; });
}

void add_picture(const fs::path& file, const std::string& name, ViewerContent& content) {
    content.results.push_back(
        picture_of(name, image_info(file), [file] { return read_image(file); }));
}

// A file or folder that a report names under `key`: as it was named, else beside the report.
fs::path named_file(const Json& json, const char* key, const fs::path& report) {
    const auto named = json.find(key);
    if (named == json.end() || !named->is_string()) return {};
    fs::path output = named->get<std::string>();
    if (!output.has_filename()) output = output.parent_path();
    const fs::path beside = report.parent_path() / output.filename();
    const auto exists = [](const fs::path& path) {
        std::error_code error;
        return io::is_file(path) || fs::is_directory(path, error);
    };
    return exists(output) ? output : exists(beside) ? beside : fs::path();
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

// The kept iterations that a report names; nothing if their file is missing or is another one.
void add_film(const Json& report, const fs::path& file, ViewerContent& content) {
    const auto film = report.find("film");
    if (film == report.end() || !film->is_object()) return;
    const auto numbers = film->find("iterations");
    const fs::path stored = named_file(*film, "file", file);
    if (stored.empty() || numbers == film->end() || !numbers->is_array()) {
        content.notes.push_back(fmt::format("the file with the kept iterations of {} was not found",
                                            file.filename().string()));
        return;
    }
    const auto pages = std::make_shared<const io::Pages>(stored);
    const ImageInfo info = image_info(stored);
    ViewerSeries series{
        "iterations of " + content.runs.back().name, {}, {}, {}, content.runs.size() - 1};
    for (const Json& number : *numbers) {
        const int page = int(series.pictures.size());
        if (!number.is_number_integer() || page >= pages->count()) break;
        series.iterations.push_back(number.get<int>());
        series.pictures.push_back(picture_of(fmt::format("iteration {}", number.get<int>()), info,
                                             [pages, page] { return pages->read(page); }));
    }
    if (series.pictures.size() != numbers->size() ||
        series.pictures.size() != std::size_t(pages->count()))
        refuse_file(stored,
                    fmt::format("its pages are {}, but {} tells of {} iterations", pages->count(),
                                file.filename().string(), numbers->size()),
                    "film");
    content.series.push_back(std::move(series));
}

// Super-resolved views.
void add_views(const fs::path& folder, ViewerContent& content) {
    const LightFieldSource source = open_light_field(folder);
    add_bicubic_of_views(sampling_of(Json::object(), source.index.image.width, content), content);
    content.series.push_back(series_of(name_of(folder), views_of(source)));
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
    std::error_code error;
    fs::path output = named_file(report, "output", file);
    const bool is_folder = fs::is_directory(output, error);
    const bool of_disparity = report.contains("mean_confidence");
    if (of_disparity && is_folder) output.clear();  // maps of all views: not shown
    const std::string name = (output.empty() ? file : output).filename().string();
    content.runs.push_back({name, report.dump(-1, ' ', false, Json::error_handler_t::replace)});
    if (output.empty()) {
        content.notes.push_back(
            fmt::format("the output of {} was not found; only its figures are shown",
                        file.filename().string()));
        return;
    }
    if (is_folder) return add_views(output, content);
    if (of_disparity) return add_map_file(output, ViewerMapKind::disparity, content);
    if (!is_known(content.results, name)) {
        add_bicubic(sampling_of(report, image_info(output).width, content), content);
        add_picture(output, name, content);
    }
    add_film(report, file, content);
}

}  // namespace

ViewerPicture viewer_picture(std::string name, const Image* image, PixelFormat format) {
    const ImageInfo info{image->width, image->height, image->channels, format};
    // A result may exceed black and white a little, at edges.
    constexpr float overshoot = 64;  // grey levels
    ViewerPicture picture = picture_of(std::move(name), info, [image] { return *image; });
    picture.wide = std::any_of(image->values.begin(), image->values.end(), [](float value) {
        return !(value >= -overshoot && value <= 255 + overshoot);
    });
    return picture;
}

ViewerPicture viewer_picture(std::string name, Image image, PixelFormat format) {
    const auto kept = std::make_shared<const Image>(std::move(image));
    ViewerPicture picture = viewer_picture(std::move(name), kept.get(), format);
    picture.read = [kept] { return *kept; };
    return picture;
}

ViewerContent viewer_content(const LightFieldSource& source) {
    const LightFieldIndex& index = source.index;
    ViewerContent content;
    content.title = name_of(index.path);
    content.linear = index.colour_space == ColourSpace::linear;
    content.grid = index.grid;
    content.notes = source.notes;
    content.views = views_of(source);
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
    std::error_code error;
    if (fs::is_directory(file, error)) return add_views(file, content);
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

void add_truth(const LightFieldSource& truths, ViewerContent& content) {
    std::vector<ViewerView> views = views_of(truths);
    std::erase_if(views, [&](const ViewerView& truth) {
        return std::none_of(
            content.views.begin(), content.views.end(),
            [&](const ViewerView& view) { return view.position == truth.position; });
    });
    if (!views.empty()) content.series.push_back(series_of("truth", std::move(views)));
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

}  // namespace plenosr
