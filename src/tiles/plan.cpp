#include <fmt/format.h>

#include <algorithm>

#include "noise/residual_noise.h"
#include "plenosr/error.h"
#include "tiles/tiling.h"

namespace plenosr {
namespace {

// Beyond this distance from a tile's border its result differs from the untiled one by less than
// what matters (docs/performance.md has the measurement).
int overlap_of(const Tiling& tiling) {
    constexpr int solver = 16;
    constexpr int denoiser = 24;  // more: blocks are matched across the border
    const int reach = solver + (tiling.options().denoiser == Denoiser::none ? 0 : denoiser);
    return reach + tiling.psf_radius();
}
constexpr int smallest_core = 32;
// Below this many samples per pixel a product with the samples costs no more than the stencil.
constexpr double stencil_pays = 1.2;
constexpr double share_of_device = 0.9;  // of its memory; the rest is not ours

struct Need {
    std::size_t bytes = 0;  // all engines together
    bool fits = true;
};

class Planner {
public:
    Planner(const Tiling& tiling, const std::vector<const Engine*>& engines,
            std::optional<std::size_t> limit)
        : tiling_(tiling), engines_(engines), limit_(limit) {}

    Need need(const std::vector<Tile>& tiles, NormalForm normal) const {
        Need result;
        for (const Engine* engine : engines_) {
            MemoryNeed worst;
            for (const Tile& tile : tiles) {
                const MemoryNeed n = memory_of_tile(tiling_.shape(tile, normal), *engine);
                worst.bytes = std::max(worst.bytes, n.bytes);
                worst.largest = std::max(worst.largest, n.largest);
            }
            result.bytes += worst.bytes;
            const double available = share_of_device * double(engine->memory_available());
            if (double(worst.bytes) > available || worst.largest > engine->largest_allocation())
                result.fits = false;
        }
        // … and the survey, which all of them share
        result.bytes +=
            ResidualNoise::bytes(tiling_.low_width(), tiling_.low_height(), tiling_.views().size());
        if (limit_ && result.bytes > *limit_) result.fits = false;
        return result;
    }

    std::optional<TilePlan> whole(NormalForm normal) const {
        const std::vector<Tile> tiles{tiling_.whole()};
        const Need n = need(tiles, normal);
        if (!n.fits) return {};
        return plan(tiles, 1, 1, 0, normal, n);
    }

    // The fewest tiles that fit, `least` of them or more; the longer side of a tile is cut first.
    std::optional<TilePlan> tiled(NormalForm normal, std::size_t least) const {
        int across = 1;
        int down = 1;
        while (true) {
            const int w = tiling_.width() / across;
            const int h = tiling_.height() / down;
            const int& longer = std::max(w, h);
            if (longer < 2 * smallest_core) return {};
            ++(w >= h ? across : down);
            if (std::size_t(across) * std::size_t(down) < least) continue;
            const int overlap = overlap_of(tiling_);
            const std::vector<Tile> tiles = tiling_.grid(across, down, overlap);
            const Need n = need(tiles, normal);
            if (n.fits) return plan(tiles, across, down, overlap, normal, n);
        }
    }

    double samples_per_pixel() const {
        const ProblemShape s = tiling_.shape(tiling_.whole(), NormalForm::direct);
        return double(s.samples()) / double(s.pixels());
    }

private:
    TilePlan plan(const std::vector<Tile>& tiles, int across, int down, int overlap,
                  NormalForm normal, const Need& n) const {
        return {tiles, across, down, overlap, normal, n.bytes, limit_.value_or(0)};
    }

    const Tiling& tiling_;
    const std::vector<const Engine*>& engines_;
    std::optional<std::size_t> limit_;
};

}  // namespace

std::optional<TilePlan> find_plan(const Tiling& tiling, const std::vector<const Engine*>& engines,
                                  std::optional<std::size_t> limit) {
    const Planner planner(tiling, engines, limit);
    const bool sampling = tiling.options().operator_form == OperatorForm::sampling;
    const NormalForm best = tiling.only_shifts() ? NormalForm::periodic
                            : sampling && planner.samples_per_pixel() > stencil_pays
                                ? NormalForm::stencil_f16
                                : NormalForm::direct;
    if (engines.size() == 1)
        for (const NormalForm normal : {best, NormalForm::direct})
            if (auto plan = planner.whole(normal)) return plan;
    if (tiling.options().solver != Solver::admm) return {};
    const std::size_t least = engines.size() > 1 ? 2 * engines.size() : 2;
    for (const NormalForm normal : {best, NormalForm::direct})
        if (auto plan = planner.tiled(normal, least)) return plan;
    return {};
}

TilePlan plan_tiles(const Tiling& tiling, const std::vector<const Engine*>& engines,
                    std::optional<std::size_t> limit) {
    if (auto plan = find_plan(tiling, engines, limit)) return *plan;
    const Planner planner(tiling, engines, limit);
    if (tiling.options().solver != Solver::admm)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("the chosen solver takes the whole image at once, {} bytes on one "
                                "device; use --solver admm, which works in tiles",
                                planner.need({tiling.whole()}, NormalForm::direct).bytes));
    const std::vector<Tile> smallest =
        tiling.grid(std::max(1, tiling.width() / smallest_core),
                    std::max(1, tiling.height() / smallest_core), overlap_of(tiling));
    throw Error(limit ? ErrorKind::invalid_option : ErrorKind::memory,
                fmt::format("{} bytes of memory are too little: even the smallest tiles need {}",
                            limit ? *limit : engines.front()->memory_available(),
                            planner.need(smallest, NormalForm::direct).bytes));
}

MemoryNeed memory_of_tile(const ProblemShape& s, const Engine& engine) {
    constexpr std::size_t f = sizeof(float);
    const std::size_t n = s.pixels();
    const std::size_t planes = n * std::size_t(s.channels);
    const std::size_t samples = s.samples();
    const std::size_t scale2 = std::size_t(s.scale) * std::size_t(s.scale);
    const std::size_t around = std::size_t(s.disparity_width) * std::size_t(s.disparity_height);
    const std::size_t views = f * samples * std::size_t(s.channels);
    const std::size_t fine = s.form == OperatorForm::chain ? f * samples * (scale2 + 1) : 0;
    const EngineMemory e = engine.memory_for(s);

    // views, geometry (disparity, visible, inside) and the map around the tile
    const std::size_t looks = (2 + s.position_floats) * f * samples;
    const std::size_t geometry = views + looks + fine + f * around;
    // … the tile's disparity, the enlarged reference (first with its margin), the pilot
    const std::size_t pilot =
        views + looks + fine + f * n + 2 * f * planes +
        std::max(f * s.low_pixels() * scale2 * std::size_t(s.channels), f * planes + f * n);
    // … and its blurs, while the tile is looked at
    const std::size_t survey = views + looks + fine + 2 * f * n + 2 * f * planes + 3 * f * n;
    // values, disparity, weights; start, occlusion, result
    const std::size_t solve =
        views + (1 + s.position_floats) * f * samples + fine + 2 * f * planes + f * n;
    return {std::max({geometry + e.geometry, pilot + e.pilot, survey, solve + e.solve}), e.largest};
}

}  // namespace plenosr
