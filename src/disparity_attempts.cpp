// Attempts at the reference's map: with all views, with larger shifts, and without the views that
// do not fit.
#include <algorithm>
#include <cmath>

#include "disparity/automatic_range.h"
#include "disparity/view_fit.h"
#include "disparity_estimation.h"

namespace plenosr {
namespace {

// How often views that do not fit are left out. Not tuned: the first map was made with
// them, so the next one may judge views differently.
constexpr int attempts_without_misfits = 2;

}  // namespace

double DisparityEstimation::explained(std::size_t centre, std::size_t k, const Image& map,
                                      const std::vector<Tile>& tiles) const {
    const MatchDesc::Offset offset = offsets_from(light_field_, reference_)[k];
    const auto share = [&](const Tile& tile) {
        return view_fit(view(centre, tile.box), view(k, tile.box), crop(map, tile.box), offset.u,
                        offset.v, settings_.noise, settings_.smoothing)
            .share();
    };
    if (tiles.size() == 1) return share(tiles.front());
    double sum = 0;
    for (const Tile& tile : tiles)
        sum += share(tile) * double(tile.core.width) * double(tile.core.height);
    return sum / (double(map.width) * double(map.height));
}

// The fit of view k where it sees the reference. Far views see less of it, and an error of the map
// moves them more. The confidence does not count: it is low where views contradict each other.
ViewFit DisparityEstimation::fit_where_seen(std::size_t centre, std::size_t k, const Attempt& found,
                                            const std::vector<Tile>& tiles) const {
    const Image& map = found.map.disparity;
    const MatchDesc::Offset offset = offsets_from(light_field_, reference_)[k];
    const Image seen = seen_by_view(map, offset.u, offset.v);
    // A parabola finds the disparity between two labels.
    const double half_label = (found.range.max - found.range.min) / (options_.labels - 1) / 2;
    const double uncertainty =
        std::min(half_label,
                 largest_uncertain_shift / std::max({1.0, std::abs(offset.u), std::abs(offset.v)}));
    ViewFit sum;
    for (const Tile& tile : tiles) {
        const ViewFit part = view_fit(view(centre, tile.box), view(k, tile.box),
                                      crop(map, tile.box), offset.u, offset.v, settings_.noise,
                                      settings_.smoothing, {crop(seen, tile.box), uncertainty});
        sum.pixels += part.pixels;
        sum.textured += part.textured;
        sum.explained += part.explained;
    }
    return sum;
}

// range -> map of the view `centre` by the views `chosen` -> which of them it does not explain.
// Nothing if no parallax is found.
std::optional<DisparityEstimation::Attempt> DisparityEstimation::attempt(
    std::size_t centre, const std::vector<std::size_t>& chosen, double farthest) {
    const std::optional<DisparityInterval> range = find_range(centre, chosen, farthest);
    if (!range) return std::nullopt;
    return attempt(centre, chosen, *range);
}

DisparityEstimation::Attempt DisparityEstimation::attempt(std::size_t centre,
                                                          const std::vector<std::size_t>& chosen,
                                                          DisparityInterval range) {
    Attempt found;
    found.range = range;
    const Stopwatch clock;
    found.map = map_of(centre, chosen, range);
    result_.sweep_seconds = clock.seconds();
    result_.nanoseconds_per_cost =
        1e9 * result_.sweep_seconds /
        (double(chosen.size()) * double(options_.labels) * double(found.map.disparity.pixels()));
    const std::vector<Tile> parts = tiles(chosen.size(), range);
    for (const std::size_t k : chosen) {
        const double share = explained(centre, k, found.map.disparity, parts);
        if (share < least_explained_share) {
            const ViewFit fit = fit_where_seen(centre, k, found, parts);
            if (!fit.is_known())
                found.not_judged.push_back(k);
            else if (is_explained_where_seen(fit.share(), share))
                found.has_hidden = true;
            else
                found.unexplained.push_back(k);
        }
        found.least = std::min(found.least, share);
        found.mean += share / double(chosen.size());
    }
    return found;
}

// With larger shifts if the usual ones do not explain some view, and if they explain the views
// better.
std::optional<DisparityEstimation::Attempt> DisparityEstimation::attempt(
    std::size_t centre, const std::vector<std::size_t>& chosen) {
    std::optional<Attempt> found = attempt(centre, chosen, typical_largest_shift);
    if (!found || options_.range || found->least >= well_explained_share) return found;
    auto wider = attempt(centre, chosen, extreme_largest_shift);
    return wider && wider->mean > found->mean ? std::move(wider) : std::move(found);
}

// The attempt that explains the views best: with all of them, and without those that it does not
// explain.
std::optional<DisparityEstimation::Attempt> DisparityEstimation::best_attempt(
    std::size_t centre, std::vector<std::size_t>& chosen) {
    std::optional<Attempt> found = attempt(centre, chosen);
    if (!found) return found;
    for (int i = 0; i < attempts_without_misfits && found && !found->unexplained.empty(); ++i) {
        std::erase_if(chosen, [&](std::size_t k) {
            return std::find(found->unexplained.begin(), found->unexplained.end(), k) !=
                   found->unexplained.end();
        });
        if (chosen.size() < 2) return std::nullopt;
        found = attempt(centre, chosen);
    }
    if (found && !found->unexplained.empty()) return std::nullopt;
    // Few labels hit the scene if chance matches have widened the range, as with large parallax.
    if (!options_.range && found && found->has_hidden) {
        const auto range = narrower_range(found->map.disparity, found->map.confidence,
                                          offsets_of(chosen), found->range);
        if (range) {
            Attempt narrower = attempt(centre, chosen, *range);
            if (narrower.unexplained.empty() && narrower.mean >= found->mean)
                found = std::move(narrower);
        }
    }
    return found;
}

}  // namespace plenosr
