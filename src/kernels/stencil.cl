// The assembled normal stencil N = P' diag(m) P: a symmetric stencil of radius R = TAPS - 1 whose
// coefficients differ from pixel to pixel of the padded image. Half of the neighbours (dy, dx) is
// stored: dy > 0, or dy = 0 and dx >= 0, as plane k = dy (2R + 1) + dx. The memory order is (row,
// plane, column), surrounded by zeros as a padded image is.
//   (N t)(p) = c_0(p) t(p) + sum_{k > 0} c_k(p) t(p + k) + c_k(p - k) t(p - k)
// Coefficients are 16-bit integers times `unit`.
#define R (TAPS - 1)
#define SPAN (2 * R + 1)
#define PLANES (R * SPAN + R + 1)

#if VECTOR == 1
PLENOSR_FN floatv coefficients_at(__global const short* restrict c) {
    return convert_float(*c);
}
#else
PLENOSR_FN floatv coefficients_at(__global const short* restrict c) {
    return PASTE(convert_float, VECTOR)(PASTE(vload, VECTOR)(0, c));
}
#endif

PLENOSR_FN size_t plane_at(int x, int y, int k, int padded_stride) {
    return ((size_t)(y + PAD_ROWS) * PLANES + k) * padded_stride + x + PAD_COLS;
}

// The weights of the neighbours i - R … i + R of tap i, 0 beyond the footprint: a row of the
// stencil.
#if TAPS == 4
typedef float8 row_t;
#define STORE_ROW(row, p) vstore8(row, 0, p)
PLENOSR_FN float8 weight_row(float4 w, int i) {
    return i == 0   ? (float8)(0.0f, 0.0f, 0.0f, w, 0.0f)
           : i == 1 ? (float8)(0.0f, 0.0f, w, 0.0f, 0.0f)
           : i == 2 ? (float8)(0.0f, w, 0.0f, 0.0f, 0.0f)
                    : (float8)(w, 0.0f, 0.0f, 0.0f, 0.0f);
}
#define ROW 8
#else
typedef float4 row_t;
#define STORE_ROW(row, p) vstore4(row, 0, p)
PLENOSR_FN float4 weight_row(float2 w, int i) {
    return i == 0 ? (float4)(0.0f, w, 0.0f) : (float4)(w, 0.0f, 0.0f);
}
#define ROW 4
#endif

// c_k(p) = sum over the samples whose footprints contain p and p + k of  m w(p) w(p + k).
__kernel void stencil_assemble(__global const float* restrict m,
                               __global const uint* restrict starts,
                               __global const float2* restrict fractions,
                               __global short* restrict stencil, float unit, int padded_width,
                               int padded_height, int padded_stride) {
    FOR_CELLS(x, y, padded_width, padded_height) {
        row_t sum[TAPS];
#pragma unroll
        for (int dy = 0; dy < TAPS; ++dy)
            sum[dy] = 0.0f;
#pragma unroll
        for (int j = 0; j < TAPS; ++j) {
#pragma unroll
            for (int i = 0; i < TAPS; ++i) {
                if (y < j || x < i) continue;
                const int cell = (y - j) * padded_width + x - i;
                const uint end = starts[cell + 1];
                for (uint s = starts[cell]; s < end; ++s) {
                    const taps_t wx = tap_weights(fractions[s].x);
                    const taps_t wy = tap_weights(fractions[s].y);
                    const row_t row = m[s] * TAP_AT(wy, j) * TAP_AT(wx, i) * weight_row(wx, i);
#pragma unroll
                    for (int dy = 0; dy < TAPS; ++dy)
                        if (j + dy < TAPS) sum[dy] += TAP_AT(wy, j + dy) * row;
                }
            }
        }
        float values[TAPS * ROW];
#pragma unroll
        for (int dy = 0; dy < TAPS; ++dy)
            STORE_ROW(sum[dy], values + dy * ROW);
        __global short* out = stencil + plane_at(x, y, 0, padded_stride);
        for (int dy = 0; dy < TAPS; ++dy)
            for (int dx = dy == 0 ? 0 : -R; dx <= R; ++dx)
                out[(dy * SPAN + dx) * padded_stride] =
                    convert_short_sat_rte(values[dy * ROW + R + dx] / unit);
    }
}

