// The assembled normal stencil N = P' diag(m) P: a symmetric stencil of radius R = TAPS - 1 with its
// own coefficients at each frame pixel. Kept is the half plane of neighbours (dy, dx) with dy > 0, or
// dy = 0 and dx >= 0, as plane k = dy (2R + 1) + dx; memory order (row, plane, column), with zeros
// around as in a frame.
//   (N t)(p) = c_0(p) t(p) + sum_{k > 0} c_k(p) t(p + k) + c_k(p - k) t(p - k)
// Coefficients are 16-bit integers times `unit`, or floats (COEFFICIENT_F32).
#if TAPS == 4
#define TAP_WEIGHTS(f, w) cubic_weights(f, w)
#else
#define TAP_WEIGHTS(f, w) ((w)[0] = 1.0f - (f), (w)[1] = (f))
#endif
#define R (TAPS - 1)
#define SPAN (2 * R + 1)
#define PLANES (R * SPAN + R + 1)

#ifdef COEFFICIENT_F32
typedef float coefficient;
PLENOSR_FN floatv coefficients_at(__global const float* restrict c) {
    return LOADV(c);
}
PLENOSR_FN float to_coefficient(float value, float unit) {
    return value;
}
#else
typedef short coefficient;
#if VECTOR == 1
PLENOSR_FN floatv coefficients_at(__global const short* restrict c) {
    return convert_float(*c);
}
#else
PLENOSR_FN floatv coefficients_at(__global const short* restrict c) {
    return PASTE(convert_float, VECTOR)(PASTE(vload, VECTOR)(0, c));
}
#endif
PLENOSR_FN short to_coefficient(float value, float unit) {
    return convert_short_sat_rte(value / unit);
}
#endif

PLENOSR_FN size_t plane_at(int x, int y, int k, int frame_stride) {
    return ((size_t)(y + FRAME_ROWS) * PLANES + k) * frame_stride + x + FRAME_COLS;
}

// c_k(p) = sum over samples that touch p and p + k of  m w(p) w(p + k)
__kernel void stencil_assemble(__global const float* restrict m,
                               __global const uint* restrict starts,
                               __global const float2* restrict fractions,
                               __global coefficient* restrict stencil, float unit,
                               int frame_width, int frame_height, int frame_stride) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= frame_width || y >= frame_height) return;
    float sum[TAPS * SPAN];
#pragma unroll
    for (int k = 0; k < TAPS * SPAN; ++k)
        sum[k] = 0.0f;
#pragma unroll
    for (int j = 0; j < TAPS; ++j) {
#pragma unroll
        for (int i = 0; i < TAPS; ++i) {
            if (y < j || x < i) continue;
            const int cell = (y - j) * frame_width + x - i;
            const uint end = starts[cell + 1];
            for (uint s = starts[cell]; s < end; ++s) {
                float wx[TAPS], wy[TAPS];
                TAP_WEIGHTS(fractions[s].x, wx);
                TAP_WEIGHTS(fractions[s].y, wy);
                const float here = m[s] * wy[j] * wx[i];
#pragma unroll
                for (int dy = 0; dy < TAPS; ++dy) {
                    if (j + dy >= TAPS) continue;
                    const float row = here * wy[j + dy];
#pragma unroll
                    for (int dx = -R; dx <= R; ++dx)
                        if (i + dx >= 0 && i + dx < TAPS)
                            sum[R + dy * SPAN + dx] += row * wx[i + dx];
                }
            }
        }
    }
    for (int k = 0; k < PLANES; ++k)
        stencil[plane_at(x, y, k, frame_stride)] = to_coefficient(sum[R + k], unit);
}

