#pragma once

#include <memory>
#include <vector>

#include "disparity/consistency.h"
#include "disparity/match_settings.h"
#include "disparity/view_fit.h"
#include "engine/engine.h"
#include "light_field/value_limits.h"
#include "plenosr/disparity.h"
#include "tiles/tile_geometry.h"

namespace plenosr {

// One estimate of disparity: what its matchings share.
class DisparityEstimation {
public:
    DisparityEstimation(const LightFieldView& light_field, ViewPosition reference,
                        const DisparityOptions& options, Progress progress,
                        DisparityResult& result);

    // The reference's map, into the result; false: no parallax was found. Views that no map
    // explains are left out.
    bool estimate_reference();

    // matching -> median -> matching that knows where depth edges hide a side -> median, of the
    // view `centre` by the views `chosen`; in tiles if the memory is limited.
    OwnMap map_of(std::size_t centre, const std::vector<std::size_t>& chosen,
                  DisparityInterval range);

    const LightFieldView& light_field() const { return light_field_; }
    ViewPosition reference() const { return reference_; }
    const std::string& device() const { return device_; }
    Progress progress;

private:
    struct Attempt {
        DisparityInterval range;
        OwnMap map;
        std::vector<std::size_t> unexplained;  // of the views that took part
        std::vector<std::size_t> not_judged;   // unexplained as a whole, but they see too little
        bool has_hidden = false;               // a view fits only where it sees the reference
        double least = 1;                      // explained share of the worst of them
        double mean = 0;                       // explained share, mean over the views
    };
    std::optional<Attempt> attempt(std::size_t centre, const std::vector<std::size_t>& chosen,
                                   double farthest);
    Attempt attempt(std::size_t centre, const std::vector<std::size_t>& chosen,
                    DisparityInterval range);
    std::optional<Attempt> attempt(std::size_t centre, const std::vector<std::size_t>& chosen);
    std::optional<Attempt> best_attempt(std::size_t centre, std::vector<std::size_t>& chosen);
    std::vector<MatchDesc::Offset> offsets_of(const std::vector<std::size_t>& chosen) const;
    std::optional<DisparityInterval> find_range(std::size_t centre,
                                                const std::vector<std::size_t>& chosen,
                                                double farthest);
    std::size_t bytes_of_part(std::size_t views, const Box& box) const;
    std::vector<Tile> tiles(std::size_t views, DisparityInterval range) const;
    Image repaired_view(std::size_t k, const Box& box) const;
    Image view(std::size_t k, const Box& box) const;
    OwnMap map_of_part(const Box& box, std::size_t centre, const std::vector<std::size_t>& chosen,
                       DisparityInterval range);
    double explained(std::size_t centre, std::size_t k, const Image& map,
                     const std::vector<Tile>& tiles) const;
    ViewFit fit_where_seen(std::size_t centre, std::size_t k, const Attempt& found,
                           const std::vector<Tile>& tiles) const;
    // If the device's memory does not suffice, the CPU matches from then on.
    Match match(const MatchDesc& desc);

    LightFieldView light_field_;
    ViewPosition reference_;
    const DisparityOptions& options_;
    DisparityResult& result_;
    ValueLimits limits_;
    std::shared_ptr<Engine> engine_;
    std::string device_;
    MatchSettings settings_;
    std::vector<Image> whole_views_;  // if they fit: view(k) of all, made once
};

// The view's index in the list of views; throws Error(input) if it is not among them.
std::size_t index_of(const LightFieldView& light_field, ViewPosition position);
std::vector<MatchDesc::Offset> offsets_from(const LightFieldView& light_field,
                                            ViewPosition reference);

}  // namespace plenosr
