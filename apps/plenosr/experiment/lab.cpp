#include "experiment/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "command.h"
#include "interrupts.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/jobs.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

constexpr int quick_side = 128;  // pixels, in quick experiments

// The rendered scene that replaces a missing one; always the same for the same name.
const char* rendered_for(const std::string& wanted) {
    if (wanted == "dishes" || wanted == "boardgames") return "planes";
    if (wanted == "medieval2" || wanted == "cotton") return "curved";
    return "discs";
}

Image middle(const Image& image, int side) {
    const int width = std::min(side, image.width);
    const int height = std::min(side, image.height);
    return crop(image, {(image.width - width) / 2, (image.height - height) / 2, width, height});
}

// The side of the square of views that a selection covers.
int grid_of(const std::string& views) {
    if (views == "cross5") return 3;
    if (views == "star17") return 5;
    return views.empty() || views[0] < '1' || views[0] > '9' ? 5 : views[0] - '0';
}

Scene rendered(const std::string& wanted, const std::string& views, bool quick) {
    SynthOptions o;
    o.scene = rendered_for(wanted);
    o.rows = o.cols = grid_of(views);
    o.width = o.height = quick ? quick_side : 384;
    o.supersampling = quick ? 2 : 3;
    o.channels = 1;
    SynthResult made = synthesise(o);
    const ViewPosition centre = made.light_field.grid.centre();
    const auto at = std::size_t(made.light_field.find(centre) - made.light_field.views.data());
    return {"rendered `" + o.scene + "`", std::move(made.light_field), centre, made.disparity[at]};
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

// Paths that may be scenes: entries of the data folder, and folders one level below them.
std::vector<fs::path> candidates(const fs::path& data) {
    std::vector<fs::path> found;
    for (const fs::path& entry : sorted_entries(data)) {
        found.push_back(entry);
        if (fs::is_directory(entry))
            for (const fs::path& below : sorted_entries(entry))
                if (fs::is_directory(below)) found.push_back(below);
    }
    return found;
}

std::optional<LightFieldIndex> open_scene(const fs::path& path) {
    try {
        LightFieldIndex index = index_light_field(path);
        if (index.views.size() > 1 && !index.degradation) return index;
    } catch (const Error&) {  // not a light field: try the next folder
    }
    return std::nullopt;
}

// The folder of that name; empty if there is none.
fs::path folder_named(const std::string& wanted, const std::vector<fs::path>& all) {
    for (const fs::path& path : all)
        if (path.filename() == wanted && fs::is_directory(path)) return path;
    return {};
}

std::optional<LightFieldIndex> find_scene(const fs::path& data, const std::string& wanted) {
    const std::vector<fs::path> all = candidates(data);
    if (const fs::path path = folder_named(wanted, all); !path.empty())
        return index_light_field(path);
    for (const fs::path& path : all)
        if (auto index = open_scene(path)) return index;
    return std::nullopt;
}

Scene read_scene(const LightFieldIndex& index, const std::string& views, bool quick) {
    Scene scene;
    scene.name = index.path.filename().string();
    scene.reference = index.grid.centre();
    scene.light_field =
        read_light_field(index, select_views(views, scene.reference, index.positions()));
    if (!index.disparity_of(scene.reference).empty())
        scene.disparity = read_disparity(index, scene.reference);
    for (View& view : scene.light_field.views) {
        view.image = luma(view.image);
        if (quick) view.image = middle(view.image, quick_side);
    }
    if (quick && !scene.disparity.empty()) scene.disparity = middle(scene.disparity, quick_side);
    return scene;
}

bool is_picture(const fs::path& file) {
    const std::string ending = file.extension().string();
    return ending == ".png" || ending == ".jpg" || ending == ".tif";
}

}  // namespace

Scene Lab::scene(const std::string& wanted, const std::string& views) {
    if (options_.data.empty()) {
        Scene scene = rendered(wanted, views, quick());
        page_.missing.push_back(fmt::format(
            "The scene {}: without --data, {} is used instead, so the numbers cannot be "
            "compared with the paper.",
            wanted, scene.name));
        return scene;
    }
    const auto index = find_scene(options_.data, wanted);
    if (!index)
        throw Error(ErrorKind::input,
                    fmt::format("There is no light field in {}; --data takes a folder with one "
                                "scene per folder, in a format of docs/formats.md.",
                                options_.data.string()));
    Scene scene = read_scene(*index, views, quick());
    scene.papers = scene.name == wanted && !quick();
    if (scene.name != wanted)
        page_.missing.push_back(
            fmt::format("The scene {}: {} does not have it, {} is used instead.", wanted,
                        options_.data.string(), scene.name));
    if (quick())
        page_.missing.push_back(
            fmt::format("Most of the scene {}: quick runs use the middle {} x {} pixels.",
                        scene.name, scene.light_field.width(), scene.light_field.height()));
    if (scene.disparity.empty())
        page_.missing.push_back(
            fmt::format("The disparity of {}: it is estimated from the views.", scene.name));
    return scene;
}

bool Lab::has_scene(const std::string& name) const {
    return !options_.data.empty() && !folder_named(name, candidates(options_.data)).empty();
}