// partial[group] <- the largest sum of m w^2 (the diagonal c_0) in the group's share of rows
__kernel void stencil_largest(__global const float* restrict m, __global const uint* restrict starts,
                              __global const float2* restrict fractions,
                              __global float* restrict partial, int frame_width,
                              int frame_height) {
    // Each of the work-items takes whole rows; a bound is enough: per cell, sum m max(wx)^2 max(wy)^2
    // <= sum m, and TAPS x TAPS cells reach a pixel.
    const int rows = (frame_height + get_global_size(0) - 1) / get_global_size(0);
    const int begin = get_global_id(0) * rows;
    const int end = min(frame_height, begin + rows);
    float largest = 0.0f;
    for (int y = begin; y < end; ++y)
        for (int x = 0; x < frame_width; ++x) {
            float sum = 0.0f;
            for (int j = 0; j < TAPS; ++j)
                for (int i = 0; i < TAPS; ++i) {
                    if (y < j || x < i) continue;
                    const int cell = (y - j) * frame_width + x - i;
                    for (uint s = starts[cell]; s < starts[cell + 1]; ++s) {
                        float wx[TAPS], wy[TAPS];
                        TAP_WEIGHTS(fractions[s].x, wx);
                        TAP_WEIGHTS(fractions[s].y, wy);
                        sum += m[s] * wy[j] * wy[j] * wx[i] * wx[i];
                    }
                }
            largest = fmax(largest, sum);
        }
    partial[get_global_id(0)] = largest;
}

#ifdef STRATEGY_LOCAL
#define SOURCE_STRIDE (TILE_W * VECTOR + 2 * R + VECTOR)
#define SOURCE_AT(dx, dy) \
    LOADV(tile + (ly + R + (dy)) * SOURCE_STRIDE + lx * VECTOR + R + (dx))
#else
#define SOURCE_AT(dx, dy) FRAME_READV(source, frame_stride, x + (dx), y + (dy))
#endif

// t <- N s
__kernel void stencil_apply(FIELD source, __global const coefficient* restrict stencil, float unit,
                            FIELD_OUT frame, int frame_width, int frame_height, int frame_stride
#ifdef STRATEGY_LOCAL
                            ,
                            __local float* tile
#endif
) {
    const int x = get_global_id(0) * VECTOR;
    const int y = get_global_id(1);
#ifdef STRATEGY_LOCAL
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int tile_x = get_group_id(0) * TILE_W * VECTOR - R;
    const int tile_y = get_group_id(1) * TILE_H - R;
    for (int r = ly; r < TILE_H + 2 * R; r += TILE_H) {
        const int row = tile_y + r;
        if (row >= frame_height + FRAME_ROWS) break;
        for (int c = lx * VECTOR; c < TILE_W * VECTOR + 2 * R; c += TILE_W * VECTOR)
            if (tile_x + c < frame_width + R)
                STOREV(FRAME_READV(source, frame_stride, tile_x + c, row),
                       tile + r * SOURCE_STRIDE + c);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (x >= frame_width || y >= frame_height) return;
    floatv sum = coefficients_at(stencil + plane_at(x, y, 0, frame_stride)) * SOURCE_AT(0, 0);
#pragma unroll
    for (int dx = 1; dx <= R; ++dx) {
        __global const coefficient* c = stencil + plane_at(x, y, dx, frame_stride);
        sum += coefficients_at(c) * SOURCE_AT(dx, 0);
        sum += coefficients_at(c - dx) * SOURCE_AT(-dx, 0);
    }
#pragma unroll
    for (int dy = 1; dy <= R; ++dy)
#pragma unroll
        for (int dx = -R; dx <= R; ++dx) {
            const int k = dy * SPAN + dx;
            sum += coefficients_at(stencil + plane_at(x, y, k, frame_stride)) * SOURCE_AT(dx, dy);
            sum += coefficients_at(stencil + plane_at(x - dx, y - dy, k, frame_stride)) *
                   SOURCE_AT(-dx, -dy);
        }
    FRAME_WRITEV(frame, frame_stride, x, y, within(unit * sum, x, 0, frame_width));
}
