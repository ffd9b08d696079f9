// N = P' diag(m) P of shifted frames, away from the frames' borders: scale^2 stencils in total.
//   t(p) <- sum over the taps d of the row's phase:  c_d((p.x - x0) mod period) s(p + d)
// `patterns` repeats each tap's coefficients up to `length` values, so that VECTOR of them can be
// read from any phase on. Row y of the box has the taps from starts[y mod period] up to, but
// without, starts[y mod period + 1].
__kernel void periodic_apply(IMAGE_IN source, __global const int* restrict starts,
                             __global const int2* restrict taps,
                             __global const float* restrict patterns, int period, int length,
                             IMAGE_OUT padded, int x0, int y0, int width, int height,
                             int padded_stride) {
    FOR_TILE(x, y, width, height) {
        const int row = y % period;
        const int phase = x % period;
        floatv sum = 0.0f;
        for (int i = starts[row]; i < starts[row + 1]; ++i)
            sum += LOADV(patterns + i * length + phase) *
                   PADDED_READV(source, padded_stride, x0 + x + taps[i].x, y0 + y + taps[i].y);
        if (x + VECTOR <= width) {
            PADDED_WRITEV(padded, padded_stride, x0 + x, y0 + y, sum);
        } else {  // pixels beyond the box belong to the border
            float lanes[VECTOR];
            STOREV(sum, lanes);
            for (int i = 0; x + i < width; ++i)
                PADDED_WRITE(padded, padded_stride, x0 + x + i, y0 + y, lanes[i]);
        }
    }
}
