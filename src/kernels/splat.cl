// The disparity of a view from the reference's map: z-buffered forward splat, holes filled from the
// background, visibility (plenosr/disparity.h). Done once per tile, in buffers with every strategy.
//
// The z-buffer holds floats as integers of the same order. An integer atomic keeps the largest, so
// that the result does not depend on the order of the work-items.
//
//   ON_CENTRE          distance from a pixel's centre that counts as none, in pixels
//   BACKGROUND_RADIUS  of the neighbourhood that holes are filled from, in pixels
#define EMPTY INT_MIN
PLENOSR_FN int to_ordered(float d) {
    const int bits = as_int(d);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}
PLENOSR_FN float from_ordered(int ordered) {
    return as_float(ordered < 0 ? ordered ^ 0x7fffffff : ordered);
}

__kernel void splat_clear(__global int* restrict depth, int count) {
    const int i = get_global_id(0);
    if (i < count) depth[i] = EMPTY;
}

// Each pixel of the reference goes to the (up to four) pixels around its position in the view. The
// largest disparity, that of the nearest surface, is kept. The view's grid begins at (grid_x,
// grid_y) of the reference's map.
__kernel void splat(__global const float* restrict reference, int width, int height, float u,
                    float v, int grid_x, int grid_y, int grid_width, int grid_height,
                    __global int* restrict depth) {
    FOR_CELLS(x, y, width, height) {
        const float d = reference[y * width + x];
        const float ox = -u * d;
        const float oy = -v * d;
        // A position on a pixel's centre, or within rounding of it, touches that pixel alone.
        const float wx = floor(ox + ON_CENTRE);
        const float wy = floor(oy + ON_CENTRE);
        if (fabs(wx) > 1e8f || fabs(wy) > 1e8f) continue;
        const int x0 = x + (int)wx - grid_x;
        const int y0 = y + (int)wy - grid_y;
        const int nx = ox - wx > ON_CENTRE ? 1 : 0;
        const int ny = oy - wy > ON_CENTRE ? 1 : 0;
        for (int j = max(0, y0); j <= min(grid_height - 1, y0 + ny); ++j)
            for (int i = max(0, x0); i <= min(grid_width - 1, x0 + nx); ++i)
                atomic_max(depth + j * grid_width + i, to_ordered(d));
    }
}

// A hole shows what a nearer surface hides in the reference: it gets the smallest disparity around
// it or, in wide holes, the smaller of the two nearest values in its row. Rows without any value
// stay empty (NAN).
__kernel void splat_fill(__global const int* restrict depth, int width, int height,
                         __global float* restrict disparity) {
    FOR_CELLS(x, y, width, height) {
        const int here = depth[y * width + x];
        if (here != EMPTY) {
            disparity[y * width + x] = from_ordered(here);
            continue;
        }
        int background = INT_MAX;
        for (int j = max(0, y - BACKGROUND_RADIUS); j <= min(height - 1, y + BACKGROUND_RADIUS);
             ++j)
            for (int i = max(0, x - BACKGROUND_RADIUS); i <= min(width - 1, x + BACKGROUND_RADIUS);
                 ++i)
                if (depth[j * width + i] != EMPTY)
                    background = min(background, depth[j * width + i]);
        if (background == INT_MAX) {
            for (int i = x - 1; i >= 0; --i)
                if (depth[y * width + i] != EMPTY) {
                    background = depth[y * width + i];
                    break;
                }
            for (int i = x + 1; i < width; ++i)
                if (depth[y * width + i] != EMPTY) {
                    background = min(background, depth[y * width + i]);
                    break;
                }
        }
        disparity[y * width + x] = background == INT_MAX ? NAN : from_ordered(background);
    }
}

// Rows without any value are copied from the nearest row above, otherwise below; a view that sees
// nothing gets 0.
__kernel void splat_fill_rows(__global float* restrict disparity, int width, int height) {
    const int x = get_global_id(0);
    if (x >= width) return;
    float last = NAN;
    for (int y = 0; y < height; ++y) {
        if (isnan(disparity[y * width + x])) disparity[y * width + x] = last;
        last = disparity[y * width + x];
    }
    last = NAN;
    for (int y = height - 1; y >= 0; --y) {
        if (isnan(disparity[y * width + x])) disparity[y * width + x] = isnan(last) ? 0.0f : last;
        last = disparity[y * width + x];
    }
}