std::vector<Scene> Lab::scenes(const std::vector<std::string>& wanted, const std::string& views) {
    std::vector<Scene> found;
    for (const std::string& name : wanted) {
        Scene next = scene(name, views);
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](const Scene& s) { return s.name == next.name; });
        if (!known) found.push_back(std::move(next));
        if (quick() && found.size() == 2) break;
    }
    return found;
}

std::vector<std::string> Lab::photos() const {
    std::vector<std::string> found;
    if (!options_.data.empty())
        for (const fs::path& folder : {options_.data / "photos", options_.data})
            for (const fs::path& file : sorted_entries(folder))
                if (is_picture(file) && found.size() < 16) found.push_back(file.string());
    if (found.empty()) found = {"planes", "discs"};
    return found;
}

Lab::Photo Lab::photo(const std::string& which) const {
    if (options_.data.empty() || !fs::exists(which)) {
        SynthOptions o;
        o.scene = which;
        o.rows = o.cols = 1;
        o.width = o.height = quick() ? quick_side : 768;
        o.channels = 1;
        return {"rendered `" + which + "`", synthesise(o).light_field.views.front().image};
    }
    const Image whole = luma(read_image(which));
    return {fs::path(which).stem().string(), quick() ? middle(whole, 2 * quick_side) : whole};
}

Degraded Lab::degrade(const Scene& scene, const DegradeOptions& options) const {
    Degraded result;
    result.low = plenosr::degrade(scene.light_field, options, listening_);
    result.reference = scene.reference;
    if (!scene.disparity.empty())
        result.disparity = reduce_disparity(
            scene.disparity, sampling_grid(options.blur, options.phase, options.scale));
    result.truth = crop(scene.light_field.find(scene.reference)->image,
                        result.low.width() * options.scale, result.low.height() * options.scale);
    result.made = options;
    result.papers = scene.papers;
    return result;
}

Degraded Lab::with_views(const Degraded& from, const std::string& views) {
    std::vector<ViewPosition> all;
    for (const View& view : from.low.views)
        all.push_back(view.position);
    Degraded result = from;
    result.low.views.clear();
    for (const ViewPosition& position : select_views(views, from.reference, all))
        result.low.views.push_back(*from.low.find(position));
    return result;
}

std::vector<Model> Lab::models(const DegradeOptions& made) const {
    ReconstructOptions own;
    own.scale = made.scale;
    own.blur = made.blur;
    own.phase = made.phase;
    ReconstructOptions paper = own;
    paper.data = DataTerm::l1_l2;
    paper.prior = Prior::weighted;
    paper.denoiser = Denoiser::none;
    paper.init = Initial::bicubic;
    paper.visibility = Visibility::none;
    paper.interpolation = Interpolation::bilinear;
    paper.iterations = 10;
    paper.refine_disparity = 0;
    std::vector<Model> result;
    if (options_.model != "auto") result.push_back({"paper's model", paper});
    if (options_.model != "paper") result.push_back({"auto", own});
    return result;
}

ReconstructResult Lab::solve(const Degraded& from, ReconstructOptions options, bool compare,
                             bool native) const {
    options.device = native ? "cpu" : options_.device;
    const Image* truth = compare ? &from.truth : nullptr;
    ReconstructResult result =
        from.disparity.empty()
            ? reconstruct(from.low, from.reference, options, listening_, truth)
            : reconstruct(from.low, from.reference, from.disparity, options, listening_, truth);
    require_finished(result.termination);
    if (result.termination == Termination::diverged) throw Diverged(result.message);
    return result;
}

void Lab::done() {
    step_ = std::min(step_ + 1, steps_);
    if (!progress_({page_.name, step_, steps_})) end_cancelled();
}

DegradeOptions degradation(int scale, double gaussian, double impulse) {
    DegradeOptions made;
    made.scale = scale;
    made.gaussian = gaussian;
    made.impulse = impulse;
    made.seed = 1;
    return made;
}

Degraded timing_scene(int views_across, int size) {
    SynthOptions scene;
    scene.rows = scene.cols = views_across;
    scene.width = scene.height = size;
    scene.supersampling = 1;
    scene.channels = 1;
    const SynthResult rendered = synthesise(scene);
    Degraded result;
    result.made = degradation(4, 1);
    result.low = degrade(rendered.light_field, result.made);
    result.reference = rendered.light_field.grid.centre();
    result.disparity =
        reduce_disparity(rendered.disparity[rendered.disparity.size() / 2], result.made.scale);
    return result;
}

Quality quality_of(const Image& image, const Image& truth) {
    return compare(as_written(image, PixelFormat::bits8), truth);
}

Image bicubic_of(const Degraded& from) {
    const DegradeOptions& made = from.made;
    return enlarge_view(from.low.find(from.reference)->image,
                        sampling_grid(made.blur, made.phase, made.scale));
}

Part busiest_part(const Image& image, int side) {
    const int step = std::max(1, side / 2);
    Part best;
    double most = -1;
    for (int y = 0; y + side <= image.height; y += step)
        for (int x = 0; x + side <= image.width; x += step) {
            double detail = 0;
            for (int j = y; j + 1 < y + side; ++j)
                for (int i = x; i + 1 < x + side; ++i)
                    detail += std::abs(double(image.at(j, i + 1) - image.at(j, i))) +
                              std::abs(double(image.at(j + 1, i) - image.at(j, i)));
            if (detail <= most) continue;
            most = detail;
            best = {x, y};
        }
    return best;
}

}  // namespace plenosr::app
