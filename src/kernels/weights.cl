// Edge and occlusion weights (problem/prior.h):
//   e = (floor + (1 - floor) w_o exp(-(|grad(G_1 * x)| / g0)^2)) / mean
// with the gradient by central differences of the smoothed luma.
__kernel void luma_plane(__global const float* restrict x, __global float* restrict luma,
                         int plane) {
    const int i = get_global_id(0) * VECTOR;
    if (i >= plane) return;
    STOREV(0.299f * LOADV(x + i) + 0.587f * LOADV(x + plane + i) +
               0.114f * LOADV(x + 2 * (size_t)plane + i),
           luma + i);
}

// Factor level / sqrt(floor^2 + gain g) of the weights, for noise that grows with the brightness g.
PLENOSR_FN floatv noise_weight(floatv g, float level, float noise_floor, float gain) {
    return level / sqrt(noise_floor * noise_floor + gain * fmax(g, (floatv)(0.0f)));
}

__kernel void edge_weights(IMAGE_IN smooth, int margin, float floor_weight, float scale, float mean,
                           float level, float noise_floor, float gain,
                           __global const float* restrict occlusion, int has_occlusion,
                           __global float* restrict e, int width, int height, int stride,
                           int padded_stride) {
    FOR_TILE(x, y, width, height) {
        const int fx = x + margin;
        const int fy = y + margin;
        const floatv gx = PADDED_READV(smooth, padded_stride, fx + 1, fy) -
                          PADDED_READV(smooth, padded_stride, fx - 1, fy);
        const floatv gy = PADDED_READV(smooth, padded_stride, fx, fy + 1) -
                          PADDED_READV(smooth, padded_stride, fx, fy - 1);
        floatv w = exp(fmax(scale * (gx * gx + gy * gy), (floatv)(-80.0f)));
        if (has_occlusion) w *= LOADV(occlusion + y * stride + x);
        floatv weight = (floor_weight + (1.0f - floor_weight) * w) / mean;
        if (gain > 0.0f)
            weight *=
                noise_weight(PADDED_READV(smooth, padded_stride, fx, fy), level, noise_floor, gain);
        STOREV(within(weight, x, 0, width), e + y * stride + x);
    }
}

#ifdef DIRECTIONS
// Weights from patches, one plane per direction:
//   e_d = (floor + (1 - floor) exp(-D_d / g0^2)) / mean
//   D_d(p) = sum_q b_q (g(p + q + d) - g(p + q))^2 / sum_q b_q,   |q| <= PATCH
//   b_q = exp(-|q|^2 / 2 - (g(p + q) - g(p))^2 / range^2), or 1 without BILATERAL
// Beyond 3 pixels outside the image, g = G_1 * x is constant along the normal of the border.
__constant int patch_steps[3 * DIRECTIONS] = {DIRECTION_STEPS};
#define PATCH_SIDE (2 * PATCH + 1)
__kernel void patch_weights(IMAGE_IN smooth, int margin, float floor_weight, float scale,
                            float mean, float range_scale, float level, float noise_floor,
                            float gain, __global float* restrict e, int width, int height,
                            int stride, int padded_stride) {
#define SMOOTH_AT(px, py)                                                 \
    PADDED_READ(smooth, padded_stride, clamp(px, -3, width + 2) + margin, \
                clamp(py, -3, height + 2) + margin)
    FOR_CELLS(x, y, width, height) {
        float here[PATCH_SIDE * PATCH_SIDE];
        float b[PATCH_SIDE * PATCH_SIDE];
        float total = 0.0f;
        const float centre = SMOOTH_AT(x, y);
        for (int q = 0; q < PATCH_SIDE * PATCH_SIDE; ++q) {
            const int qx = q % PATCH_SIDE - PATCH;
            const int qy = q / PATCH_SIDE - PATCH;
            here[q] = SMOOTH_AT(x + qx, y + qy);
#ifdef BILATERAL
            const float step = here[q] - centre;
            b[q] = exp(-0.5f * (float)(qx * qx + qy * qy) + range_scale * (step * step));
#else
            b[q] = 1.0f;
#endif
            total += b[q];
        }
        const float by_noise =
            gain > 0.0f ? level / sqrt(noise_floor * noise_floor + gain * fmax(centre, 0.0f))
                        : 1.0f;
        for (int d = 0; d < DIRECTIONS; ++d) {
            float sum = 0.0f;
            for (int q = 0; q < PATCH_SIDE * PATCH_SIDE; ++q) {
                const int px = x + q % PATCH_SIDE - PATCH + patch_steps[3 * d];
                const int py = y + q / PATCH_SIDE - PATCH + patch_steps[3 * d + 1];
                const float step = SMOOTH_AT(px, py) - here[q];
                sum += b[q] * (step * step);
            }
            const float w = exp(fmax(scale * (sum / total), -80.0f));
            e[(size_t)(d * height + y) * stride + x] =
                by_noise * (floor_weight + (1.0f - floor_weight) * w) / mean;
        }
    }
}
#endif

__kernel void uniform_weights(__global float* restrict e, int width, int height, int stride) {
    FOR_TILE(x, y, width, height) {
        STOREV(within((floatv)(1.0f), x, 0, width), e + y * stride + x);
    }
}
