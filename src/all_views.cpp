#include "plenosr/all_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/cancelled.h"
#include "base/temporary.h"
#include "devices/make_engines.h"
#include "estimate_blur.h"
#include "finished_views.h"
#include "light_field/image_bytes.h"
#include "light_field/positions.h"
#include "neighbour_views.h"
#include "noise/single_view_noise.h"
#include "plenosr/error.h"
#include "reconstruct_rounds.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;

// Rounds, at most, of a view whose map starts from the corrected one of its neighbour. On a part of
// a capture reduced x2 (bikes, 25 views), 2 and 3 rounds gave 0.07 and 0.16 dB more than single
// runs of each view with up to 5 rounds, in the mean, and 0.23 and 0.15 dB less at worst. To start
// from the neighbour's result as well costs 0.1 dB.
constexpr int rounds_after_neighbour = 3;

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

// One run over all views, from the centre outwards.
class AllViewsJob {
public:
    AllViewsJob(const LightFieldView& light_field, std::vector<Image> maps,
                const AllViewsOptions& options, const Engines& engines, const Progress& progress);
    AllViewsResult run();

private:
    ReconstructOptions& o() { return options_.reconstruct; }
    void find_blur();
    void one_view(std::size_t i);
    Rounds rounds_of(std::size_t i);
    Image seen_from_neighbour(std::size_t i, std::size_t from);
    ReconstructResult solve(std::size_t i, const LightFieldView& views);
    Image at_full_size(const Image& map);
    ViewPosition position(std::size_t i) const { return light_field_.views[i].position; }
    bool is_left_out(std::size_t i) const { return contains(options_.left_out, position(i)); }
    Progress part_of_progress() const { return part_of(progress_, done_, order_.size()); }

    const LightFieldView& light_field_;
    std::vector<Image> maps_;  // as given, or made from the nearest view's
    AllViewsOptions options_;
    const Engines& engines_;
    const Progress& progress_;
    std::vector<std::size_t> order_;
    std::vector<double> noise_;  // of all views
    double noise_of_centre_ = 0;
    std::optional<BlurEstimate> blur_;
    std::optional<FinishedViews> store_;
    EarlierResults known_;
    std::vector<std::size_t> finished_;  // and of use to others
    std::size_t done_ = 0;
    AllViewsResult result_;
};

AllViewsJob::AllViewsJob(const LightFieldView& light_field, std::vector<Image> maps,
                         const AllViewsOptions& options, const Engines& engines,
                         const Progress& progress)
    : light_field_(light_field),
      maps_(std::move(maps)),
      options_(options),
      engines_(engines),
      progress_(progress),
      order_(outwards(light_field)) {
    find_blur();
    store_.emplace(light_field, maps_, options_, engines);
    known_.held_bytes = held_by_all_views(light_field, maps_, o().scale);
    noise_ = noise_of_all_views(*engines.front(), light_field, o());
    noise_of_centre_ =
        single_view_noise(light_field.views[order_.front()].image, value_limits(light_field)).sigma;
    result_.light_field.grid = light_field.grid;
    result_.light_field.views.resize(order_.size());
    result_.views.resize(order_.size());
    result_.disparity.resize(order_.size());
}

// That of the centre serves all views.
void AllViewsJob::find_blur() {
    if (!is_automatic(o().blur)) return;
    const ViewPosition centre = position(order_.front());
    blur_ = estimate_blur(engines_, taking_part(light_field_, options_, centre), centre,
                          maps_[order_.front()], o(), progress_);
    o().blur = blur_->blur;
    known_.lambda_factor = lambda_factor_of(*blur_, o().scale);
}

Image AllViewsJob::at_full_size(const Image& map) {
    return disparity_at_full_size(map, light_field_.width(), light_field_.height(),
                                  sampling_grid(o().blur, o().phase, o().scale), "given");
}

Rounds AllViewsJob::rounds_of(std::size_t i) {
    if (is_left_out(i)) return {};  // no other view takes part
    return rounds_for(o(), light_field_, maps_[i], {options_.estimated, noise_of_centre_});
}

// The corrected map of a finished neighbour, as this view sees it; what is hidden there is of this
// view's own map.
Image AllViewsJob::seen_from_neighbour(std::size_t i, std::size_t from) {
    Image own = at_full_size(maps_[i]);
    const ViewPosition a = position(from);
    const ViewPosition b = position(i);
    const ViewDisparity seen =
        disparity_of_view(result_.disparity[from], b.col - a.col, b.row - a.row);
    for (std::size_t n = 0; n < own.values.size(); ++n)
        if (seen.visible.values[n] > 0) own.values[n] = seen.disparity.values[n];
    return own;
}

