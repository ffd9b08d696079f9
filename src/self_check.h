#pragma once

#include <atomic>
#include <mutex>

#include "noise/prediction_errors.h"
#include "solve_tiles.h"
#include "solver/solve.h"
#include "tiles/region_verdicts.h"
#include "tiles/tile_problem.h"

namespace plenosr {

// `--self-check`: does the result predict samples that were left out? Before a tile is solved, a
// draft of it is solved without one sample in ten, and predicts those (noise/prediction_errors.h).
// Where the enlarged reference alone predicts them significantly better (tiles/region_verdicts.h),
// the disparity, the motion, the views or the blur are wrong, and the result becomes the enlarged
// reference.
//
// Samples do not show errors that all views share: a wrong phase, or a blur that is assumed too
// wide; such a result explains them well. A blur that is far too wide shows in the spectrum of the
// result (light_field/rising_spectrum.h): then all of it becomes the enlarged reference. A wrong
// phase, and a blur that is up to about twice too wide, are not detected.
class SelfChecker {
public:
    SelfChecker(const ReconstructionJob& job, const TilePlan& plan,
                const ImageStatistics& statistics, const ValueLimits& limits,
                const SolveOptions& options);

    // The samples to leave out of a tile's problem. Must be called before the samples are weighted
    // by trust. Empty: none.
    LeftOutSamples choose(const Problem& problem) const;
    // Solves the draft of tile i. The problem is the same afterwards.
    void check(std::size_t i, TileProblem& tile, LeftOutSamples left_out, Engine& engine,
               const Progress& progress);
    bool stopped() const { return stopped_; }  // when asked, while a draft was solved
    // After all tiles: the report, and the fallback of an image with all its channels.
    void finish(ReconstructResult& result);

private:
    void fall_back(const RegionVerdicts& verdicts, ReconstructResult& result);

    const ReconstructionJob& job_;
    const TilePlan& plan_;
    const ValueLimits& limits_;
    SolveOptions options_;
    NoiseEstimate noise_;
    double samples_per_pixel_;
    std::optional<SelfCheck> report_;
    // Of the tiles, added in their order.
    struct Part {
        PredictionErrors others, reference;
    };
    std::vector<Part> parts_;
    bool is_on_ = false;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> failed_ = false;  // a draft has no image
    std::mutex mutex_;                  // of report_->seconds
};

}  // namespace plenosr