// visible <- 1 where the view's pixel is seen in the reference, otherwise 0.
__kernel void splat_visible(__global const int* restrict depth,
                            __global const float* restrict disparity,
                            __global const float* restrict reference, int width, int height,
                            float u, float v, int grid_x, int grid_y, int grid_width,
                            int grid_height, float same_surface, __global float* restrict visible) {
    FOR_CELLS(x, y, grid_width, grid_height) {
        const int at = y * grid_width + x;
        const float d = disparity[at];
        const float ox = u * d;
        const float oy = v * d;
        const float wx = floor(ox);
        const float wy = floor(oy);
        float seen = 0.0f;
        if (depth[at] != EMPTY && fabs(wx) < 1e8f && fabs(wy) < 1e8f) {
            const int x0 = x + grid_x + (int)wx;
            const int y0 = y + grid_y + (int)wy;
            const float fx = ox - wx;
            const float fy = oy - wy;
            // inside: 0 <= x0 + fx <= width - 1
            if (x0 >= 0 && (x0 < width - 1 || (x0 == width - 1 && fx == 0.0f)) && y0 >= 0 &&
                (y0 < height - 1 || (y0 == height - 1 && fy == 0.0f))) {
                const int x1 = min(x0 + 1, width - 1);
                const int y1 = min(y0 + 1, height - 1);
                const float value = (1.0f - fy) * ((1.0f - fx) * reference[y0 * width + x0] +
                                                   fx * reference[y0 * width + x1]) +
                                    fy * ((1.0f - fx) * reference[y1 * width + x0] +
                                          fx * reference[y1 * width + x1]);
                seen = fabs(value - d) < same_surface ? 1.0f : 0.0f;
            }
        }
        visible[at] = seen;
    }
}

// Low-resolution results: the disparity at the places of the samples, scale i + phase, and the
// blurred, decimated visible fraction. The phase is whole pixels and a fraction; the PSFs have it.
// psfs: rows x cols PSFs of (2 radius_y + 1) x (2 radius_x + 1) taps. Node (0, 0) of the grid lies
// at (x0, y0); nodes are 1 / per_x and 1 / per_y pixels apart.
__kernel void splat_decimate(__global const float* restrict disparity,
                             __global const float* restrict visible,
                             __global const float* restrict psfs, int rows, int cols, float x0,
                             float y0, float per_x, float per_y, int radius_x, int radius_y,
                             int width, int height, int scale, int whole_phase, float phase,
                             float same_surface, __global float* restrict low_disparity,
                             __global float* restrict low_visible) {
    const int low_width = width / scale;
    FOR_CELLS(j, i, low_width, height / scale) {
        const int left = clamp(j * scale + whole_phase, 0, width - 1);
        const int right = clamp(j * scale + whole_phase + 1, 0, width - 1);
        __global const float* upper =
            disparity + clamp(i * scale + whole_phase, 0, height - 1) * width;
        __global const float* lower =
            disparity + clamp(i * scale + whole_phase + 1, 0, height - 1) * width;
        low_disparity[i * low_width + j] = disparity_between(
            upper[left], upper[right], lower[left], lower[right], phase, phase, same_surface);
        const Between down = between(((float)(scale * i) - y0) * per_y, rows);
        const Between across = between(((float)(scale * j) - x0) * per_x, cols);
        const int taps = (2 * radius_y + 1) * (2 * radius_x + 1);
        float sum = 0.0f;
        for (int ty = -radius_y; ty <= radius_y; ++ty) {
            const int y = clamp(scale * i - ty, 0, height - 1);
            for (int tx = -radius_x; tx <= radius_x; ++tx) {
                const int tap = (ty + radius_y) * (2 * radius_x + 1) + tx + radius_x;
                const float2 k = psf_taps(psfs, taps, cols, down, across, tap);
                sum += (k.x + across.part * (k.y - k.x)) *
                       visible[y * width + clamp(scale * j - tx, 0, width - 1)];
            }
        }
        low_visible[i * low_width + j] = sum;
    }
}
