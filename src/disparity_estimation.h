#pragma once

#include <memory>
#include <vector>

#include "disparity/consistency.h"
#include "disparity/match_settings.h"
#include "engine/engine.h"
#include "plenosr/disparity.h"

namespace plenosr {

// One estimate of disparity: what its matchings share.
struct DisparityEstimation {
    const LightField& light_field;
    ViewPosition reference;
    const DisparityOptions& options;
    std::unique_ptr<Engine> engine;
    Progress progress;
    MatchSettings settings;
    std::vector<Image> views;  // luma, impulses repaired, smoothed
    DisparityResult& result;

    // Where the device's memory does not suffice, the CPU matches from then on.
    Match match(const MatchDesc& desc);
};

std::unique_ptr<Engine> matching_engine(const std::string& device, int threads);

// Places in the list of views.
std::size_t index_of(const LightField& light_field, ViewPosition position);
std::vector<MatchDesc::Offset> offsets_from(const LightField& light_field, ViewPosition reference);

// matching -> median -> matching that knows where edges hide a side -> median, of the view `centre`
// by the views `chosen`; adds the time to `seconds` if given
OwnMap map_of(DisparityEstimation& job, std::size_t centre, const std::vector<std::size_t>& chosen,
              DisparityInterval range, double* seconds);

// The reference's map, into job.result; false: the views tell nothing. Views that no map explains
// are left out.
bool estimate_reference(DisparityEstimation& job);

}  // namespace plenosr
