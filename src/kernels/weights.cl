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

__kernel void edge_weights(FIELD smooth, int margin, float floor_weight, float scale, float mean,
                           __global const float* restrict occlusion, int has_occlusion,
                           __global float* restrict e, int width, int height, int stride,
                           int frame_stride) {
    FOR_TILE(x, y, width, height) {
        const int fx = x + margin;
        const int fy = y + margin;
        const floatv gx = FRAME_READV(smooth, frame_stride, fx + 1, fy) -
                          FRAME_READV(smooth, frame_stride, fx - 1, fy);
        const floatv gy = FRAME_READV(smooth, frame_stride, fx, fy + 1) -
                          FRAME_READV(smooth, frame_stride, fx, fy - 1);
        floatv w = exp(fmax(scale * (gx * gx + gy * gy), (floatv)(-80.0f)));
        if (has_occlusion) w *= LOADV(occlusion + y * stride + x);
        STOREV(within((floor_weight + (1.0f - floor_weight) * w) / mean, x, 0, width),
               e + y * stride + x);
    }
}

__kernel void uniform_weights(__global float* restrict e, int width, int height, int stride) {
    FOR_TILE(x, y, width, height) {
        STOREV(within((floatv)(1.0f), x, 0, width), e + y * stride + x);
    }
}
