#include "tiles/prepare_tile.h"
#include "base/cancelled.h"

#include <utility>

namespace plenosr {

std::size_t bytes_of(const Image& image) {
    return image.values.size() * sizeof(float);
}

namespace {

std::size_t bytes_of(const PreparedTile& tile) {
    std::size_t bytes = bytes_of(tile.disparity) + bytes_of(tile.enlarged) +
                        bytes_of(tile.pilot.median) + bytes_of(tile.pilot.spread);
    for (const Image& view : tile.views)
        bytes += bytes_of(view);
    for (const ViewGeometry& g : tile.geometry)
        bytes += bytes_of(g.disparity) + bytes_of(g.low_disparity) + bytes_of(g.displacement) +
                 bytes_of(g.visible) + bytes_of(g.inside);
    return bytes;
}

// The crop of a view as the solver sees it: luma, or all channels.
Image solved_values(const ImageView& view, const ViewCrop& at, const GeometryDesc& desc,
                    const Tile& tile, Colour colour) {
    const Image part =
        crop(view, {(tile.box.x0 + at.x0) / desc.scale, (tile.box.y0 + at.y0) / desc.scale,
                    desc.low_width, desc.low_height});
    return colour == Colour::luma ? luma(part) : part;
}

}  // namespace

PreparedTile prepare_tile(Engine& engine, const Setup& setup, const Views& views, const Tile& tile,
                          const Progress& progress) {
    const CountedScope counted(engine.memory());
    PreparedTile result;
    {
        const GeometryDesc desc = setup.geometry.of_frames() ? setup.geometry.outline(tile)
                                                             : setup.geometry.describe(tile);
        const Charge map(bytes_of(desc.disparity));
        for (std::size_t k = 0; k < desc.views.size(); ++k)
            result.views.push_back(solved_values(views.light_field.views[k].image, desc.views[k],
                                                 desc, tile, views.colour));
        result.charge.resize(bytes_of(result));
        if (!setup.geometry.of_frames())
            result.geometry = engine.geometry(desc, progress);
        else
            engine.run([&] {
                result.geometry = frame_geometry(desc, setup.geometry.motions(),
                                                 setup.geometry.sample_weights(), tile.box);
            });
        result.charge.resize(bytes_of(result));
    }
    const SamplingGrid sampling = setup.geometry.sampling();
    const ViewCrop& at = result.geometry[views.reference].crop;
    {
        Image enlarged = engine.enlarge_bicubic(result.views[views.reference], sampling);
        const Charge with_margin(bytes_of(enlarged));
        const Box box{-at.x0, -at.y0, tile.box.width, tile.box.height};
        const bool all = enlarged.width == box.width && enlarged.height == box.height;
        result.enlarged = all ? std::move(enlarged) : crop(enlarged, box);
    }
    result.disparity = setup.geometry.disparity(tile.box);
    if (!setup.geometry.of_frames())
        result.pilot = engine.median_of_views(result.views, result.geometry, result.disparity,
                                              result.enlarged, sampling);
    else
        engine.run([&] {
            result.pilot = median_of_frames(result.views, result.geometry, setup.geometry.motions(),
                                            tile.box, result.enlarged, sampling);
        });
    if (!report(progress, {"geometry", 1, 1, 0})) throw Cancelled();
    result.charge.resize(bytes_of(result));
    return result;
}

}  // namespace plenosr
