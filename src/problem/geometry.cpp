#include "problem/geometry.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "base/memory_count.h"
#include "disparity/disparity_at.h"
#include "plenosr/disparity.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

// Soft weights instead of a hard mask: boxes 20/0 30.82 -> 32.60 dB, dishes x4 1/1 29.78 -> 29.96
// (without any mask 29.26), by a prototype; on medieval2 x2 10/1 all three lie within 0.07 dB.
constexpr double soft_scale = 10;   // grey levels: error of a sample that is not visible
constexpr float hard_limit = 0.9F;  // visible fraction
// The form is that of the published weights; where the scales come from is not recorded.
constexpr double boundary_scale = 0.3;   // s1, disparity per pixel
constexpr double projection_scale = 20;  // s2, grey levels
// High-resolution pixels by which a frame's sample may lie outside: registration errs by hundredths
// of a pixel, and the last row must stay inside.
constexpr double frame_tolerance = 0.5;

ViewGeometry geometry_of(const GeometryDesc& desc, const ViewCrop& crop) {
    const int scale = desc.scale;
    ViewGeometry g;
    g.crop = crop;
    const Box grid{crop.x0 - desc.disparity_x0, crop.y0 - desc.disparity_y0, desc.low_width * scale,
                   desc.low_height * scale};
    ViewDisparity view = disparity_of_view(desc.disparity, crop.u, crop.v, grid);
    g.disparity = disparity_at_samples(view.disparity, {scale, desc.psf.phase});
    g.visible = blur_decimate(view.visible, psf_of_view(desc.psf, crop), scale);
    g.inside = inside_tile(desc, g);
    if (desc.form == OperatorForm::chain) {
        g.low_disparity = std::move(g.disparity);
        g.disparity = std::move(view.disparity);
    }
    return g;
}

}  // namespace

PsfGrid psf_of_view(const PsfGrid& psf, const ViewCrop& crop) {
    PsfGrid moved = psf;
    moved.x0 -= crop.x0;
    moved.y0 -= crop.y0;
    return moved;
}

Place ViewGeometry::place(int scale, int i, int j) const {
    Place p{crop.x0 + crop.dx + double(scale) * j, crop.y0 + crop.dy + double(scale) * i};
    if (const Image& map = at_low_resolution(); !map.empty()) {
        const double d = double(map.at(i, j));
        p.x += crop.u * d;
        p.y += crop.v * d;
    }
    if (!displacement.empty()) {
        p.x += double(displacement.at(i, j, 0));
        p.y += double(displacement.at(i, j, 1));
    }
    return p;
}

Image inside_tile(const GeometryDesc& desc, const ViewGeometry& view, double beyond) {
    const Image& visible = view.visible;
    Image inside(visible.width, visible.height);
    if (std::none_of(visible.values.begin(), visible.values.end(),
                     [](float v) { return v > 0.0F; }))
        return inside;
    const double first = std::max(0.0, -desc.psf.phase) - beyond;
    const double after = std::max(0.0, desc.psf.phase) - beyond;
    for (int i = 0; i < inside.height; ++i)
        for (int j = 0; j < inside.width; ++j) {
            const Place p = view.place(desc.scale, i, j);
            if (p.x >= first && p.x <= desc.width - 1 - after && p.y >= first &&
                p.y <= desc.height - 1 - after)
                inside.at(i, j) = 1.0F;
        }
    return inside;
}

GeometryDesc whole_image(const LightFieldView& light_field, ViewPosition reference,
                         Image full_disparity, const PsfGrid& psf, int scale, OperatorForm form) {
    GeometryDesc desc;
    desc.width = full_disparity.width;
    desc.height = full_disparity.height;
    desc.scale = scale;
    desc.low_width = desc.width / scale;
    desc.low_height = desc.height / scale;
    for (const PlacedView& view : light_field.views)
        desc.views.push_back(
            {view.position.col - reference.col, view.position.row - reference.row});
    desc.disparity = std::move(full_disparity);
    desc.psf = psf.spread_over(desc.width, desc.height);
    desc.form = form;
    return desc;
}

std::size_t view_geometry_bytes(int low_width, int low_height, int scale, std::size_t views,
                                std::size_t threads) {
    // splat, filled splat and visibility of the views that are processed at once
    return 3 * sizeof(float) * std::min({views, views_at_once, threads}) * std::size_t(low_width) *
           std::size_t(low_height) * std::size_t(scale) * std::size_t(scale);
}

