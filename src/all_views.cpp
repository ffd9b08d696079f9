#include "plenosr/all_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>

#include "base/cache.h"
#include "base/cancelled.h"
#include "base/sha256.h"
#include "base/temporary.h"
#include "devices/make_engines.h"
#include "estimate_blur.h"
#include "light_field/image_bytes.h"
#include "light_field/interpolate.h"
#include "light_field/positions.h"
#include "plenosr/commit.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/options.h"
#include "plenosr/version.h"
#include "reconstruct_rounds.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;

double distance(ViewPosition a, ViewPosition b) {
    return std::hypot(a.row - b.row, a.col - b.col);
}

// Indices of the views, the one nearest to the grid's centre first, then outwards.
std::vector<std::size_t> outwards(const LightFieldView& light_field) {
    std::vector<std::size_t> order(light_field.views.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const ViewPosition centre = light_field.grid.centre();
    const auto from_centre = [&](std::size_t i) {
        return distance(light_field.views[i].position, centre);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return from_centre(a) < from_centre(b); });
    return order;
}

// Of the views `candidates`, the one nearest to view i; the earlier of two that are equally near.
std::size_t nearest(const LightFieldView& light_field, std::size_t i,
                    const std::vector<std::size_t>& candidates) {
    const auto from_here = [&](std::size_t k) {
        return distance(light_field.views[k].position, light_field.views[i].position);
    };
    return *std::min_element(
        candidates.begin(), candidates.end(),
        [&](std::size_t a, std::size_t b) { return from_here(a) < from_here(b); });
}

// One map for every view: what is missing is splatted from the nearest view that has one.
std::vector<Image> complete(const LightFieldView& light_field, std::vector<Image> maps, int scale) {
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (!maps[i].empty()) {
            require_disparity(maps[i], light_field.width(), light_field.height(), scale,
                              "given of the view " + to_string(light_field.views[i].position));
            given.push_back(i);
        }
    if (maps.size() != light_field.views.size() || given.empty())
        throw Error(ErrorKind::input,
                    fmt::format("every view is to be reconstructed, but none of the {} disparity "
                                "maps for {} views holds anything; give one at least",
                                maps.size(), light_field.views.size()));
    for (std::size_t i = 0; i < maps.size(); ++i) {
        if (!maps[i].empty()) continue;
        const std::size_t from = nearest(light_field, i, given);
        const ViewPosition a = light_field.views[from].position;
        const ViewPosition b = light_field.views[i].position;
        maps[i] = disparity_of_view(maps[from], b.col - a.col, b.row - a.row).disparity;
    }
    return maps;
}

// The result of another view, u columns and v rows further, as this view sees it:
//   x(p) = other(p - (u, v) d(p)),
// NaN where that lies outside, or where the other view shows another surface there.
Image moved(const Image& other, const Image& other_disparity, const Image& disparity, double u,
            double v) {
    Image result(other.width, other.height, other.channels,
                 std::numeric_limits<float>::quiet_NaN());
    std::vector<Image> planes(std::size_t(other.channels));
    for (int c = 0; c < other.channels; ++c)
        planes[std::size_t(c)] = channel(other, c);
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) {
            const float d = disparity.at(y, x);
            const double at_x = x - u * double(d);
            const double at_y = y - v * double(d);
            if (at_x < 0 || at_y < 0 || at_x > result.width - 1 || at_y > result.height - 1)
                continue;
            if (std::abs(bilinear_at(other_disparity, at_x, at_y) - d) > same_surface) continue;
            for (int c = 0; c < result.channels; ++c)
                result.at(y, x, c) = bilinear_at(planes[std::size_t(c)], at_x, at_y);
        }
    return result;
}

// Finished views on disk, under a key that holds all that they depend on: the program, the
// machine's instructions, the options, and the content of views, maps and PSFs.
class State {
public:
    State(fs::path folder, const LightFieldView& light_field, const std::vector<Image>& maps,
          const AllViewsOptions& o, const Engines& engines)
        : folder_(std::move(folder)) {
        if (folder_.empty()) return;
        fingerprint_ = fmt::format("plenosr {} commit {} all views {}\ninstructions {}\n",
                                   PLENOSR_VERSION, PLENOSR_COMMIT, o.views, instruction_set());
        for (const auto& engine : engines)
            fingerprint_ += fmt::format("device {}\n", engine->name());
        for (const auto& option : reconstruct_options())
            fingerprint_ += fmt::format("{} {}\n", option.name, option.show(o.reconstruct));
        for (const ViewPosition position : o.left_out)
            fingerprint_ += fmt::format("without {}\n", to_string(position));
        // The options name files of PSFs; here is their content.
        const PsfGrid psfs = make_psf_grid(o.reconstruct.blur, o.reconstruct.scale);
        fingerprint_ += fmt::format("psfs {} x {}\n", psfs.rows, psfs.cols);
        for (const Psf& psf : psfs.nodes)
            fingerprint_ += hash(psf.kernel) + "\n";
        for (std::size_t i = 0; i < maps.size(); ++i)
            fingerprint_ += fmt::format("{} {} {}\n", to_string(light_field.views[i].position),
                                        hash(to_image(light_field.views[i].image)), hash(maps[i]));
    }

