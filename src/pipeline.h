#pragma once

#include <limits>

#include "devices/make_engines.h"
#include "engine/engine.h"
#include "plenosr/reconstruct.h"
#include "tiles/tile_work.h"

namespace plenosr {

// What the reconstruction of another view of the same light field has told already.
struct EarlierResults {
    std::optional<ImageStatistics> wide;  // not surveyed again
    Image start;  // high resolution, to start from, NaN where it knows nothing;
                  // empty: options.init
    // A result of the same view: around what it leaves unexplained, samples count less.
    const Image* before = nullptr;
    double most_noise = std::numeric_limits<double>::infinity();  // of the sensor: an upper bound
    double lambda_factor = 1;                                     // of the automatic lambda
};

// reconstruct() on the given engines; options.device and options.threads are not looked at.
ReconstructResult reconstruct_with(const Engines& engines, const LightField& light_field,
                                   ViewPosition reference, const Image& disparity,
                                   const ReconstructOptions& options, const Progress& progress,
                                   const Image* truth, const EarlierResults& known = {});

// … for any geometry: the tiling says where the views look.
ReconstructResult reconstruct_with(const Engines& engines, const Tiling& tiling, const Views& views,
                                   const ReconstructOptions& options, const Progress& progress,
                                   const Image* truth, const EarlierResults& known = {});
std::vector<TilesReport> plan_with(const Engines& engines, const Tiling& tiling);
int solved_channels(const ReconstructOptions& options, int channels);
// The blur, spread over the result of views of that size.
PsfGrid psf_for(const ReconstructOptions& options, int low_width, int low_height);

// solve -> (fit the disparity to the result -> solve again), as many times as there are rounds; not
// set: once, unless the first result shows that noise is strong
ReconstructResult reconstruct_in_rounds(const Engines& engines, const LightField& light_field,
                                        ViewPosition reference, const Image& disparity,
                                        const ReconstructOptions& options,
                                        std::optional<int> rounds, const Progress& progress,
                                        const Image* truth, const EarlierResults& known = {});

// Its first pass alone: what is the same for the whole image.
ImageStatistics survey_with(const Engines& engines, const LightField& light_field,
                            ViewPosition reference, const Image& disparity,
                            const ReconstructOptions& options, const Progress& progress);

}  // namespace plenosr
