#pragma once

#include <limits>

#include "base/cancelled.h"
#include "engine/engine.h"
#include "tiles/survey.h"

namespace plenosr {

// What is known from earlier results of the same light field or the same frames.
struct EarlierResults {
    // Of another view of the same light field: noise, texture and weights are not measured again.
    std::optional<ImageStatistics> statistics;
    std::vector<double> noise_of_views;  // of the views given; empty: measured if it is needed
    Image start;  // high resolution, where the solver starts; NaN: unknown; empty: options.init
    // An earlier result for this view: samples that it leaves unexplained are down-weighted.
    const Image* result = nullptr;
    double max_noise = std::numeric_limits<double>::infinity();  // upper bound for the sensor noise
    double lambda_factor = 1;                                    // applied to the automatic lambda
    // The self-check is done if the sensor noise is above this, grey levels: only then is this the
    // last solve.
    double check_above_noise = -1;
    std::size_t held_bytes = 0;  // of images that are held beside those of this view
};

// The set-up of one reconstruction, and the place of the reference among the views. They throw
// Error(input) for views, a map or a reference that do not fit. The caller keeps the map alive.
Setup checked_setup(const LightFieldView& light_field, ViewPosition reference,
                    const Image& disparity, const ReconstructOptions& options,
                    const EarlierResults& earlier);
std::size_t index_of_reference(const LightFieldView& light_field, ViewPosition reference);

// One reconstruction with the given disparity map: plan tiles -> survey them -> solve them. If a
// device lacks the memory it promised, the tiles are made smaller. Ignores options.device and
// options.threads.
ReconstructResult reconstruct_view(const Engines& engines, const LightFieldView& light_field,
                                   ViewPosition reference, const Image& disparity,
                                   const ReconstructOptions& options, const Progress& progress,
                                   const Image* truth, const EarlierResults& earlier = {});
// The same for any geometry, frames for example. `given`: the options before the model was chosen.
ReconstructResult reconstruct_view(const Engines& engines, const Setup& setup, const Views& views,
                                   const ReconstructOptions& given, const Progress& progress,
                                   const Image* truth, const EarlierResults& earlier = {});

// The survey alone.
ImageStatistics survey_view(const Engines& engines, const LightFieldView& light_field,
                            ViewPosition reference, const Image& disparity,
                            const ReconstructOptions& options, const Progress& progress,
                            const EarlierResults& earlier = {});

// The tiles alone, for each engine.
std::vector<TilesReport> plan_view(const Engines& engines, const Setup& setup);

// The result of job(). If it was cancelled before the first iteration, the image is empty.
template <class Job>
ReconstructResult with_image_or_cancelled(const Job& job) {
    auto result = finished_or_cancelled<ReconstructResult>(job);
    if (result.termination != Termination::cancelled) return result;
    if (result.iterations.size() < 2) {
        result.image = Image();
        result.film.clear();
        result.message = "cancelled before the first iteration";
    }
    return result;
}

}  // namespace plenosr
