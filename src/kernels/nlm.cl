// Non-local means: denoise/nlm.cpp for a device.
//   v(p) = sum_q e(p, q) x(q) / sum_q e(p, q),   e = exp(-D / sigma^2)
// over |q - p| <= REACH_OF_SEARCH, where D is the mean squared difference of the blocks around p
// and q. One work-item takes ROWS_OF_ITEM rows of one vector, so that a row of blocks is summed
// once for several pixels.
//
//   REACH_OF_SEARCH  in pixels
//   BLOCK_RADIUS     blocks have 2 BLOCK_RADIUS + 1 pixels a side
//   ROWS_OF_ITEM     rows per work-item
#define BORDER (REACH_OF_SEARCH + BLOCK_RADIUS)
#define BLOCK_SIDE (2 * BLOCK_RADIUS + 1)

// The picture with its border pixels replicated around it.
__kernel void nlm_border(__global const float* restrict x, ulong offset, int width, int height,
                         int stride, __global float* restrict bordered, int bordered_stride,
                         int bordered_height) {
    FOR_CELLS(col, row, bordered_stride, bordered_height) {
        bordered[row * bordered_stride + col] =
            x[offset + clamp(row - BORDER, 0, height - 1) * stride +
              clamp(col - BORDER, 0, width - 1)];
    }
}

// `bordered` has at least VECTOR columns and ROWS_OF_ITEM rows more than the border needs.
__kernel void nlm(__global const float* restrict bordered, int bordered_stride, float scale,
                  __global float* restrict out, ulong offset, int width, int height, int stride) {
    const int x = (int)get_global_id(0) * VECTOR;
    const int y = (int)get_global_id(1) * ROWS_OF_ITEM;
    if (x >= width || y >= height) return;
    floatv sum[ROWS_OF_ITEM];
    floatv weight[ROWS_OF_ITEM];
    for (int r = 0; r < ROWS_OF_ITEM; ++r)
        sum[r] = weight[r] = 0.0f;
    __global const float* centre = bordered + (y + BORDER) * bordered_stride + x + BORDER;
    for (int dy = -REACH_OF_SEARCH; dy <= REACH_OF_SEARCH; ++dy)
        for (int dx = -REACH_OF_SEARCH; dx <= REACH_OF_SEARCH; ++dx) {
            const int shift = dy * bordered_stride + dx;
            floatv across[ROWS_OF_ITEM + 2 * BLOCK_RADIUS];
#pragma unroll
            for (int r = 0; r < ROWS_OF_ITEM + 2 * BLOCK_RADIUS; ++r) {
                __global const float* here =
                    centre + (r - BLOCK_RADIUS) * bordered_stride - BLOCK_RADIUS;
                across[r] = 0.0f;
#pragma unroll
                for (int c = 0; c < BLOCK_SIDE; ++c) {
                    const floatv d = LOADV(here + c) - LOADV(here + shift + c);
                    across[r] += d * d;
                }
            }
#pragma unroll
            for (int r = 0; r < ROWS_OF_ITEM; ++r) {
                const floatv distance =
                    (across[r] + across[r + 1] + across[r + 2] + across[r + 3] + across[r + 4]) /
                    (float)(BLOCK_SIDE * BLOCK_SIDE);
                const floatv e = exp(fmax(-scale * distance, (floatv)(-80.0f)));
                sum[r] += e * LOADV(centre + r * bordered_stride + shift);
                weight[r] += e;
            }
        }
    for (int r = 0; r < ROWS_OF_ITEM; ++r)
        if (y + r < height)
            STOREV(within(sum[r] / weight[r], x, 0, width), out + offset + (y + r) * stride + x);
}