std::vector<ViewGeometry> view_geometry(const GeometryDesc& desc, const Progress& progress) {
    const int count = int(desc.views.size());
    std::vector<ViewGeometry> result(std::size_t(count), ViewGeometry{});
    constexpr int batch = int(views_at_once);  // between two progress reports
    const Charge charge(view_geometry_bytes(desc.low_width, desc.low_height, desc.scale,
                                            desc.views.size(),
                                            std::size_t(tbb::this_task_arena::max_concurrency())));
    for (int begin = 0; begin < count; begin += batch) {
        const int end = std::min(count, begin + batch);
        tbb::parallel_for(begin, end, [&](int k) {
            result[std::size_t(k)] = geometry_of(desc, desc.views[std::size_t(k)]);
        });
        if (!report(progress, {"geometry", end, count, 0})) throw Cancelled();
    }
    return result;
}

std::vector<ViewGeometry> frame_geometry(const GeometryDesc& desc,
                                         const std::vector<FrameMotion>& motions,
                                         const std::vector<const Image*>& weights,
                                         const Box& tile) {
    std::vector<ViewGeometry> result(motions.size(), ViewGeometry{});
    const int scale = desc.scale;
    tbb::parallel_for(std::size_t(0), motions.size(), [&](std::size_t k) {
        ViewGeometry& g = result[k];
        const FrameMotion& motion = motions[k];
        g.crop = desc.views[k];
        const int col = (tile.x0 + g.crop.x0) / scale;  // place of the crop in the frame
        const int row = (tile.y0 + g.crop.y0) / scale;
        if (motion.is_translation()) {
            g.crop.dx = scale * motion.matrix[2];
            g.crop.dy = scale * motion.matrix[5];
        } else {
            g.displacement = Image(desc.low_width, desc.low_height, 2);
            for (int i = 0; i < desc.low_height; ++i)
                for (int j = 0; j < desc.low_width; ++j) {
                    const Place p = motion.to_reference({double(col + j), double(row + i)});
                    g.displacement.at(i, j, 0) = float(scale * (p.x - (col + j)));
                    g.displacement.at(i, j, 1) = float(scale * (p.y - (row + i)));
                }
        }
        g.visible = Image(desc.low_width, desc.low_height, 1, 1.0F);
        g.inside = inside_tile(desc, g, frame_tolerance);
        g.weighted = weights[k] != nullptr;
        if (!g.weighted) return;
        for (int i = 0; i < desc.low_height; ++i)
            for (int j = 0; j < desc.low_width; ++j)
                g.inside.at(i, j) *= weights[k]->at(row + i, col + j);
    });
    return result;
}

double soft_visibility(double visible, double noise_sigma) {
    const double variance = noise_sigma * noise_sigma;
    return variance / (variance + soft_scale * soft_scale * (1.0 - visible));
}

Image visibility_weight(const ViewGeometry& view, Visibility visibility, double noise_sigma) {
    if (visibility == Visibility::none && !view.weighted)
        return Image(view.visible.width, view.visible.height, 1, 1.0F);
    Image m(view.visible.width, view.visible.height);
    for (std::size_t i = 0; i < m.values.size(); ++i) {
        const float visible = std::clamp(view.visible.values[i], 0.0F, 1.0F);
        if (view.inside.values[i] == 0.0F) continue;
        m.values[i] = visibility == Visibility::hard
                          ? (visible > hard_limit ? 1.0F : 0.0F)
                          : float(soft_visibility(double(visible), noise_sigma));
        if (view.weighted) m.values[i] *= view.inside.values[i];
    }
    return m;
}

double boundary_weight(const Image& d, int y, int x) {
    const int xm = std::max(0, x - 1);
    const int xp = std::min(d.width - 1, x + 1);
    const int ym = std::max(0, y - 1);
    const int yp = std::min(d.height - 1, y + 1);
    const double divergence =
        0.5 * double(d.at(y, xp) - d.at(y, xm)) + 0.5 * double(d.at(yp, x) - d.at(ym, x));
    if (divergence >= 0) return 1;
    const double b = divergence / boundary_scale;
    return std::exp(-0.5 * b * b);
}

double projection_weight(double spread, double noise_sigma) {
    if (spread <= noise_sigma) return 1;
    const double p = (spread - noise_sigma) / projection_scale;
    return std::exp(-0.5 * p * p);
}

std::vector<float> occlusion_weight(const Image& d, const Image& spread, double noise_sigma) {
    std::vector<float> w(d.pixels());
    for (int y = 0; y < d.height; ++y)
        for (int x = 0; x < d.width; ++x)
            w[d.index(y, x)] = float(boundary_weight(d, y, x) *
                                     projection_weight(double(spread.at(y, x)), noise_sigma));
    return w;
}

}  // namespace plenosr
