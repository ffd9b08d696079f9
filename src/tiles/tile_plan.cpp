#include "tiles/tile_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/process_memory.h"
#include "denoise/bm3d_parameters.h"
#include "noise/residual_noise.h"
#include "plenosr/error.h"
#include "tiles/tile_memory.h"

namespace plenosr {
namespace {

// High-resolution pixels. Beyond this distance from a tile's border the tiled and the untiled
// result agree to 55 dB (three rendered scenes, nine tiles of 1024 x 1024;
// tests/tiles/seams_test.cpp).
constexpr int solver_overlap = 16;
constexpr int denoiser_overlap = 24;  // in addition, because blocks are matched across the border
constexpr int smallest_core = 32;     // below this the overlap is most of a tile
// Samples per pixel below which a product with the samples costs no more than the stencil (measured
// on the native engine).
constexpr double stencil_min_density = 1.2;
constexpr double usable_share = 0.9;  // of a device's own memory; drivers need the rest

int overlap_of(const Setup& setup) {
    const bool denoises = setup.options.denoiser != Denoiser::none;
    return solver_overlap + (denoises ? denoiser_overlap : 0) + setup.geometry.psf_radius();
}

// A denoiser's blocks lie on the same pixels in a tile as in the whole image.
int alignment_of(const Setup& setup) {
    return setup.options.denoiser == Denoiser::none ? 1 : bm3d::step;
}

struct Need {
    std::size_t bytes = 0;          // all engines together
    std::size_t process_bytes = 0;  // the part of it in memory of this process
    bool fits = true;
};

class Planner {
public:
    Planner(const Setup& setup, std::vector<const Engine*> engines,
            std::optional<std::size_t> limit)
        : setup_(setup), engines_(std::move(engines)), limit_(limit) {}

    Need need(const std::vector<Tile>& tiles, NormalForm normal) const {
        Need result;
        for (const Engine* engine : engines_) {
            MemoryNeed worst;
            for (const Tile& tile : tiles) {
                const MemoryNeed n = memory_of_tile(problem_shape(setup_, tile, normal), *engine);
                worst.bytes = std::max(worst.bytes, n.bytes);
                worst.largest = std::max(worst.largest, n.largest);
            }
            result.bytes += worst.bytes;
            if (engine->in_process_memory()) result.process_bytes += worst.bytes;
            const double available = usable_share * double(engine->memory_available());
            if (double(worst.bytes) > available || worst.largest > engine->largest_allocation())
                result.fits = false;
        }
        const TileGeometry& g = setup_.geometry;
        const std::size_t survey =
            ResidualNoise::bytes(g.low_width(), g.low_height(), g.views().size());
        result.bytes += survey;  // shared by all engines
        result.process_bytes += survey;
        // A given limit alone decides: the same tiles on every machine.
        if (limit_ ? result.bytes > *limit_
                   : result.process_bytes > memory_for_work(setup_.held_bytes))
            result.fits = false;
        return result;
    }

    std::optional<TilePlan> whole(NormalForm normal) const {
        const std::vector<Tile> tiles{setup_.geometry.whole()};
        const Need n = need(tiles, normal);
        if (!n.fits) return {};
        return plan(tiles, 1, 1, 0, normal, n);
    }

    // The fewest tiles that fit, at least `least` of them; the longer side of a tile is cut first.
    std::optional<TilePlan> tiled(NormalForm normal, std::size_t least) const {
        int across = 1;
        int down = 1;
        while (true) {
            const int w = setup_.geometry.width() / across;
            const int h = setup_.geometry.height() / down;
            if (std::max(w, h) < 2 * smallest_core) return {};
            ++(w >= h ? across : down);
            if (std::size_t(across) * std::size_t(down) < least) continue;
            const int overlap = overlap_of(setup_);
            const std::vector<Tile> tiles =
                setup_.geometry.tiles(across, down, overlap, alignment_of(setup_));
            const Need n = need(tiles, normal);
            if (n.fits) return plan(tiles, across, down, overlap, normal, n);
        }
    }

