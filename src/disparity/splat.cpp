#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/parameters.h"
#include "kernels/rounding.h"
#include "light_field/interpolate.h"
#include "plenosr/disparity.h"

namespace plenosr {
namespace {

constexpr float empty = -std::numeric_limits<float>::infinity();
constexpr int background_radius = splat_background_radius;
constexpr double on_centre = splat_on_centre;

// Puts each pixel of the reference on the (up to four) pixels around the place where view k sees
// it. The largest disparity, which is the nearest surface, wins.
Image splat(const Image& reference, double u, double v, const Box& grid) {
    Image out(grid.width, grid.height, 1, empty);
    for (int y = 0; y < reference.height; ++y) {
        const float* row = reference.values.data() + reference.index(y, 0);
        for (int x = 0; x < reference.width; ++x) {
            const float d = row[x];
            const double tx = x - grid.x0 - u * double(d);
            const double ty = y - grid.y0 - v * double(d);
            if (!(tx > -1 && tx < out.width && ty > -1 && ty < out.height)) continue;
            // A place on a pixel's centre touches that pixel alone.
            const int x0 = floor_to_int(tx + on_centre);
            const int y0 = floor_to_int(ty + on_centre);
            const int nx = tx - x0 > on_centre ? 1 : 0;
            const int ny = ty - y0 > on_centre ? 1 : 0;
            if (x0 >= 0 && y0 >= 0 && x0 + 1 < out.width && y0 + 1 < out.height) {
                // No branches here: they could not be predicted. A maximum with -inf changes
                // nothing.
                float* upper = out.values.data() + out.index(y0, x0);
                float* lower = upper + out.width;
                const float right = nx > 0 ? d : empty;
                const float below = ny > 0 ? d : empty;
                upper[0] = std::max(upper[0], d);
                upper[1] = std::max(upper[1], right);
                lower[0] = std::max(lower[0], below);
                lower[1] = std::max(lower[1], std::min(right, below));
                continue;
            }
            for (int j = std::max(0, y0); j <= std::min(out.height - 1, y0 + ny); ++j)
                for (int i = std::max(0, x0); i <= std::min(out.width - 1, x0 + nx); ++i)
                    out.at(j, i) = std::max(out.at(j, i), d);
        }
    }
    return out;
}

// Rows without any value take those of the nearest row.
void fill_empty_rows(Image& map) {
    std::vector<float> last_row(std::size_t(map.width));
    for (int pass = 0; pass < 2; ++pass) {
        std::fill(last_row.begin(), last_row.end(), empty);
        for (int n = 0; n < map.height; ++n) {
            const int y = pass == 0 ? n : map.height - 1 - n;
            for (int x = 0; x < map.width; ++x) {
                if (map.at(y, x) == empty) map.at(y, x) = last_row[std::size_t(x)];
                last_row[std::size_t(x)] = map.at(y, x);
            }
        }
    }
}

// A hole was hidden behind a nearer surface, so it takes the smallest disparity around it. Far from
// any value it takes the smaller one of the nearest two in its row.
Image filled_from_background(const Image& holes) {
    Image out = holes;
    std::vector<float> left(std::size_t(holes.width));
    bool is_complete = true;
    for (int y = 0; y < holes.height; ++y) {
        const float* row = holes.values.data() + holes.index(y, 0);
        if (std::find(row, row + holes.width, empty) == row + holes.width) continue;
        float last = empty;
        for (int x = 0; x < holes.width; ++x) {
            if (row[x] != empty) last = row[x];
            left[std::size_t(x)] = last;
        }
        float right = empty;
        for (int x = holes.width - 1; x >= 0; --x) {
            if (row[x] != empty) {
                right = row[x];
                continue;
            }
            float background = std::numeric_limits<float>::infinity();
            const int first = std::max(0, x - background_radius);
            const int end = std::min(holes.width, x + background_radius + 1);
            for (int j = std::max(0, y - background_radius);
                 j <= std::min(holes.height - 1, y + background_radius); ++j) {
                const float* near = holes.values.data() + holes.index(j, 0);
                for (int i = first; i < end; ++i)
                    background = std::min(background, near[i] != empty ? near[i] : -empty);
            }
            if (std::isinf(background))
                for (const float side : {left[std::size_t(x)], right})
                    if (side != empty) background = std::min(background, side);
            if (std::isinf(background))
                is_complete = false;
            else
                out.at(y, x) = background;
        }
    }
    if (!is_complete) fill_empty_rows(out);
    return out;
}

}  // namespace

ViewDisparity disparity_of_view(const Image& reference, double u, double v) {
    return disparity_of_view(reference, u, v, {0, 0, reference.width, reference.height});
}

ViewDisparity disparity_of_view(const Image& reference, double u, double v, const Box& grid) {
    if (u == 0 && v == 0 && Box{0, 0, reference.width, reference.height}.contains(grid))
        return {crop(reference, grid), Image(grid.width, grid.height, 1, 1.0F)};
    const Image splatted = splat(reference, u, v, grid);
    ViewDisparity result{filled_from_background(splatted), Image(grid.width, grid.height)};
    // Nothing of the reference may fall into this view.
    std::replace(result.disparity.values.begin(), result.disparity.values.end(), empty, 0.0F);
    for (int y = 0; y < grid.height; ++y) {
        const float* row = result.disparity.values.data() + result.disparity.index(y, 0);
        for (int x = 0; x < grid.width; ++x) {
            const float d = row[x];
            if (splatted.at(y, x) == empty) continue;
            const double rx = grid.x0 + x + u * double(d);
            const double ry = grid.y0 + y + v * double(d);
            const bool inside =
                rx >= 0 && rx <= reference.width - 1 && ry >= 0 && ry <= reference.height - 1;
            if (inside && std::abs(bilinear_at(reference, rx, ry) - d) < same_surface)
                result.visible.at(y, x) = 1.0F;
        }
    }
    return result;
}

}  // namespace plenosr