    std::optional<Image> load(ViewPosition position, int width, int height, int channels) const {
        if (folder_.empty()) return std::nullopt;
        Image image(width, height, channels);
        const std::size_t size = image.values.size() * sizeof(float);
        const auto bytes = cache::load(folder_, key(position), size);
        if (!bytes || bytes->size() != size) return std::nullopt;
        std::memcpy(image.values.data(), bytes->data(), bytes->size());
        return image;
    }

    void store(ViewPosition position, const Image& image) const {
        if (folder_.empty()) return;
        cache::store(folder_, key(position), bytes_of(image));
    }

private:
    static std::string_view bytes_of(const Image& image) {
        return {reinterpret_cast<const char*>(image.values.data()),
                image.values.size() * sizeof(float)};
    }
    static std::string hash(const Image& image) {
        return fmt::format("{}x{}x{} {}", image.width, image.height, image.channels,
                           sha256_text(bytes_of(image)));
    }
    std::string key(ViewPosition position) const { return fingerprint_ + to_string(position); }

    fs::path folder_;
    std::string fingerprint_;
};

// Counts views; the solver of a view moves through the fraction of its step.
Progress part_of(const Progress& progress, std::size_t done, std::size_t all) {
    return [&progress, done, all](const ProgressEvent& event) {
        const bool solving = event.stage == "solving" && event.steps > 0;
        const double within = solving ? double(event.step) / event.steps : 0.0;
        return report(progress, {"views", int(done), int(all), event.cost, within});
    };
}

LightFieldView taking_part(const LightFieldView& light_field, const AllViewsOptions& options,
                           ViewPosition reference) {
    const bool alone = contains(options.left_out, reference);
    std::vector<ViewPosition> present;
    for (const PlacedView& view : light_field.views)
        if (view.position == reference || (!alone && !contains(options.left_out, view.position)))
            present.push_back(view.position);
    LightFieldView part = light_field;
    part.views.clear();
    for (const ViewPosition position : select_views(options.views, reference, present))
        part.views.push_back(*light_field.find(position));
    return part;
}

// Measured once. Empty if all views count alike (tiles/survey.h).
std::vector<double> noise_of_all_views(Engine& engine, const LightFieldView& light_field,
                                       const ReconstructOptions& o) {
    std::vector<double> noise;
    if (o.visibility == Visibility::soft) engine.run([&] { noise = noise_of_views(light_field); });
    return noise;
}

// Images that are held while one view is reconstructed: all views, their maps (given, completed and
// for the result), and of every view the result and the map at full size. The views that take part,
// and the result of one view, are counted where that view is planned.
std::size_t held_by_all_views(const LightFieldView& light_field, const std::vector<Image>& maps,
                              int scale) {
    constexpr std::size_t copies_of_maps = 3;
    const std::size_t block = std::size_t(scale) * std::size_t(scale);
    const std::size_t views = image_bytes(light_field);
    const std::size_t planes = views / std::size_t(std::max(1, light_field.channels()));
    return views + copies_of_maps * image_bytes(maps) + (views + planes) * block;
}

// The values that belong to the views of `part`.
std::vector<double> of_views(const std::vector<double>& values, const LightFieldView& light_field,
                             const LightFieldView& part) {
    std::vector<double> chosen;
    if (values.empty()) return chosen;
    for (const PlacedView& view : part.views)
        chosen.push_back(
            values[std::size_t(light_field.find(view.position) - light_field.views.data())]);
    return chosen;
}

// Of the views beside the centre, whose own note is among its notes; empty: none fell back.
std::string fallback_note(const std::vector<AllViewsResult::Row>& rows) {
    const auto falls_back = [](const AllViewsResult::Row& row) {
        return row.self_check && row.self_check->fallback > 0;
    };
    const auto views = std::count_if(rows.begin(), rows.end(), falls_back);
    if (views == 0) return {};
    return fmt::format(
        "parts of {} of {} views are the enlarged view, because the result predicts the others "
        "worse there",
        views, rows.size());
}

