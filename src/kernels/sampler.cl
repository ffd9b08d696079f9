// Point samples P: padded image -> samples,   (P t)_i = sum_{j, k} w_j(fy_i) w_k(fx_i) t(y_i + j,
// x_i + k) with TAPS = 2 (bilinear) or 4 (bicubic) weights per axis, and the adjoint P'.
//
// Samples are stored cell by cell: those whose first tap is padded pixel c = y width + x are
// starts[c] … starts[c + 1] - 1. Hence P' needs no atomics: each padded pixel gathers, in a fixed
// order, from the cells whose footprints contain it.

// TAPS values of a padded image from (x, y) on.
#ifdef STRATEGY_IMAGE
PLENOSR_FN taps_t read_taps(IMAGE_IN padded, int padded_stride, int x, int y) {
    float v[TAPS];
    for (int k = 0; k < TAPS; ++k)
        v[k] = PADDED_READ(padded, padded_stride, x + k, y);
    return LOAD_TAPS(v);
}
#else
PLENOSR_FN taps_t read_taps(IMAGE_IN padded, int padded_stride, int x, int y) {
    return LOAD_TAPS(padded + (y + PAD_ROWS) * padded_stride + x + PAD_COLS);
}
#endif

// sum_{j, k} w_j w_k t[j][k].
PLENOSR_FN float interpolate(const taps_t* t, float2 fraction) {
    const taps_t wy = tap_weights(fraction.y);
    taps_t line = 0.0f;
#pragma unroll
    for (int j = 0; j < TAPS; ++j)
        line += TAP_AT(wy, j) * t[j];
    line *= tap_weights(fraction.x);
    return SUM_TAPS(line);
}

__kernel void sample_forward(IMAGE_IN padded, __global const uint* restrict starts,
                             __global const float2* restrict fractions,
                             __global float* restrict samples, ulong offset, int padded_width,
                             int padded_height, int padded_stride) {
    FOR_CELLS(x, y, padded_width, padded_height) {
        const uint begin = starts[y * padded_width + x];
        const uint end = starts[y * padded_width + x + 1];
        if (begin == end) continue;
        taps_t t[TAPS];
#pragma unroll
        for (int j = 0; j < TAPS; ++j)
            t[j] = read_taps(padded, padded_stride, x, y + j);
        for (uint i = begin; i < end; ++i)
            samples[offset + i] = interpolate(t, fractions[i]);
    }
}

// samples <- m samples
__kernel void sample_weigh(__global float* restrict samples, __global const float* restrict m,
                           int count) {
    const int i = get_global_id(0);
    if (i < count) samples[i] *= m[i];
}

#ifdef STRATEGY_LOCAL
// One group takes CELL_W x CELL_H pixels. The footprints of a cell's samples are summed in
// registers, for each cell whose footprint reaches these pixels. With many work-items per group,
// the sums go to local memory as TAPS x TAPS planes, and each pixel gathers one value of each
// plane. A single work-item (CPUs) walks along the row instead: a pixel is complete after the last
// cell that reaches it, and goes to a tile of pixels.
#define CELLS_W (CELL_W + TAPS - 1)
#define CELLS_H (CELL_H + TAPS - 1)
#define CELLS_STRIDE (CELLS_W + VECTOR)
#define CELLS (CELLS_STRIDE * CELLS_H)

PLENOSR_FN void add_footprint(taps_t* sum, float value, float2 fraction) {
    const taps_t wx = value * tap_weights(fraction.x);
    const taps_t wy = tap_weights(fraction.y);
#pragma unroll
    for (int j = 0; j < TAPS; ++j)
        sum[j] += TAP_AT(wy, j) * wx;
}

#if LOCAL_W * LOCAL_H == 1
PLENOSR_FN void clear_cells(__local float* restrict cells) {
    for (int i = 0; i < CELLS_STRIDE * (CELLS_H + TAPS - 1); ++i)
        cells[i] = 0.0f;
}

// `run` holds the contributions of the row's cells so far to this pixel and the following ones.
PLENOSR_FN void store_cell(const taps_t* sum, taps_t* run, __local float* restrict cells, int cx,
                           int cy) {
#pragma unroll
    for (int j = 0; j < TAPS; ++j) {
        const taps_t ahead = cx == 0 ? sum[j] : run[j] + sum[j];
        cells[(cy + j) * CELLS_STRIDE + cx] += ahead.x;
        run[j] = SHIFT_TAPS(ahead);
    }
}

PLENOSR_FN floatv pixel_of_cells(__local const float* restrict cells, int x, int y) {
    return LOADV(cells + (y + TAPS - 1) * CELLS_STRIDE + x + TAPS - 1);
}
#else
PLENOSR_FN void clear_cells(__local float* restrict cells) {}

PLENOSR_FN void store_cell(const taps_t* sum, taps_t* run, __local float* restrict cells, int cx,
                           int cy) {
#pragma unroll
    for (int j = 0; j < TAPS; ++j)
#pragma unroll
        for (int k = 0; k < TAPS; ++k)
            cells[(j * TAPS + k) * CELLS + cy * CELLS_STRIDE + cx] = TAP_AT(sum[j], k);
}

