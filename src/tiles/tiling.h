#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "plenosr/light_field.h"

namespace plenosr {

// One tile in the image's high-resolution coordinates. The cores partition the image; the box is
// the core and an overlap on each side that is not the image's border.
struct Tile {
    Box box;
    Box core;
};

// Smallest and largest value of a map, of any part of it without looking at each pixel again.
class DisparityRange {
public:
    struct Range {
        double low = 0;
        double high = 0;
    };
    explicit DisparityRange(const Image& map);
    Range all() const { return within({0, 0, width_, height_}); }
    Range within(const Box& box) const;  // at least of the box: whole blocks

private:
    static constexpr int block = 8;
    int width_;
    int height_;
    int across_;
    std::vector<Range> blocks_;
};

// Which parts of the views and of the disparity map a tile of the reference needs, and how large
// its problem is. Works on sizes and disparities alone; no picture is needed.
class Tiling {
public:
    // `map`: the reference's disparity, at low-resolution or full size; stays the caller's.
    // The options become those of chosen_model(): nothing but lambda is left open.
    Tiling(int low_width, int low_height, int channels, const std::vector<ViewPosition>& views,
           ViewPosition reference, const Image& map, const PsfGrid& psf,
           const ReconstructOptions& options);
    // Frames, whose motions stay the caller's; `trust`: how much the samples of each count.
    Tiling(int low_width, int low_height, int channels, const std::vector<FrameMotion>& motions,
           const std::vector<double>& trust, const PsfGrid& psf, const ReconstructOptions& options);

    int width() const { return low_width_ * options_.scale; }  // of the result
    int height() const { return low_height_ * options_.scale; }
    int low_width() const { return low_width_; }
    int low_height() const { return low_height_; }
    const ReconstructOptions& options() const { return options_; }
    // spread over the whole image, and as they lie on a part of it
    const PsfGrid& psf() const { return psf_; }
    PsfGrid psf(const Box& box) const {
        return psf_.spread_over(width(), height(), box.x0, box.y0);
    }
    int psf_radius() const { return std::max(psf_.width(), psf_.height()) / 2; }
    const std::vector<ViewCrop>& views() const { return views_; }         // u and v
    const std::vector<FrameMotion>* motions() const { return motions_; }  // of frames, else none
    bool only_shifts() const;  // all of the views are frames that are shifted

    Tile whole() const;
    std::vector<Tile> grid(int across, int down, int overlap) const;

    ProblemShape shape(const Tile& tile, NormalForm normal) const;
    // The geometry's description without and with the disparity itself.
    GeometryDesc outline(const Tile& tile) const;
    GeometryDesc describe(const Tile& tile) const;
    Image disparity(const Box& box) const;  // high resolution

private:
    Box seen_of_frame(std::size_t frame, const Box& box) const;  // pixels of it, low resolution
    bool is_whole(const Box& box) const { return box == Box{0, 0, width(), height()}; }
    DisparityRange::Range range(const Box& box) const;  // in high-resolution pixels per step
    Box surroundings(const Box& box) const;             // part of the map that says what views see

    int low_width_;
    int low_height_;
    int channels_;
    std::vector<ViewCrop> views_;                        // u and v
    const Image* map_ = nullptr;                         // either this …
    const std::vector<FrameMotion>* motions_ = nullptr;  // … or this
    bool map_is_low_ = false;
    DisparityRange range_;
    PsfGrid psf_;
    ReconstructOptions options_;
};

// How a reconstruction is cut into tiles for the given engines.
struct TilePlan {
    std::vector<Tile> tiles;  // row by row
    int across = 1;
    int down = 1;
    int overlap = 0;  // high-resolution pixels on each inner side
    NormalForm normal = NormalForm::automatic;
    std::size_t bytes = 0;  // estimate, all engines together
    std::size_t limit = 0;  // what it had to stay below

    int width() const { return tiles.front().box.width; }  // the first tile; others differ little
    int height() const { return tiles.front().box.height; }
};

// The fewest tiles whose estimate stays below `limit` (bytes of all engines together; none: what
// each device has); nothing where the smallest tiles are still too large, or where the solver needs
// the whole image. plan_tiles() throws an Error instead that says so.
std::optional<TilePlan> find_plan(const Tiling& tiling, const std::vector<const Engine*>& engines,
                                  std::optional<std::size_t> limit);
TilePlan plan_tiles(const Tiling& tiling, const std::vector<const Engine*>& engines,
                    std::optional<std::size_t> limit);

struct MemoryNeed {
    std::size_t bytes = 0;    // at the peak
    std::size_t largest = 0;  // single allocation
};
// Host memory of a tile in the pipeline and memory of the engine together.
MemoryNeed memory_of_tile(const ProblemShape& shape, const Engine& engine);

}  // namespace plenosr
