#include "refine_in_tiles.h"

#include <algorithm>
#include <cmath>

#include "disparity/matching.h"
#include "tiles/limited_tiles.h"

namespace plenosr {
namespace {

constexpr int filter_margin = 24;  // pixels: twice the guided filter's window, and interpolation

// How far a view sees across the border of a tile, in pixels of the result.
int margin_of(const Image& map, const RefineDesc& desc) {
    float most = 0;
    for (const float d : map.values)
        most = std::max(most, std::abs(d));
    std::vector<MatchDesc::Offset> offsets;
    for (const PlacedView& view : desc.light_field.views)
        offsets.push_back(
            {view.position.col - desc.reference.col, view.position.row - desc.reference.row});
    const double reach = std::ceil(double(most) * baseline_of(offsets));
    const int blur = std::max(desc.psf.width(), desc.psf.height()) / 2;
    return int(std::min(reach, double(std::max(map.width, map.height)))) + blur + filter_margin;
}

LightField part_of(const LightFieldView& light_field, const Box& box) {
    LightField part;
    part.grid = light_field.grid;
    part.clipped = light_field.clipped;
    for (const PlacedView& view : light_field.views)
        part.views.push_back({view.position, crop(view.image, box)});
    return part;
}

}  // namespace

Image refine_in_tiles(const Image& map, const Image& solved, const RefineDesc& desc,
                      std::size_t memory_limit, std::size_t held) {
    const std::size_t view_bytes =
        desc.light_field.views.size() * std::size_t(desc.light_field.channels()) * sizeof(float);
    const std::size_t block = std::size_t(desc.scale) * std::size_t(desc.scale);
    LimitedJob job;
    job.what = "refining the disparity";
    job.width = map.width;
    job.height = map.height;
    job.alignment = desc.scale;
    job.bytes = [&](const Box& box) {
        const std::size_t pixels = std::size_t(box.width) * std::size_t(box.height);
        return pixels * refine_bytes_per_pixel + pixels / block * view_bytes;
    };
    job.margin = margin_of(map, desc);
    const std::vector<Tile> tiles = limited_tiles(job, memory_limit, held);
    if (tiles.size() == 1) return refined_disparity(map, solved, desc);

    Image result = map;
    for (const Tile& tile : tiles) {
        const Box& b = tile.box;
        const Box low{b.x0 / desc.scale, b.y0 / desc.scale, b.width / desc.scale,
                      b.height / desc.scale};
        const LightField views = part_of(desc.light_field, low);
        const PsfGrid psf = desc.psf.spread_over(map.width, map.height, b.x0, b.y0);
        const RefineDesc part{views, desc.reference, psf, desc.scale, desc.noise};
        paste_core(refined_disparity(crop(map, b), crop(solved, b), part), tile, result);
    }
    return result;
}

}  // namespace plenosr