// t(p) = sum_{j, k} plane_{jk}(p - (k, j))
PLENOSR_FN floatv pixel_of_cells(__local const float* restrict cells, int x, int y) {
    floatv sum = 0.0f;
#pragma unroll
    for (int j = 0; j < TAPS; ++j) {
        floatv line = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; ++k)
            line += LOADV(cells + (j * TAPS + k) * CELLS + (y + TAPS - 1 - j) * CELLS_STRIDE + x +
                          TAPS - 1 - k);
        sum += line;
    }
    return sum;
}
#endif

PLENOSR_FN void gather_cells(__local const float* restrict cells, __global float* restrict padded,
                             int padded_width, int padded_height, int padded_stride) {
    for (int y = LOCAL_Y; y < min(CELL_H, padded_height - CELL_Y); y += LOCAL_H)
        for (int x = LOCAL_X * VECTOR; x < min(CELL_W, padded_width - CELL_X);
             x += LOCAL_W * VECTOR)
            PADDED_WRITEV(padded, padded_stride, CELL_X + x, CELL_Y + y,
                          within(pixel_of_cells(cells, x, y), CELL_X + x, 0, padded_width));
}

// For each cell (cx, cy) of the group's tile and of the TAPS - 1 rows and columns before it.
#define FOR_REACHING_CELLS(cx, cy)                      \
    for (int cy = LOCAL_Y; cy < CELLS_H; cy += LOCAL_H) \
        for (int cx = LOCAL_X; cx < CELLS_W; cx += LOCAL_W)

// padded <- P' v with v_i = values_i or, if there is a `source` s, v_i = values_i (P s)_i.
PLENOSR_FN void scatter_samples(__global const float* values, __global const float* source,
                                __global const uint* starts, __global const float2* fractions,
                                __global float* padded, int padded_width, int padded_height,
                                int padded_stride, __local float* restrict cells) {
    taps_t run[TAPS];
    clear_cells(cells);
    FOR_REACHING_CELLS(cx, cy) {
        const int x = CELL_X + cx - (TAPS - 1);
        const int y = CELL_Y + cy - (TAPS - 1);
        taps_t sum[TAPS];
#pragma unroll
        for (int j = 0; j < TAPS; ++j)
            sum[j] = 0.0f;
        if (x >= 0 && y >= 0 && x < padded_width && y < padded_height) {
            const uint begin = starts[y * padded_width + x];
            const uint end = starts[y * padded_width + x + 1];
            taps_t t[TAPS];
            if (source != 0 && begin < end) {
#pragma unroll
                for (int j = 0; j < TAPS; ++j)
                    t[j] = read_taps(source, padded_stride, x, y + j);
            }
            for (uint i = begin; i < end; ++i)
                add_footprint(sum,
                              source != 0 ? values[i] * interpolate(t, fractions[i]) : values[i],
                              fractions[i]);
        }
        store_cell(sum, run, cells, cx, cy);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    gather_cells(cells, padded, padded_width, padded_height, padded_stride);
}

__kernel void sample_adjoint(__global const float* restrict samples, ulong offset,
                             __global const uint* restrict starts,
                             __global const float2* restrict fractions,
                             __global float* restrict padded, int padded_width, int padded_height,
                             int padded_stride, __local float* restrict cells) {
    scatter_samples(samples + offset, 0, starts, fractions, padded, padded_width, padded_height,
                    padded_stride, cells);
}

// t <- P' diag(m) P s, without storing the samples.
__kernel void sample_normal(__global const float* restrict source, __global const float* restrict m,
                            __global const uint* restrict starts,
                            __global const float2* restrict fractions,
                            __global float* restrict padded, int padded_width, int padded_height,
                            int padded_stride, __local float* restrict cells) {
    scatter_samples(m, source, starts, fractions, padded, padded_width, padded_height,
                    padded_stride, cells);
}
#else
__kernel void sample_adjoint(__global const float* restrict samples, ulong offset,
                             __global const uint* restrict starts,
                             __global const float2* restrict fractions, IMAGE_OUT padded,
                             int padded_width, int padded_height, int padded_stride) {
    samples += offset;
    FOR_TILE(x0, y, padded_width, padded_height) {
        float lanes[VECTOR];
        for (int l = 0; l < VECTOR; ++l) {
            const int x = x0 + l;
            float sum = 0.0f;
            if (x < padded_width) {
#pragma unroll
                for (int j = 0; j < TAPS; ++j)
#pragma unroll
                    for (int k = 0; k < TAPS; ++k) {
                        if (y < j || x < k) continue;
                        const int cell = (y - j) * padded_width + x - k;
                        const uint end = starts[cell + 1];
                        for (uint i = starts[cell]; i < end; ++i)
                            sum += TAP_AT(tap_weights(fractions[i].y), j) *
                                   TAP_AT(tap_weights(fractions[i].x), k) * samples[i];
                    }
            }
            lanes[l] = sum;
        }
        PADDED_WRITEV(padded, padded_stride, x0, y, LOADV(lanes));
    }
}
#endif
