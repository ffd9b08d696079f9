// Decimation D: (D t)(i, j) = t(scale i, scale j) of a frame's image part; the adjoint puts the
// value back there, zeros elsewhere (also in the frame's margin, which takes no part in the chain).
__kernel void decimate_forward(FIELD frame, int margin, int scale, __global float* restrict low,
                               ulong offset, int low_width, int low_height, int frame_stride) {
    FOR_CELLS(j, i, low_width, low_height) {
        low[offset + i * low_width + j] =
            FRAME_READ(frame, frame_stride, margin + j * scale, margin + i * scale);
    }
}

__kernel void decimate_adjoint(__global const float* restrict low, ulong offset, int margin,
                               int scale, FIELD_OUT frame, int low_width, int low_height,
                               int frame_width, int frame_height, int frame_stride) {
    FOR_TILE(fx, fy, frame_width, frame_height) {
        const int y = fy - margin;
        float lanes[VECTOR];
        for (int l = 0; l < VECTOR; ++l) {
            const int x = fx + l - margin;
            const bool kept = x >= 0 && y >= 0 && x % scale == 0 && y % scale == 0 &&
                              x / scale < low_width && y / scale < low_height;
            lanes[l] = kept ? low[offset + y / scale * low_width + x / scale] : 0.0f;
        }
        FRAME_WRITEV(frame, frame_stride, fx, fy, LOADV(lanes));
    }
}

// Between a view's pixels (a plane) and the sampler's order: plane[order[i]] <-> samples[i].
__kernel void scatter_order(__global const float* restrict samples,
                            __global const uint* restrict order, int count, int width, int stride,
                            __global float* restrict plane) {
    const int i = get_global_id(0);
    if (i < count) plane[order[i] / width * stride + order[i] % width] = samples[i];
}
__kernel void gather_order(__global const float* restrict plane,
                           __global const uint* restrict order, int count, int width, int stride,
                           __global float* restrict samples) {
    const int i = get_global_id(0);
    if (i < count) samples[i] = plane[order[i] / width * stride + order[i] % width];
}