AllViewsResult all_views(const LightFieldView& light_field, const std::vector<Image>& disparity,
                         const AllViewsOptions& given, const Progress& progress) {
    given.reconstruct.validate();
    if (!given.reconstruct.estimates.empty())
        throw Error(ErrorKind::invalid_option,
                    "--estimates is for one view; all views of a light field share what is "
                    "measured at its centre");
    light_field.validate();
    Stopwatch clock;
    const std::vector<Image> maps = complete(light_field, disparity, given.reconstruct.scale);
    const std::vector<std::size_t> order = outwards(light_field);
    const auto engines = make_engines(given.reconstruct, progress);
    AllViewsOptions options = given;
    const ReconstructOptions& o = options.reconstruct;
    std::optional<BlurEstimate> blur;
    if (is_automatic(o.blur)) {  // that of the centre serves all views
        const ViewPosition centre = light_field.views[order.front()].position;
        blur = estimate_blur(engines, taking_part(light_field, given, centre), centre,
                             maps[order.front()], given.reconstruct, progress);
        options.reconstruct.blur = blur->blur;
    }
    const State state(options.state, light_field, maps, options, engines);
    const int width = light_field.width() * o.scale;
    const int height = light_field.height() * o.scale;

    AllViewsResult result;
    result.light_field.grid = light_field.grid;
    result.light_field.views.resize(order.size());
    result.views.resize(order.size());
    result.disparity = maps;
    std::vector<std::size_t> finished;  // and of use to others
    std::size_t done = 0;
    std::vector<Image> full(order.size());  // maps at full size, of the finished views
    EarlierResults known;
    if (blur) known.lambda_factor = lambda_factor_of(*blur, o.scale);
    known.held_bytes = held_by_all_views(light_field, maps, o.scale);
    const std::vector<double> noise = noise_of_all_views(*engines.front(), light_field, o);
    for (const std::size_t i : order) {
        const ViewPosition position = light_field.views[i].position;
        AllViewsResult::Row& row = result.views[i];
        row.position = position;
        full[i] = disparity_at_full_size(maps[i], light_field.width(), light_field.height(),
                                         sampling_grid(o.blur, o.phase, o.scale), "given");
        const Stopwatch watch;
        const Progress part = part_of(progress, done, order.size());
        const LightFieldView views = taking_part(light_field, options, position);
        known.noise_of_views = of_views(noise, light_field, views);
        // The statistics of the centre serve all views, also if the centre itself is resumed.
        if (done == 0)
            known.statistics = survey_view(engines, views, position, maps[i], o, part, known);
        auto image = state.load(position, width, height, light_field.channels());
        row.resumed = image.has_value();
        if (!image) {
            known.start = Image();
            if (!finished.empty() && !contains(options.left_out, position)) {
                const std::size_t from = nearest(light_field, i, finished);
                const ViewPosition other = light_field.views[from].position;
                known.start = moved(result.light_field.views[from].image, full[from], full[i],
                                    other.col - position.col, other.row - position.row);
            }
            ReconstructResult one =
                reconstruct_rounds(engines, views, position, maps[i], o,
                                   Rounds{o.refine_disparity.value_or(0)}, part, nullptr, known);
            if (one.termination == Termination::cancelled) throw Cancelled();
            if (one.termination == Termination::diverged)
                throw Error(ErrorKind::input,
                            fmt::format("the solver diverged at the view {}; smaller lambda1 and "
                                        "lambda2 may help",
                                        to_string(position)));
            row.iterations = int(one.iterations.size()) - 1;
            row.self_check = one.self_check;
            image = std::move(one.image);
            state.store(position, *image);
            one.image = one.initial = Image();
            if (done == 0) result.centre = std::move(one);
        }
        row.seconds = watch.seconds();
        result.light_field.views[i] = {position, std::move(*image)};
        if (!contains(options.left_out, position)) finished.push_back(i);
        ++done;
        report(progress, {"views", int(done), int(order.size())});
    }
    result.centre.blur = blur;
    if (blur) result.centre.notes.push_back(blur_note(*blur));
    if (std::string note = fallback_note(result.views); !note.empty())
        result.centre.notes.push_back(std::move(note));
    result.termination = Termination::finished;
    result.wall_seconds = clock.seconds();
    return result;
}

}  // namespace

AllViewsResult reconstruct_all(const LightFieldView& light_field,
                               const std::vector<Image>& disparity, const AllViewsOptions& options,
                               const Progress& progress) {
    return finished_or_cancelled<AllViewsResult>(
        [&] { return all_views(light_field, disparity, options, progress); });
}

void remove_state(const fs::path& state) {
    std::error_code error;
    if (state.empty() || !fs::is_directory(state, error)) return;
    remove_stale_temporaries(state);
    std::vector<fs::path> ours;
    for (const fs::directory_entry& entry : fs::directory_iterator(state, error))
        if (entry.path().extension() == ".bin") ours.push_back(entry.path());
    for (const fs::path& file : ours)
        fs::remove(file, error);
    fs::remove(state, error);  // stays if somebody else put something there
}

}  // namespace plenosr
