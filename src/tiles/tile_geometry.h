#pragma once

#include <algorithm>
#include <vector>

#include "plenosr/light_field.h"
#include "problem/geometry.h"
#include "tiles/disparity_range.h"

namespace plenosr {

// One tile in the image's high-resolution coordinates. The cores partition the image; the box is
// the core and an overlap on each side that is not the image's border.
struct Tile {
    Box box;
    Box core;
};

// Copies the core of a tile's one-channel image into the whole. The cores of tiles share no pixel:
// threads may do this at the same time.
void paste_core(const Image& part, const Tile& tile, Image& whole);

// Where the views of a reconstruction look: which parts of the views and of the disparity map each
// tile of the reference needs. Works on sizes, disparities and motions alone, without pictures.
class TileGeometry {
public:
    // `map`: the reference's disparity, at low-resolution or full size; the caller keeps it alive.
    TileGeometry(int low_width, int low_height, int scale, const std::vector<ViewPosition>& views,
                 ViewPosition reference, const Image& map, const PsfGrid& psf, OperatorForm form);
    // Frames; the caller keeps the motions and images alive. `weights`: how much the samples of
    // each count; `sample_weights`: and each sample, null or empty: 1.
    TileGeometry(int low_width, int low_height, int scale, const std::vector<FrameMotion>& motions,
                 const std::vector<double>& weights, std::vector<const Image*> sample_weights,
                 const PsfGrid& psf);

    int width() const { return low_width_ * scale_; }  // of the result
    int height() const { return low_height_ * scale_; }
    int low_width() const { return low_width_; }
    int low_height() const { return low_height_; }
    int scale() const { return scale_; }
    SamplingGrid sampling() const { return {scale_, psf_.phase}; }
    double pixels() const { return double(width()) * double(height()); }
    const PsfGrid& psf() const { return psf_; }  // spread over the whole image
    PsfGrid psf(const Box& box) const;           // as it lies on a part of the image
    int psf_radius() const { return std::max(psf_.width(), psf_.height()) / 2; }
    const std::vector<ViewCrop>& views() const { return views_; }  // their u and v
    bool of_frames() const { return motions_ != nullptr; }
    const std::vector<FrameMotion>& motions() const { return *motions_; }  // of frames only
    const std::vector<const Image*>& sample_weights() const { return sample_weights_; }
    // All views are frames, their motions are translations, and their samples have no weights.
    bool only_shifts() const;

    Tile whole() const;
    // across x down tiles, row by row, with `overlap` pixels on each inner side. Boxes begin at
    // multiples of `alignment`.
    std::vector<Tile> tiles(int across, int down, int overlap, int alignment) const;

    // The geometry's description without and with the disparity itself.
    GeometryDesc outline(const Tile& tile) const;
    GeometryDesc describe(const Tile& tile) const;
    Image disparity(const Box& box) const;  // high resolution
    // The part of the map that determines what the views see of the tile; empty for frames.
    Box map_around(const Tile& tile) const;

private:
    Box seen_of_frame(std::size_t frame, const Box& box) const;  // low-resolution pixels of it
    bool is_whole(const Box& box) const { return box == Box{0, 0, width(), height()}; }
    DisparityRange::Range range(const Box& box) const;  // high-resolution pixels per step
    Box surroundings(const Box& box) const;

    int low_width_;
    int low_height_;
    int scale_;
    OperatorForm form_;
    std::vector<ViewCrop> views_;
    const Image* map_ = nullptr;                         // of light fields
    const std::vector<FrameMotion>* motions_ = nullptr;  // of frames
    std::vector<const Image*> sample_weights_;           // of frames
    bool map_is_low_ = false;
    DisparityRange range_;
    PsfGrid psf_;
};

}  // namespace plenosr
