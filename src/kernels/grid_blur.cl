// Blur B with PSFs that change over the image: plane -> padded image, and its adjoint.
//   (B x)(p) = sum_t k_p(t) x(p - t),   x continued by its border pixels,
//   k_p interpolated between the nodes of a grid: psfs[rows][cols] of INNER x INNER taps. Node
//   (0, 0) lies at (x0, y0) of the image; nodes are 1 / per_x and 1 / per_y pixels apart.
// The adjoint gathers with the PSFs of the neighbours:
//   (B' t)(q) = sum_p k_p(p - q) t(p),   border pixels also receive what falls outside the image.
#define ALL_TAPS (INNER * INNER)
// Unrolled loops over taps would take long to compile.
#define ONE_BY_ONE _Pragma("nounroll")

// For VECTOR pixels: the fraction of the way from one node to the next.
PLENOSR_FN floatv parts_of(float place, float per_x) {
    float parts[VECTOR];
    for (int i = 0; i < VECTOR; ++i)
        parts[i] = place + (float)i * per_x;
    return LOADV(parts);
}

__kernel void grid_blur_forward(IMAGE_IN x, IMAGE_OUT padded, __global const float* restrict psfs,
                                int rows, int cols, float x0, float y0, float per_x, float per_y,
                                int width, int height, int stride, int row_offset,
                                int padded_stride) {
    const int padded_width = width + 2 * MARGIN;
    FOR_TILE(fx, fy, padded_width, height + 2 * MARGIN) {
        const Between down = between(((float)(fy - MARGIN) - y0) * per_y, rows);
        const int at = fx - MARGIN;
        const float place = ((float)at - x0) * per_x;
        const Between left = between(place, cols);
        const Between right = between(place + (float)(VECTOR - 1) * per_x, cols);
        floatv sum = 0.0f;
        if (at - RADIUS >= 0 && at + RADIUS + VECTOR <= width && left.first == right.first) {
            const floatv part = clamp(parts_of(place - (float)left.first, per_x), 0.0f, 1.0f);
            ONE_BY_ONE
            for (int j = -RADIUS; j <= RADIUS; ++j) {
                const int y = row_offset + clamp(fy - MARGIN - j, 0, height - 1);
                ONE_BY_ONE
                for (int i = -RADIUS; i <= RADIUS; ++i) {
                    const float2 k = psf_taps(psfs, ALL_TAPS, cols, down, left,
                                              (j + RADIUS) * INNER + i + RADIUS);
                    sum += (k.x + part * (k.y - k.x)) * readv_at(x, stride, at - i, y);
                }
            }
        } else {
            float lanes[VECTOR];
            ONE_BY_ONE
            for (int l = 0; l < VECTOR; ++l) {
                const Between across = between(place + (float)l * per_x, cols);
                lanes[l] = 0.0f;
                ONE_BY_ONE
                for (int j = -RADIUS; j <= RADIUS; ++j) {
                    const int y = row_offset + clamp(fy - MARGIN - j, 0, height - 1);
                    ONE_BY_ONE
                    for (int i = -RADIUS; i <= RADIUS; ++i) {
                        const float2 k = psf_taps(psfs, ALL_TAPS, cols, down, across,
                                                  (j + RADIUS) * INNER + i + RADIUS);
                        lanes[l] += (k.x + across.part * (k.y - k.x)) *
                                    read_at(x, stride, clamp(at + l - i, 0, width - 1), y);
                    }
                }
            }
            sum = LOADV(lanes);
        }
        PADDED_WRITEV(padded, padded_stride, fx, fy, within(sum, fx, 0, padded_width));
    }
}

// The range of taps by which padded index g depends on image index i: clamp(g - MARGIN - tap) = i.
PLENOSR_FN int2 reaching_taps(int g, int i, int size) {
    const int straight = g - MARGIN - i;
    return (int2)(i == size - 1 ? -RADIUS : max(straight, -RADIUS),
                  i == 0 ? RADIUS : min(straight, RADIUS));
}

__kernel void grid_blur_adjoint(IMAGE_IN padded, __global float* restrict x, ulong offset,
                                __global const float* restrict psfs, int rows, int cols, float x0,
                                float y0, float per_x, float per_y, int width, int height,
                                int stride, int padded_stride) {
    FOR_TILE(at, y, width, height) {
        const Fold v = fold_of(y, height);
        const float place =
            ((float)(at - RADIUS) - x0) * per_x;  // of the leftmost pixel that depends on `at`
        const Between left = between(place, cols);
        const Between right = between(place + (float)(VECTOR - 1 + 2 * RADIUS) * per_x, cols);
        if (v.kind == 0 && is_inner(at, width) && left.first == right.first) {
            const floatv part = parts_of(place - (float)left.first, per_x);
            const int begin = at + MARGIN - RADIUS;
            floatv sum = 0.0f;
            ONE_BY_ONE
            for (int g = 0; g < INNER; ++g) {
                const Between down = between(((float)(v.begin + g - MARGIN) - y0) * per_y, rows);
                ONE_BY_ONE
                for (int i = 0; i < INNER; ++i) {
                    const float2 k = psf_taps(psfs, ALL_TAPS, cols, down, left, g * INNER + i);
                    const floatv here = clamp(part + (float)i * per_x, 0.0f, 1.0f);
                    sum += (k.x + here * (k.y - k.x)) *
                           PADDED_READV(padded, padded_stride, begin + i, v.begin + g);
                }
            }
            STOREV(sum, x + offset + y * stride + at);
            continue;
        }
        float lanes[VECTOR];
        ONE_BY_ONE
        for (int l = 0; l < VECTOR; ++l) {
            lanes[l] = 0.0f;
            if (at + l >= width) continue;
            const Fold h = fold_of(at + l, width);
            ONE_BY_ONE
            for (int fy = v.begin; fy < v.begin + v.count; ++fy) {
                const Between down = between(((float)(fy - MARGIN) - y0) * per_y, rows);
                const int2 tap_rows = reaching_taps(fy, y, height);
                ONE_BY_ONE
                for (int fx = h.begin; fx < h.begin + h.count; ++fx) {
                    const Between across = between(((float)(fx - MARGIN) - x0) * per_x, cols);
                    const int2 tap_cols = reaching_taps(fx, at + l, width);
                    float weight = 0.0f;
                    ONE_BY_ONE
                    for (int j = tap_rows.x; j <= tap_rows.y; ++j)
                        ONE_BY_ONE
                    for (int i = tap_cols.x; i <= tap_cols.y; ++i) {
                        const float2 k = psf_taps(psfs, ALL_TAPS, cols, down, across,
                                                  (j + RADIUS) * INNER + i + RADIUS);
                        weight += k.x + across.part * (k.y - k.x);
                    }
                    lanes[l] += weight * PADDED_READ(padded, padded_stride, fx, fy);
                }
            }
        }
        STOREV(LOADV(lanes), x + offset + y * stride + at);
    }
}
