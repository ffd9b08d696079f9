// Decimation D: (D t)(i, j) = t(scale i, scale j) in the image inside a padded image. The adjoint
// writes the values back there and zeros elsewhere, also in the margin, which the chain does not
// use.
__kernel void decimate_forward(IMAGE_IN padded, int margin, int scale, __global float* restrict low,
                               ulong offset, int low_width, int low_height, int padded_stride) {
    FOR_CELLS(j, i, low_width, low_height) {
        low[offset + i * low_width + j] =
            PADDED_READ(padded, padded_stride, margin + j * scale, margin + i * scale);
    }
}

__kernel void decimate_adjoint(__global const float* restrict low, ulong offset, int margin,
                               int scale, IMAGE_OUT padded, int low_width, int low_height,
                               int padded_width, int padded_height, int padded_stride) {
    FOR_TILE(fx, fy, padded_width, padded_height) {
        const int y = fy - margin;
        float lanes[VECTOR];
        for (int l = 0; l < VECTOR; ++l) {
            const int x = fx + l - margin;
            const bool kept = x >= 0 && y >= 0 && x % scale == 0 && y % scale == 0 &&
                              x / scale < low_width && y / scale < low_height;
            lanes[l] = kept ? low[offset + y / scale * low_width + x / scale] : 0.0f;
        }
        PADDED_WRITEV(padded, padded_stride, fx, fy, LOADV(lanes));
    }
}

// Conversion between a view's pixels (a plane) and the sampler's order: plane[order[i]] <->
// samples[i].
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
