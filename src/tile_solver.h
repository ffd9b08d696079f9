#pragma once

#include "noise/sample_trust.h"
#include "noise/view_correction.h"
#include "solve_tiles.h"
#include "tiles/tile_problem.h"

namespace plenosr {

// What the tiles of one solve share, and the problem of each of them.
class TileSolver {
public:
    // Surveys the tiles.
    TileSolver(const ReconstructionJob& job, const TilePlan& plan);

    ImageStatistics& statistics() { return surveyed_.statistics; }
    const ValueLimits& limits() const { return limits_; }
    std::size_t survey_bytes() const { return surveyed_.bytes; }

    // The problem of tile i; uses the tile that the survey prepared, if it is the only one.
    TileProblem problem(std::size_t i, Engine& engine, const Progress& progress);

    // Compares the views with an earlier result of this view. All tiles must use the same
    // corrections and scale, so several tiles need two passes of their own: corrections of the
    // views, then the scale of their residuals.
    void compare_with_earlier();
    // Corrects the views and weighs their samples. `pull`: lambda sigma^2. Returns the factors of
    // the other views' samples at each pixel; empty: there is no earlier result.
    Image weigh_by_earlier(std::size_t i, double pull, Problem& problem);
    // The result of another view, where it is known.
    void start_from_earlier(std::size_t i, Image& start) const;
    // What was corrected, in a sentence; empty: nothing.
    std::string corrections() const;

private:
    bool has_earlier() const;
    Image earlier_part(const Image& image, std::size_t i) const;
    Box core_in_tile(std::size_t i) const;
    CorrectionFit fit_of(std::size_t i, const Problem& problem) const;
    // fn(tile, its problem), by several engines at once.
    void for_each_problem(const std::function<void(std::size_t, Problem&)>& fn);

    const ReconstructionJob& job_;
    const TilePlan& plan_;
    ValueLimits limits_;
    Surveyed surveyed_;
    std::vector<ViewCorrection> corrections_;
    TrustScale scale_;
};

}  // namespace plenosr