    double samples_per_pixel() const {
        const ProblemShape s = problem_shape(setup_, setup_.geometry.whole(), NormalForm::direct);
        return double(s.samples()) / double(s.pixels());
    }

    NormalForm fastest() const {
        if (setup_.geometry.only_shifts()) return NormalForm::periodic;
        return setup_.options.operator_form == OperatorForm::sampling &&
                       samples_per_pixel() > stencil_min_density
                   ? NormalForm::stencil_f16
                   : NormalForm::direct;
    }

private:
    TilePlan plan(const std::vector<Tile>& tiles, int across, int down, int overlap,
                  NormalForm normal, const Need& n) const {
        return {tiles, across, down, overlap, normal, n.bytes, n.process_bytes, limit_.value_or(0)};
    }

    const Setup& setup_;
    std::vector<const Engine*> engines_;
    std::optional<std::size_t> limit_;
};

std::vector<const Engine*> pointers(const Engines& engines) {
    std::vector<const Engine*> result;
    for (const auto& engine : engines)
        result.push_back(engine.get());
    return result;
}

}  // namespace

std::optional<TilePlan> find_plan(const Setup& setup, const Engines& engines,
                                  std::optional<std::size_t> limit) {
    const Planner all(setup, pointers(engines), limit);
    const Planner first(setup, {engines.front().get()}, limit);
    const NormalForm forms[] = {all.fastest(), NormalForm::direct};
    const bool tiles_work = setup.options.solver == Solver::admm;
    if (engines.size() == 1) {
        for (const NormalForm normal : forms)
            if (auto plan = all.whole(normal)) return plan;
        if (!tiles_work) return {};
    } else {
        if (!tiles_work) return {};
        for (const NormalForm normal : forms)
            if (auto plan = all.tiled(normal, 2 * engines.size())) return plan;
    }
    for (const NormalForm normal : forms)
        if (auto plan = all.tiled(normal, 2)) return plan;
    if (engines.size() > 1)  // too small to be shared
        for (const NormalForm normal : forms)
            if (auto plan = first.whole(normal)) return plan;
    return {};
}

TilePlan plan_tiles(const Setup& setup, const Engines& engines, std::optional<std::size_t> limit) {
    if (auto plan = find_plan(setup, engines, limit)) return *plan;
    const Planner planner(setup, pointers(engines), limit);
    const TileGeometry& geometry = setup.geometry;
    if (setup.options.solver != Solver::admm)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("the chosen solver needs the whole image at once, {} bytes on one "
                                "device; use --solver admm, which works in tiles",
                                planner.need({geometry.whole()}, NormalForm::direct).bytes));
    const std::vector<Tile> smallest = geometry.tiles(
        std::max(1, geometry.width() / smallest_core),
        std::max(1, geometry.height() / smallest_core), overlap_of(setup), alignment_of(setup));
    const std::size_t needed = planner.need(smallest, NormalForm::direct).bytes;
    if (limit)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("{} bytes of memory are too little: even the smallest tiles need "
                                "{}",
                                *limit, needed));
    throw Error(ErrorKind::memory,
                fmt::format("there is not enough memory: even the smallest tiles need {} bytes, "
                            "{}; use fewer views or a smaller scale",
                            needed, memory_words(setup.held_bytes)));
}

void require_process_memory(const TilePlan& plan, const Setup& setup, std::size_t others) {
    const std::size_t held = setup.held_bytes + others;
    if (plan.process_bytes <= memory_for_work(held)) return;
    throw Error(
        ErrorKind::memory,
        fmt::format("there is not enough memory: {} tiles of {} x {} pixels need {} bytes, "
                    "{}; {}",
                    plan.tiles.size(), plan.width(), plan.height(), plan.process_bytes,
                    memory_words(held),
                    plan.limit > 0 ? "give a smaller --memory-limit" : "give a --memory-limit"));
}

}  // namespace plenosr
