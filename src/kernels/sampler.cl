// Point samples P: frame -> samples,   (P t)_i = sum_{j, k} w_j(fy_i) w_k(fx_i) t(y_i + j, x_i + k)
// with TAPS = 2 (bilinear) or 4 (bicubic) weights per axis, and the adjoint P'.
//
// Samples are stored cell by cell: those whose first tap is frame pixel c = y width + x are
// starts[c] … starts[c + 1] - 1. So P' needs no atomics: each frame pixel takes, in a fixed order,
// from the cells whose footprint it lies in.
#if TAPS == 4
#define TAP_WEIGHTS(f, w) cubic_weights(f, w)
#else
#define TAP_WEIGHTS(f, w) ((w)[0] = 1.0f - (f), (w)[1] = (f))
#endif

#define FOOTPRINT (TAPS * TAPS)

// sum_{j, k} w_j w_k t[j][k]
PLENOSR_FN float interpolate(const float* t, float2 fraction) {
    float wx[TAPS], wy[TAPS];
    TAP_WEIGHTS(fraction.x, wx);
    TAP_WEIGHTS(fraction.y, wy);
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < TAPS; ++j) {
        float line = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; ++k)
            line += wx[k] * t[j * TAPS + k];
        sum += wy[j] * line;
    }
    return sum;
}

__kernel void sample_forward(FIELD frame, __global const uint* restrict starts,
                             __global const float2* restrict fractions,
                             __global float* restrict samples, ulong offset, int frame_width,
                             int frame_height, int frame_stride) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= frame_width || y >= frame_height) return;
    const uint begin = starts[y * frame_width + x];
    const uint end = starts[y * frame_width + x + 1];
    if (begin == end) return;
    float t[FOOTPRINT];
#pragma unroll
    for (int j = 0; j < TAPS; ++j)
#pragma unroll
        for (int k = 0; k < TAPS; ++k)
            t[j * TAPS + k] = FRAME_READ(frame, frame_stride, x + k, y + j);
    for (uint i = begin; i < end; ++i)
        samples[offset + i] = interpolate(t, fractions[i]);
}

// samples <- m samples
__kernel void sample_weigh(__global float* restrict samples, __global const float* restrict m,
                           int count) {
    const int i = get_global_id(0);
    if (i < count) samples[i] *= m[i];
}

#ifdef STRATEGY_LOCAL
// One group: CELL_W x CELL_H pixels. Each cell that reaches them adds up its samples' footprints in
// registers; the sums lie in local memory as TAPS x TAPS planes, and each pixel takes one value of
// each.
#define CELLS_W (CELL_W + TAPS - 1)
#define CELLS_H (CELL_H + TAPS - 1)
#define CELLS_STRIDE (CELLS_W + VECTOR)
#define CELLS (CELLS_STRIDE * CELLS_H)

PLENOSR_FN void add_footprint(float* sum, float value, float2 fraction) {
    float wx[TAPS], wy[TAPS];
    TAP_WEIGHTS(fraction.x, wx);
    TAP_WEIGHTS(fraction.y, wy);
#pragma unroll
    for (int j = 0; j < TAPS; ++j) {
        const float w = wy[j] * value;
#pragma unroll
        for (int k = 0; k < TAPS; ++k)
            sum[j * TAPS + k] += w * wx[k];
    }
}

// t(p) = sum_{j, k} plane_{jk}(p - (k, j)) for the group's pixels
PLENOSR_FN void gather_cells(__local const float* cells, __global float* restrict frame,
                             int tile_x, int tile_y, int frame_width, int frame_height,
                             int frame_stride) {
    for (int y = get_local_id(1); y < CELL_H; y += get_local_size(1)) {
        if (tile_y + y >= frame_height) break;
        for (int x = get_local_id(0) * VECTOR; x < CELL_W; x += get_local_size(0) * VECTOR) {
            if (tile_x + x >= frame_width) break;
            floatv sum = 0.0f;
#pragma unroll
            for (int j = 0; j < TAPS; ++j)
#pragma unroll
                for (int k = 0; k < TAPS; ++k)
                    sum += LOADV(cells + (j * TAPS + k) * CELLS +
                                 (y + TAPS - 1 - j) * CELLS_STRIDE + x + TAPS - 1 - k);
            FRAME_WRITEV(frame, frame_stride, tile_x + x, tile_y + y,
                         within(sum, tile_x + x, 0, frame_width));
        }
    }
}

