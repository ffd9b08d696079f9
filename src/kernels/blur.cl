// Blur B: plane -> padded image and its adjoint.
//   (B x)(p) = sum_t k(t) x(p - t),   x continued by its border pixels
// RADIUS is the PSF's, MARGIN the padded image's.
//
// Adjoint: padded row g contributes to image row y with the weight
//   sum_{j: clamp(g - MARGIN - j) = y} k(j)
// For inner rows that is k itself; the first, the last and an only row also receive what falls
// outside the image. The host tabulates these four cases: per axis for a PSF that is the product of
// a column and a row (FOLDED), for all 4 x 4 cases of rows and columns for any other PSF.
//
// Loops over narrow PSFs are unrolled; wide ones would take long to compile.
#if RADIUS <= 8
#define UNROLL_TAPS _Pragma("unroll")
#else
#define UNROLL_TAPS _Pragma("nounroll")
#endif
#define FOLDED(kind) \
    ((kind) == 0 ? 0 : INNER + ((kind)-1) * OUTER)  // start of a case in an axis' table

#ifdef STRATEGY_LOCAL
// One group takes TILE_W VECTOR x TILE_H pixels. It sums along the columns into a strip in local
// memory, then along the rows of the strip.
#define FORWARD_STRIP (TILE_W * VECTOR + 2 * RADIUS + VECTOR)
__kernel void blur_forward(__global const float* restrict x, ulong offset,
                           __global float* restrict padded, __constant float* restrict column,
                           __constant float* restrict row, int width, int height, int stride,
                           int padded_stride, __local float* restrict strip) {
    const int padded_width = width + 2 * MARGIN;
    const int padded_height = height + 2 * MARGIN;
    const int first = TILE_X - MARGIN - RADIUS;  // image column of the strip's first column
    const int needed = min(TILE_W * VECTOR, padded_width - TILE_X) + 2 * RADIUS;
    x += offset;
    for (int r = LOCAL_Y; r < TILE_H; r += LOCAL_H) {
        const int fy = TILE_Y + r;
        if (fy >= padded_height) break;
        __local float* line = strip + r * FORWARD_STRIP;
        for (int c = LOCAL_X * VECTOR; c < needed; c += LOCAL_W * VECTOR) {
            const int col = first + c;
            if (col >= 0 && col + VECTOR <= width) {
                floatv sum = 0.0f;
                UNROLL_TAPS
                for (int j = -RADIUS; j <= RADIUS; ++j)
                    sum += column[j + RADIUS] *
                           LOADV(x + clamp(fy - MARGIN - j, 0, height - 1) * stride + col);
                STOREV(sum, line + c);
            } else {
                for (int i = 0; i < VECTOR; ++i) {
                    const int at = clamp(col + i, 0, width - 1);
                    float sum = 0.0f;
                    for (int j = -RADIUS; j <= RADIUS; ++j)
                        sum += column[j + RADIUS] *
                               x[clamp(fy - MARGIN - j, 0, height - 1) * stride + at];
                    line[c + i] = sum;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(fx, fy, padded_width, padded_height) {
        __local const float* at = strip + (fy - TILE_Y) * FORWARD_STRIP + fx - TILE_X + RADIUS;
        floatv sum = 0.0f;
        UNROLL_TAPS
        for (int i = -RADIUS; i <= RADIUS; ++i)
            sum += row[i + RADIUS] * LOADV(at - i);
        PADDED_WRITEV(padded, padded_stride, fx, fy, within(sum, fx, 0, padded_width));
    }
}

#define ADJOINT_STRIP (TILE_W * VECTOR + 2 * MARGIN + VECTOR)
__kernel void blur_adjoint(__global const float* restrict padded, __global float* restrict x,
                           ulong offset, __constant float* restrict column,
                           __constant float* restrict row, int width, int height, int stride,
                           int padded_stride, __local float* restrict strip) {
    const int needed = min(TILE_W * VECTOR, width - TILE_X) + 2 * MARGIN;
    for (int r = LOCAL_Y; r < TILE_H; r += LOCAL_H) {
        const int y = TILE_Y + r;
        if (y >= height) break;
        const Fold f = fold_of(y, height);
        __local float* line = strip + r * ADJOINT_STRIP;  // padded columns from TILE_X on
        for (int c = LOCAL_X * VECTOR; c < needed; c += LOCAL_W * VECTOR) {
            floatv sum = 0.0f;
            if (f.kind == 0) {
                UNROLL_TAPS
                for (int g = 0; g < INNER; ++g)
                    sum += column[g] * PADDED_READV(padded, padded_stride, TILE_X + c, f.begin + g);
            } else {
                for (int g = 0; g < f.count; ++g)
                    sum += column[FOLDED(f.kind) + g] *
                           PADDED_READV(padded, padded_stride, TILE_X + c, f.begin + g);
            }
            STOREV(sum, line + c);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(at, y, width, height) {
        __local const float* line = strip + (y - TILE_Y) * ADJOINT_STRIP;
        floatv sum = 0.0f;
        if (is_inner(at, width)) {
            UNROLL_TAPS
            for (int g = 0; g < INNER; ++g)
                sum += row[g] * LOADV(line + at - TILE_X + MARGIN - RADIUS + g);
        } else {
            float lanes[VECTOR];
            for (int i = 0; i < VECTOR; ++i) {
                lanes[i] = 0.0f;
                if (at + i >= width) continue;
                const Fold f = fold_of(at + i, width);
                for (int g = 0; g < f.count; ++g)
                    lanes[i] += row[FOLDED(f.kind) + g] * line[f.begin + g - TILE_X];
            }
            sum = LOADV(lanes);
        }
        STOREV(sum, x + offset + y * stride + at);
    }
}
#else
// Two passes. `columns` has the size of a padded image: the forward pass uses its first `width`
// columns, the adjoint its first `height` rows.
__kernel void blur_forward_columns(IMAGE_IN x, IMAGE_OUT columns, __constant float* restrict column,
                                   int width, int height, int stride, int row_offset,
                                   int padded_stride) {
    FOR_TILE(at, fy, width, height + 2 * MARGIN) {
        floatv sum = 0.0f;
        UNROLL_TAPS
        for (int j = -RADIUS; j <= RADIUS; ++j)
            sum += column[j + RADIUS] *
                   readv_at(x, stride, at, row_offset + clamp(fy - MARGIN - j, 0, height - 1));
        PADDED_WRITEV(columns, padded_stride, at, fy, sum);
    }
}

__kernel void blur_forward_rows(IMAGE_IN columns, IMAGE_OUT padded, __constant float* restrict row,
                                int width, int height, int padded_stride) {
    const int padded_width = width + 2 * MARGIN;
    FOR_TILE(fx, fy, padded_width, height + 2 * MARGIN) {
        floatv sum = 0.0f;
        const int at = fx - MARGIN;
        if (at - RADIUS >= 0 && at + RADIUS + VECTOR <= width) {
            UNROLL_TAPS
            for (int i = -RADIUS; i <= RADIUS; ++i)
                sum += row[i + RADIUS] * PADDED_READV(columns, padded_stride, at - i, fy);
        } else {
            float lanes[VECTOR];
            for (int l = 0; l < VECTOR; ++l) {
                lanes[l] = 0.0f;
                for (int i = -RADIUS; i <= RADIUS; ++i)
                    lanes[l] += row[i + RADIUS] * PADDED_READ(columns, padded_stride,
                                                              clamp(at + l - i, 0, width - 1), fy);
            }
            sum = LOADV(lanes);
        }
        PADDED_WRITEV(padded, padded_stride, fx, fy, within(sum, fx, 0, padded_width));
    }
}

__kernel void blur_adjoint_columns(IMAGE_IN padded, IMAGE_OUT columns,
                                   __constant float* restrict column, int width, int height,
                                   int padded_stride) {
    FOR_TILE(fx, y, width + 2 * MARGIN, height) {
        const Fold f = fold_of(y, height);
        floatv sum = 0.0f;
        if (f.kind == 0) {
            UNROLL_TAPS
            for (int g = 0; g < INNER; ++g)
                sum += column[g] * PADDED_READV(padded, padded_stride, fx, f.begin + g);
        } else {
            for (int g = 0; g < f.count; ++g)
                sum += column[FOLDED(f.kind) + g] *
                       PADDED_READV(padded, padded_stride, fx, f.begin + g);
        }
        PADDED_WRITEV(columns, padded_stride, fx, y, sum);
    }
}

__kernel void blur_adjoint_rows(IMAGE_IN columns, __global float* restrict x, ulong offset,
                                __constant float* restrict row, int width, int height, int stride,
                                int padded_stride) {
    FOR_TILE(at, y, width, height) {
        floatv sum = 0.0f;
        if (is_inner(at, width)) {
            UNROLL_TAPS
            for (int g = 0; g < INNER; ++g)
                sum += row[g] * PADDED_READV(columns, padded_stride, at + MARGIN - RADIUS + g, y);
        } else {
            float lanes[VECTOR];
            for (int i = 0; i < VECTOR; ++i) {
                lanes[i] = 0.0f;
                if (at + i >= width) continue;
                const Fold f = fold_of(at + i, width);
                for (int g = 0; g < f.count; ++g)
                    lanes[i] += row[FOLDED(f.kind) + g] *
                                PADDED_READ(columns, padded_stride, f.begin + g, y);
            }
            sum = LOADV(lanes);
        }
        STOREV(sum, x + offset + y * stride + at);
    }
}
#endif

// ---- any PSF, tap by tap -----------------------------------------------------------------------
__kernel void blur_taps_forward(IMAGE_IN x, IMAGE_OUT padded, __global const float* restrict taps,
                                int width, int height, int stride, int row_offset,
                                int padded_stride) {
    const int padded_width = width + 2 * MARGIN;
    FOR_TILE(fx, fy, padded_width, height + 2 * MARGIN) {
        const int at = fx - MARGIN;
        const bool inside = at - RADIUS >= 0 && at + RADIUS + VECTOR <= width;
        floatv sum = 0.0f;
        float lanes[VECTOR];
        for (int i = 0; i < VECTOR; ++i)
            lanes[i] = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; ++j) {
            const int y = row_offset + clamp(fy - MARGIN - j, 0, height - 1);
            for (int i = -RADIUS; i <= RADIUS; ++i) {
                const float k = taps[(j + RADIUS) * INNER + i + RADIUS];
                if (k == 0.0f) continue;
                if (inside) {
                    sum += k * readv_at(x, stride, at - i, y);
                } else {
                    for (int l = 0; l < VECTOR; ++l)
                        lanes[l] += k * read_at(x, stride, clamp(at + l - i, 0, width - 1), y);
                }
            }
        }
        if (!inside) sum = LOADV(lanes);
        PADDED_WRITEV(padded, padded_stride, fx, fy, within(sum, fx, 0, padded_width));
    }
}

// tables[4 row case + column case]: start of that case's weights in `folded`.
__kernel void blur_taps_adjoint(IMAGE_IN padded, __global float* restrict x, ulong offset,
                                __global const float* restrict folded,
                                __constant int* restrict tables, int width, int height, int stride,
                                int padded_stride) {
    FOR_TILE(at, y, width, height) {
        const Fold v = fold_of(y, height);
        float lanes[VECTOR];
        if (is_inner(at, width)) {
            const Fold h = fold_of(at, width);
            __global const float* k = folded + tables[4 * v.kind];
            floatv sum = 0.0f;
            for (int g = 0; g < v.count; ++g)
                for (int i = 0; i < INNER; ++i) {
                    const float weight = k[g * INNER + i];
                    if (weight == 0.0f) continue;
                    sum += weight * PADDED_READV(padded, padded_stride, h.begin + i, v.begin + g);
                }
            STOREV(sum, x + offset + y * stride + at);
            continue;
        }
        for (int l = 0; l < VECTOR; ++l) {
            lanes[l] = 0.0f;
            if (at + l >= width) continue;
            const Fold h = fold_of(at + l, width);
            __global const float* k = folded + tables[4 * v.kind + h.kind];
            for (int g = 0; g < v.count; ++g)
                for (int i = 0; i < h.count; ++i)
                    lanes[l] += k[g * h.count + i] *
                                PADDED_READ(padded, padded_stride, h.begin + i, v.begin + g);
        }
        STOREV(LOADV(lanes), x + offset + y * stride + at);
    }
}
