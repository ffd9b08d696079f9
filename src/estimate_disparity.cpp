#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/cancelled.h"
#include "disparity_estimation.h"
#include "light_field/positions.h"
#include "noise/single_view_noise.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Nearest views, that match a view beside the reference. Not tuned: bounds the time.
constexpr std::size_t views_of_others = 25;

// The map of views without measurable parallax: a plane, as far as the range allows it.
void settle_for_a_plane(DisparityResult& result) {
    const double d = std::clamp(0.0, result.range.min, result.range.max);
    std::fill(result.disparity.values.begin(), result.disparity.values.end(), float(d));
    std::fill(result.confidence.values.begin(), result.confidence.values.end(), 0.0F);
    result.notes.emplace_back("no parallax found; using a constant disparity with confidence 0");
}

// The views nearest to `centre`, itself included; of equally near ones, the first.
std::vector<std::size_t> nearest_views(const LightFieldView& light_field, std::size_t centre,
                                       const std::vector<ViewPosition>& left_out) {
    const auto offsets = offsets_from(light_field, light_field.views[centre].position);
    std::vector<std::size_t> order(offsets.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::hypot(offsets[a].u, offsets[a].v) < std::hypot(offsets[b].u, offsets[b].v);
    });
    std::erase_if(order,
                  [&](std::size_t k) { return contains(left_out, light_field.views[k].position); });
    order.resize(std::min(order.size(), views_of_others));
    return order;
}

// A view that was left out has no parallax that is known.
ViewEstimate alone(ViewPosition position, const DisparityResult& reference) {
    const Image none(reference.disparity.width, reference.disparity.height);
    return {position, none, none, none, 0};
}

ViewEstimate estimate_other(DisparityEstimation& job, std::size_t k,
                            const DisparityResult& reference, double& agreement_after) {
    const ViewPosition position = job.light_field().views[k].position;
    const double u = position.col - job.reference().col;
    const double v = position.row - job.reference().row;
    OwnMap own =
        job.map_of(k, nearest_views(job.light_field(), k, reference.left_out), reference.range);
    const double before = cross_check(own.disparity, reference.disparity, u, v).agreement;
    const ViewDisparity seen = disparity_of_view(reference.disparity, u, v);
    own = made_consistent(own, seen, confidence_seen_from(reference.confidence, seen, u, v));
    CrossCheck after = cross_check(own.disparity, reference.disparity, u, v);
    agreement_after = after.agreement;
    return {position, std::move(own.disparity), std::move(own.confidence),
            std::move(after.occluded), before};
}

void require_enough_views(const DisparityResult& result, std::size_t views, bool force) {
    if (force || !too_many_left_out(result.left_out.size(), views)) return;
    throw Error(ErrorKind::input,
                fmt::format("{} of {} views do not fit the others, so that too few are left "
                            "to combine: check that they show one scene and that rows and columns "
                            "are in order (plenosr info; --grid, --pattern), give the right "
                            "disparities (--range or --disparity), or go on with --force",
                            result.left_out.size(), views));
}

template <class Body>
DisparityResult begin(const LightFieldView& light_field, ViewPosition reference,
                      const DisparityOptions& o, const Progress& progress, const Body& body) {
    o.validate();
    light_field.validate();
    const ImageView& view = light_field.views[index_of(light_field, reference)].image;
    const Stopwatch clock;
    const SensorNoise noise = single_view_noise(view, value_limits(light_field));
    DisparityResult result;
    DisparityEstimation job(light_field, reference, o, progress, result);
    result.noise = noise.sigma;
    result.impulses = noise.impulses;
    result.device = job.device();
    result.disparity = Image(light_field.width(), light_field.height());
    result.confidence = result.disparity;
    if (o.range) result.range = *o.range;
    tbb::task_arena(o.threads > 0 ? o.threads : tbb::task_arena::automatic).execute([&] {
        const bool found = light_field.views.size() > 1 && job.estimate_reference();
        require_enough_views(result, light_field.views.size(), o.force);
        if (!found) settle_for_a_plane(result);
        body(job, result, found);
    });
    result.seconds = clock.seconds();
    result.termination = Termination::finished;
    return result;
}

}  // namespace

bool many_left_out(std::size_t left_out, std::size_t views) {
    return 3 * left_out > views;
}

bool too_many_left_out(std::size_t left_out, std::size_t views) {
    return 3 * left_out > 2 * views;
}

LightFieldView without(const LightFieldView& light_field,
                       const std::vector<ViewPosition>& left_out) {
    LightFieldView rest = light_field;
    rest.views.clear();
    for (const PlacedView& view : light_field.views)
        if (!contains(left_out, view.position)) rest.views.push_back(view);
    return rest;
}

double DisparityResult::mean_confidence() const {
    const double sum = std::accumulate(confidence.values.begin(), confidence.values.end(), 0.0);
    return confidence.empty() ? 0.0 : sum / double(confidence.values.size());
}

namespace {

DisparityOfViews of_all_views(const LightFieldView& light_field, ViewPosition reference,
                              const DisparityOptions& o, const Progress& progress) {
    DisparityOfViews all;
    all.termination = Termination::finished;
    all.reference =
        begin(light_field, reference, o, progress,
              [&](DisparityEstimation& job, DisparityResult& result, bool found) {
                  const std::size_t count = light_field.views.size();
                  double before = 0;
                  double after = 0;
                  job.progress = [&](const ProgressEvent&) {
                      return report(progress, {"views", int(all.views.size()), int(count)});
                  };
                  for (std::size_t k = 0; k < count; ++k) {
                      const ViewPosition position = light_field.views[k].position;
                      double agreement = 1;
                      if (contains(result.left_out, position))
                          all.views.push_back(alone(position, result));
                      else if (!found || position == reference)
                          all.views.push_back(
                              {position, result.disparity, result.confidence,
                               Image(result.disparity.width, result.disparity.height), 1});
                      else
                          all.views.push_back(estimate_other(job, k, result, agreement));
                      before += all.views.back().agreement;
                      after += agreement;
                      if (!job.progress({})) throw Cancelled();
                  }
                  if (count > 1) {  // the reference agrees with itself
                      all.agreement = (before - 1) / double(count - 1);
                      all.agreement_after = (after - 1) / double(count - 1);
                  }
              });
    return all;
}

}  // namespace

DisparityResult estimate_disparity(const LightFieldView& light_field, ViewPosition reference,
                                   const DisparityOptions& o, const Progress& progress) {
    return finished_or_cancelled<DisparityResult>([&] {
        return begin(light_field, reference, o, progress,
                     [](const DisparityEstimation&, DisparityResult&, bool) {});
    });
}

DisparityOfViews estimate_disparity_of_views(const LightFieldView& light_field,
                                             ViewPosition reference, const DisparityOptions& o,
                                             const Progress& progress) {
    return finished_or_cancelled<DisparityOfViews>(
        [&] { return of_all_views(light_field, reference, o, progress); });
}

}  // namespace plenosr