#define FOR_EACH_CELL(cx, cy)                                                       \
    for (int cy = get_local_id(1); cy < CELLS_H; cy += get_local_size(1))           \
        for (int cx = get_local_id(0); cx < CELLS_W; cx += get_local_size(0))

__kernel void sample_adjoint(__global const float* restrict samples, ulong offset,
                             __global const uint* restrict starts,
                             __global const float2* restrict fractions,
                             __global float* restrict frame, int frame_width, int frame_height,
                             int frame_stride, __local float* cells) {
    const int tile_x = get_group_id(0) * CELL_W;
    const int tile_y = get_group_id(1) * CELL_H;
    samples += offset;
    FOR_EACH_CELL(cx, cy) {
        const int x = tile_x + cx - (TAPS - 1);
        const int y = tile_y + cy - (TAPS - 1);
        float sum[FOOTPRINT];
#pragma unroll
        for (int i = 0; i < FOOTPRINT; ++i)
            sum[i] = 0.0f;
        if (x >= 0 && y >= 0 && x < frame_width && y < frame_height) {
            const uint end = starts[y * frame_width + x + 1];
            for (uint i = starts[y * frame_width + x]; i < end; ++i)
                add_footprint(sum, samples[i], fractions[i]);
        }
#pragma unroll
        for (int i = 0; i < FOOTPRINT; ++i)
            cells[i * CELLS + cy * CELLS_STRIDE + cx] = sum[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    gather_cells(cells, frame, tile_x, tile_y, frame_width, frame_height, frame_stride);
}

// t <- P' diag(m) P s, without storing the samples
__kernel void sample_normal(__global const float* restrict source,
                            __global const float* restrict m, __global const uint* restrict starts,
                            __global const float2* restrict fractions,
                            __global float* restrict frame, int frame_width, int frame_height,
                            int frame_stride, __local float* cells) {
    const int tile_x = get_group_id(0) * CELL_W;
    const int tile_y = get_group_id(1) * CELL_H;
    FOR_EACH_CELL(cx, cy) {
        const int x = tile_x + cx - (TAPS - 1);
        const int y = tile_y + cy - (TAPS - 1);
        float sum[FOOTPRINT];
#pragma unroll
        for (int i = 0; i < FOOTPRINT; ++i)
            sum[i] = 0.0f;
        if (x >= 0 && y >= 0 && x < frame_width && y < frame_height) {
            const uint begin = starts[y * frame_width + x];
            const uint end = starts[y * frame_width + x + 1];
            if (begin < end) {
                float t[FOOTPRINT];
#pragma unroll
                for (int j = 0; j < TAPS; ++j)
#pragma unroll
                    for (int k = 0; k < TAPS; ++k)
                        t[j * TAPS + k] = FRAME_READ(source, frame_stride, x + k, y + j);
                for (uint i = begin; i < end; ++i)
                    add_footprint(sum, m[i] * interpolate(t, fractions[i]), fractions[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < FOOTPRINT; ++i)
            cells[i * CELLS + cy * CELLS_STRIDE + cx] = sum[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    gather_cells(cells, frame, tile_x, tile_y, frame_width, frame_height, frame_stride);
}
#else
__kernel void sample_adjoint(__global const float* restrict samples, ulong offset,
                             __global const uint* restrict starts,
                             __global const float2* restrict fractions, FIELD_OUT frame,
                             int frame_width, int frame_height, int frame_stride) {
    const int x0 = get_global_id(0) * VECTOR;
    const int y = get_global_id(1);
    if (x0 >= frame_width || y >= frame_height) return;
    samples += offset;
    float lanes[VECTOR];
    for (int l = 0; l < VECTOR; ++l) {
        const int x = x0 + l;
        float sum = 0.0f;
        if (x < frame_width) {
#pragma unroll
            for (int j = 0; j < TAPS; ++j)
#pragma unroll
                for (int k = 0; k < TAPS; ++k) {
                    if (y < j || x < k) continue;
                    const int cell = (y - j) * frame_width + x - k;
                    const uint end = starts[cell + 1];
                    for (uint i = starts[cell]; i < end; ++i) {
                        float wx[TAPS], wy[TAPS];
                        TAP_WEIGHTS(fractions[i].x, wx);
                        TAP_WEIGHTS(fractions[i].y, wy);
                        sum += wy[j] * wx[k] * samples[i];
                    }
                }
        }
        lanes[l] = sum;
    }
    FRAME_WRITEV(frame, frame_stride, x0, y, LOADV(lanes));
}
#endif