// partial[group] <- the largest diagonal c_0(p) = sum m w(p)^2 of the group's pixels
__kernel void stencil_largest(__global const float* restrict m,
                              __global const uint* restrict starts,
                              __global const float2* restrict fractions,
                              __global float* restrict partial, int padded_width, int padded_height,
                              __local float* restrict scratch) {
    float largest = 0.0f;
    FOR_CELLS(x, y, padded_width, padded_height) {
        float sum = 0.0f;
#pragma unroll
        for (int j = 0; j < TAPS; ++j)
#pragma unroll
            for (int i = 0; i < TAPS; ++i) {
                if (y < j || x < i) continue;
                const int cell = (y - j) * padded_width + x - i;
                const uint end = starts[cell + 1];
                for (uint s = starts[cell]; s < end; ++s) {
                    const float w = TAP_AT(tap_weights(fractions[s].y), j) *
                                    TAP_AT(tap_weights(fractions[s].x), i);
                    sum += m[s] * w * w;
                }
            }
        largest = fmax(largest, sum);
    }
    scratch[LOCAL_Y * LOCAL_W + LOCAL_X] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (LOCAL_X != 0 || LOCAL_Y != 0) return;
    for (int i = 1; i < LOCAL_W * LOCAL_H; ++i)
        largest = fmax(largest, scratch[i]);
    partial[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = largest;
}

#ifdef STRATEGY_LOCAL
#define SOURCE_STRIDE (TILE_W * VECTOR + 2 * R + VECTOR)
#define SOURCE_AT(dx, dy) LOADV(source_tile + (dy)*SOURCE_STRIDE + (dx))
#else
#define SOURCE_AT(dx, dy) PADDED_READV(source, padded_stride, x + (dx), y + (dy))
#endif

// Vectors of a tile's row per work-item.
#define ACROSS ((TILE_W + LOCAL_W - 1) / LOCAL_W)

// t <- N s
__kernel void stencil_apply(IMAGE_IN source, __global const short* restrict stencil, float unit,
                            IMAGE_OUT padded, int padded_width, int padded_height, int padded_stride
#ifdef STRATEGY_LOCAL
                            ,
                            __local float* restrict tile
#endif
) {
#ifdef STRATEGY_LOCAL
    for (int r = LOCAL_Y; r < TILE_H + 2 * R; r += LOCAL_H) {
        const int row = TILE_Y - R + r;
        if (row >= padded_height + PAD_ROWS) break;
        for (int c = LOCAL_X * VECTOR; c < TILE_W * VECTOR + 2 * R; c += LOCAL_W * VECTOR)
            if (TILE_X - R + c < padded_width + R)
                STOREV(PADDED_READV(source, padded_stride, TILE_X - R + c, row),
                       tile + r * SOURCE_STRIDE + c);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    // Plane by plane over the whole width of the tile: the coefficients of a row are adjacent,
    // which suits the prefetchers of CPUs. A work-item of a GPU has one vector of the row.
    for (int y = TILE_Y + LOCAL_Y; y < min(TILE_Y + TILE_H, padded_height); y += LOCAL_H) {
        const int left =
            padded_width - TILE_X - LOCAL_X * VECTOR;  // pixels up to the padded image's right edge
        const int across = clamp((left + LOCAL_W * VECTOR - 1) / (LOCAL_W * VECTOR), 0, ACROSS);
        floatv sum[ACROSS];
        for (int i = 0; i < across; ++i)
            sum[i] = 0.0f;
#pragma unroll
        for (int dy = 0; dy <= R; ++dy)
#pragma unroll
            for (int dx = dy == 0 ? 0 : -R; dx <= R; ++dx)
                for (int i = 0; i < across; ++i) {
                    const int x = TILE_X + (LOCAL_X + i * LOCAL_W) * VECTOR;
#ifdef STRATEGY_LOCAL
                    __local const float* source_tile =
                        tile + (y - TILE_Y + R) * SOURCE_STRIDE + x - TILE_X + R;
#endif
                    const int k = dy * SPAN + dx;
                    floatv both =
                        sum[i] + coefficients_at(stencil + plane_at(x, y, k, padded_stride)) *
                                     SOURCE_AT(dx, dy);
                    if (k > 0)
                        both +=
                            coefficients_at(stencil + plane_at(x - dx, y - dy, k, padded_stride)) *
                            SOURCE_AT(-dx, -dy);
                    sum[i] = both;
                }
        for (int i = 0; i < across; ++i) {
            const int x = TILE_X + (LOCAL_X + i * LOCAL_W) * VECTOR;
            PADDED_WRITEV(padded, padded_stride, x, y, within(unit * sum[i], x, 0, padded_width));
        }
    }
}
