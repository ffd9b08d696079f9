// Initial images. Computed once per tile, from buffers with every strategy.
//   VIEWS              number of views
//   SIGMA_PER_MEDIAN   standard deviation over the median absolute deviation

// Bicubic value at (x + fx, y + fy) of an image whose border pixels are replicated.
PLENOSR_FN float bicubic_at(__global const float* restrict image, int width, int height, int x,
                            int y, float fx, float fy) {
    float wx[4], wy[4];
    cubic_weights(fx, wx);
    cubic_weights(fy, wy);
    float sum = 0.0f;
    for (int j = 0; j < 4; ++j) {
        __global const float* row = image + clamp(y - 1 + j, 0, height - 1) * width;
        float line = 0.0f;
        for (int i = 0; i < 4; ++i)
            line += wx[i] * row[clamp(x - 1 + i, 0, width - 1)];
        sum += wy[j] * line;
    }
    return sum;
}

// floor(n / scale) for any n; the remainder is in [0, scale).
PLENOSR_FN int floor_divide(int n, int scale, int* remainder) {
    int q = n / scale;
    if (n - q * scale < 0) --q;
    *remainder = n - q * scale;
    return q;
}

// Low-resolution pixel i lies at coordinate scale i + phase.
__kernel void enlarge_bicubic(__global const float* restrict low, int low_width, int low_height,
                              int scale, float phase, __global float* restrict full) {
    FOR_CELLS(x, y, low_width * scale, low_height * scale) {
        const float ox = ((float)(x % scale) - phase) / scale;
        const float oy = ((float)(y % scale) - phase) / scale;
        const float wx = floor(ox);
        const float wy = floor(oy);
        full[y * (low_width * scale) + x] = bicubic_at(
            low, low_width, low_height, x / scale + (int)wx, y / scale + (int)wy, ox - wx, oy - wy);
    }
}

// Inserts into `count` sorted values.
PLENOSR_FN void insert_sorted(float* values, int count, float value) {
    int i = count;
    for (; i > 0 && values[i - 1] > value; --i)
        values[i] = values[i - 1];
    values[i] = value;
}
PLENOSR_FN float median_of_sorted(const float* values, int count) {
    return count % 2 == 1 ? values[count / 2] : 0.5f * (values[count / 2 - 1] + values[count / 2]);
}

// The pilot (problem/pilot.h): at each pixel the median of the views that see it, and their spread.
// views: (view, channel, y, x); view_disparity: at low resolution; crops: u, v, x0, y0 of each
// view. `median` holds the enlarged reference view at first, which stays where no view sees the
// pixel.
__kernel void median_of_views(__global const float* restrict views,
                              __global const float* restrict view_disparity,
                              __constant float4* restrict crops,
                              __global const float* restrict disparity, int low_width,
                              int low_height, int channels, int scale, float phase,
                              float same_surface, int width, int height,
                              __global float* restrict median, __global float* restrict spread) {
    const int low = low_width * low_height;
    FOR_CELLS(x, y, width, height) {
        const float d = disparity[y * width + x];
        for (int c = 0; c < channels; ++c) {
            float values[VIEWS];
            int count = 0;
            for (int k = 0; k < VIEWS; ++k) {
                // (p - phase - (x0, y0) - (u, v) d) / scale as pixel and fraction
                int rx, ry;
                const int qx = floor_divide(x - (int)crops[k].z, scale, &rx);
                const int qy = floor_divide(y - (int)crops[k].w, scale, &ry);
                const float ox = ((float)rx - phase - crops[k].x * d) / scale;
                const float oy = ((float)ry - phase - crops[k].y * d) / scale;
                const float wx = floor(ox);
                const float wy = floor(oy);
                if (fabs(wx) > 1e6f || fabs(wy) > 1e6f) continue;
                const int ix = qx + (int)wx;
                const int iy = qy + (int)wy;
                const float fx = ox - wx;
                const float fy = oy - wy;
                const int j = fx >= 0.5f ? ix + 1 : ix;  // the nearest pixel
                const int i = fy >= 0.5f ? iy + 1 : iy;
                if (j < 0 || j >= low_width || i < 0 || i >= low_height) continue;
                if (fabs(view_disparity[k * low + i * low_width + j] - d) >= same_surface) continue;
                insert_sorted(values, count++,
                              bicubic_at(views + (size_t)(k * channels + c) * low, low_width,
                                         low_height, ix, iy, fx, fy));
            }
            if (count == 0) break;
            const float middle = median_of_sorted(values, count);
            median[(size_t)(c * height + y) * width + x] = middle;
            if (c > 0) continue;
            float distances[VIEWS];
            for (int k = 0; k < count; ++k)
                insert_sorted(distances, k, fabs(values[k] - middle));
            spread[y * width + x] = SIGMA_PER_MEDIAN * median_of_sorted(distances, count);
        }
    }
}