// Leaves the map in result_.disparity.
ReconstructResult AllViewsJob::solve(std::size_t i, const LightFieldView& views) {
    Rounds rounds = rounds_of(i);
    Image& map = result_.disparity[i];
    map = at_full_size(maps_[i]);
    bool has_better_map = false;
    known_.start = Image();
    if (!finished_.empty() && !is_left_out(i)) {
        const std::size_t from = nearest_view(light_field_, i, finished_);
        const ViewPosition a = position(from);
        const ViewPosition b = position(i);
        if (rounds.count == 0) {
            known_.start =
                moved_to_view(result_.light_field.views[from].image, result_.disparity[from], map,
                              a.col - b.col, a.row - b.row);
        } else if (options_.estimated && !o().refine_disparity) {
            map = seen_from_neighbour(i, from);
            has_better_map = true;
            rounds.count = std::min(rounds.count, rounds_after_neighbour);
        }
    }
    ReconstructResult one =
        reconstruct_rounds(engines_, views, position(i), has_better_map ? map : maps_[i], o(),
                           rounds, part_of_progress(), nullptr, known_);
    if (one.termination == Termination::cancelled) throw Cancelled();
    if (one.termination == Termination::diverged)
        throw Error(ErrorKind::input,
                    fmt::format("the solver diverged at the view {}; smaller lambda1 and lambda2 "
                                "may help",
                                to_string(position(i))));
    if (!one.refined_disparity.empty()) map = std::move(one.refined_disparity);
    return one;
}

void AllViewsJob::one_view(std::size_t i) {
    const Stopwatch watch;
    AllViewsResult::Row& row = result_.views[i];
    row.position = position(i);
    const LightFieldView views = taking_part(light_field_, options_, position(i));
    known_.noise_of_views = of_views(noise_, light_field_, views);
    std::optional<FinishedView> view = store_->load(position(i));
    row.resumed = view.has_value();
    if (view) {
        row.refinements = view->refinements;
        result_.disparity[i] = std::move(view->disparity);
    } else {
        ReconstructResult one = solve(i, views);
        row.iterations = int(one.iterations.size()) - 1;
        row.refinements = one.refinements;
        row.self_check = one.self_check;
        view = FinishedView{std::move(one.image), result_.disparity[i], one.refinements};
        store_->store(position(i), *view);
        one.image = one.initial = Image();
        if (done_ == 0) result_.centre = std::move(one);
    }
    // Those of the centre, with the map that it ended with, serve all other views, also if the
    // centre itself was resumed.
    if (done_ == 0)
        known_.statistics = survey_view(engines_, views, position(i),
                                        row.refinements > 0 ? result_.disparity[i] : maps_[i], o(),
                                        part_of_progress(), known_);
    row.seconds = watch.seconds();
    result_.light_field.views[i] = {position(i), std::move(view->image)};
    if (!is_left_out(i)) finished_.push_back(i);
    ++done_;
    report(progress_, {"views", int(done_), int(order_.size())});
}

AllViewsResult AllViewsJob::run() {
    for (const std::size_t i : order_)
        one_view(i);
    result_.centre.blur = blur_;
    if (blur_) result_.centre.notes.push_back(blur_note(*blur_));
    if (std::string note = fallback_note(result_.views); !note.empty())
        result_.centre.notes.push_back(std::move(note));
    result_.termination = Termination::finished;
    return std::move(result_);
}

AllViewsResult all_views(const LightFieldView& light_field, const std::vector<Image>& disparity,
                         const AllViewsOptions& options, const Progress& progress) {
    options.validate();
    light_field.validate();
    const Stopwatch clock;
    std::vector<Image> maps = complete_maps(light_field, disparity, options.reconstruct.scale);
    const Engines engines = make_engines(options.reconstruct, progress);
    AllViewsJob job(light_field, std::move(maps), options, engines, progress);
    AllViewsResult result = job.run();
    result.wall_seconds = clock.seconds();
    return result;
}

}  // namespace

void AllViewsOptions::validate() const {
    reconstruct.validate();
    if (reconstruct.keep_iterations > 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("keep-iterations = {} must be 0 for all views: the iterations of "
                                "one view are kept",
                                reconstruct.keep_iterations));
    if (!reconstruct.estimates.empty())
        throw Error(
            ErrorKind::invalid_option,
            "--estimates is for one view; all views of a light field share what is measured "
            "at its centre");
}

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
