// Block matching and collaborative filtering (BM3D): denoise/bm3d.cpp for a device. Pictures are
// padded to whole steps of STEP pixels; their rows have no padding of their own.
//
// One group of ITEMS work-items takes one reference block: it finds the most similar blocks around
// it, stacks, transforms and filters them, and adds them to the sums. Reference blocks that are
// SPACING steps apart along both axes touch different pixels. A launch takes only such blocks, and
// the SPACING x SPACING launches run one after the other: no atomics are needed, and sums are
// always added in the same order.
//
//   BLOCK            side of a block, in pixels
//   STEP             distance of reference blocks, in pixels
//   REACH_OF_SEARCH  the search covers displacements up to this, in pixels
//   MOST_BLOCKS      of a stack
//   SPACING          steps between reference blocks of one launch
//   ITEMS            work-items of a group: one per pixel of a block
#define AREA (BLOCK * BLOCK)
#define SIDE (2 * REACH_OF_SEARCH + 1)
#define CANDIDATES (SIDE * SIDE)
#define DISTANCES ((CANDIDATES + ITEMS - 1) / ITEMS * ITEMS)
#define WINDOW (BLOCK + 2 * REACH_OF_SEARCH)

// The picture is mirrored at its right and lower borders.
PLENOSR_FN int mirrored(int i, int size) {
    while (i >= size)
        i = max(0, 2 * size - 1 - i);
    return i;
}
__kernel void bm3d_pad(__global const float* restrict x, ulong offset, int width, int height,
                       int stride, __global float* restrict picture, int padded_width,
                       int padded_height) {
    FOR_CELLS(col, row, padded_width, padded_height) {
        picture[row * padded_width + col] =
            x[offset + mirrored(row, height) * stride + mirrored(col, width)];
    }
}

// Binomial filter of 5 taps along one axis: dx, dy = 1, 0 or 0, 1.
__kernel void bm3d_smooth(__global const float* restrict in, __global float* restrict out,
                          int width, int height, int dx, int dy) {
    FOR_CELLS(x, y, width, height) {
        float sum = 0.0f;
        for (int t = -2; t <= 2; ++t) {
            const float tap = (t == 0 ? 6.0f : abs(t) == 1 ? 4.0f : 1.0f) / 16.0f;
            sum += tap *
                   in[clamp(y + t * dy, 0, height - 1) * width + clamp(x + t * dx, 0, width - 1)];
        }
        out[y * width + x] = sum;
    }
}

// out <- sum / weight, the first width x height pixels of rows of padded_width
__kernel void bm3d_average(__global const float* restrict sum,
                           __global const float* restrict weight, int padded_width,
                           __global float* restrict out, ulong offset, int width, int height,
                           int stride) {
    FOR_CELLS(x, y, width, height) {
        const int at = y * padded_width + x;
        out[offset + y * stride + x] = sum[at] / weight[at];
    }
}

// The squared distance of two blocks in the window, summed in the order of the native version.
PLENOSR_FN float block_distance(__local const float* a, __local const float* b) {
    float quarters[4];
    for (int q = 0; q < 4; ++q) {
        const int corner = (q >> 1) * 4 * WINDOW + (q & 1) * 4;
        float4 s = 0.0f;
        for (int row = 0; row < 4; ++row) {
            const float4 d =
                vload4(0, a + corner + row * WINDOW) - vload4(0, b + corner + row * WINDOW);
            s += d * d;
        }
        quarters[q] = (s.x + s.z) + (s.y + s.w);
    }
    return quarters[0] + quarters[1] + quarters[2] + quarters[3];
}

// Walsh-Hadamard transform across the n blocks of a stack, one coefficient of each; n is a power
// of 2.
PLENOSR_FN void hadamard(float* v, int n) {
#pragma unroll
    for (int h = 1; h < MOST_BLOCKS; h *= 2) {
        if (h < n) {
#pragma unroll
            for (int j = 0; j < MOST_BLOCKS; ++j)
                if ((j & h) == 0) {
                    const float a = v[j];
                    const float b = v[j + h];
                    v[j] = a + b;
                    v[j + h] = a - b;
                }
        }
    }
}

// values <- M values M' for each block of `stack`, with m(i, k) = matrix[i i_step + k k_step]. A
// work-item holds one coefficient of all blocks, before and after.
PLENOSR_FN void transform(float* v, int n, __constant float* matrix, int i_step, int k_step,
                          __local float* stack, __local float* half_done) {
    const int id = (int)get_local_id(0);
    const int row = id / BLOCK;
    const int col = id % BLOCK;
    for (int b = 0; b < MOST_BLOCKS; ++b)
        if (b < n) stack[b * AREA + id] = v[b];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = 0; b < n; ++b) {
        float sum = 0.0f;
        for (int k = 0; k < BLOCK; ++k)
            sum += matrix[row * i_step + k * k_step] * stack[b * AREA + k * BLOCK + col];
        half_done[b * AREA + id] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = 0; b < MOST_BLOCKS; ++b) {
        float sum = 0.0f;
        if (b < n)
            for (int k = 0; k < BLOCK; ++k)
                sum += matrix[col * i_step + k * k_step] * half_done[b * AREA + row * BLOCK + k];
        v[b] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The sum over the group, returned to each work-item.
PLENOSR_FN float sum_of_group(float value, __local float* scratch) {
    const int id = (int)get_local_id(0);
    scratch[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = ITEMS / 2; s > 0; s /= 2) {
        if (id < s) scratch[id] += scratch[id + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float sum = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

// Writes the places of the most similar blocks to `chosen`, the nearest first: those nearer than
// `limit`, at most MOST_BLOCKS. Returns how many there are.
PLENOSR_FN int nearest(__local const float* distance, float limit, __local float* best,
                       __local int* place, __local int* chosen) {
    const int id = (int)get_local_id(0);
    float last = -2.0f;
    int last_place = -1;
    int found = 0;
    while (found < MOST_BLOCKS && last < limit) {
        float d = INFINITY;
        int at = CANDIDATES;
        for (int c = id; c < CANDIDATES; c += ITEMS) {
            const float here = distance[c];
            if ((here > last || (here == last && c > last_place)) && here < d) {
                d = here;
                at = c;
            }
        }
        best[id] = d;
        place[id] = at;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = ITEMS / 2; s > 0; s /= 2) {
            if (id < s && (best[id + s] < best[id] ||
                           (best[id + s] == best[id] && place[id + s] < place[id]))) {
                best[id] = best[id + s];
                place[id] = place[id + s];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        last = best[0];
        last_place = place[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (last < limit) {
            if (id == 0) chosen[found] = last_place;
            ++found;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return found;
}

// `shared` is an argument because PoCL 3.1 gave wrong results with __local variables in the kernel.
// `strength` is the threshold; with WIENER it is the variance of the noise, and `compared` is the
// guide.
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void bm3d_stacks(
    __global const float* restrict noisy, __global const float* restrict compared,
    __global float* restrict sum, __global float* restrict weight,
    __constant float* restrict cosines, int width, int height, int first_x, int first_y,
    float limit, float strength, __local float* restrict shared) {
    __local float* stack = shared;                           // MOST_BLOCKS AREA
    __local float* half_done = stack + MOST_BLOCKS * AREA;   // MOST_BLOCKS AREA
    __local float* window = half_done + MOST_BLOCKS * AREA;  // WINDOW WINDOW
    __local float* distance = window + WINDOW * WINDOW;      // DISTANCES >= CANDIDATES
    __local float* best = distance + DISTANCES;              // ITEMS
    __local int* place = (__local int*)(best + ITEMS);       // ITEMS
    __local int* chosen = place + ITEMS;                     // MOST_BLOCKS
    const int id = (int)get_local_id(0);
    const int x = (first_x + (int)get_group_id(0) * SPACING) * STEP;
    const int y = (first_y + (int)get_group_id(1) * SPACING) * STEP;

    for (int i = id; i < WINDOW * WINDOW; i += ITEMS)
        window[i] = compared[clamp(y - REACH_OF_SEARCH + i / WINDOW, 0, height - 1) * width +
                             clamp(x - REACH_OF_SEARCH + i % WINDOW, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = id; c < CANDIDATES; c += ITEMS) {
        const int dy = c / SIDE - REACH_OF_SEARCH;
        const int dx = c % SIDE - REACH_OF_SEARCH;
        float d = INFINITY;
        if (y + dy >= 0 && y + dy + BLOCK <= height && x + dx >= 0 && x + dx + BLOCK <= width)
            d = dx == 0 && dy == 0 ? -1.0f
                                   : block_distance(window + REACH_OF_SEARCH * (WINDOW + 1),
                                                    window + (c / SIDE) * WINDOW + c % SIDE);
        distance[c] = d;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int found = nearest(distance, limit, best, place, chosen);
    int n = 1;
    while (2 * n <= found)
        n *= 2;

    float v[MOST_BLOCKS];
    const int inside = (id / BLOCK) * width + id % BLOCK;  // of a block
    for (int b = 0; b < MOST_BLOCKS; ++b) {
        v[b] = 0.0f;
        if (b < n) {
            const int c = chosen[b];
            v[b] = noisy[(y + c / SIDE - REACH_OF_SEARCH) * width + x + c % SIDE - REACH_OF_SEARCH +
                         inside];
        }
    }
    transform(v, n, cosines, BLOCK, 1, stack, half_done);
    hadamard(v, n);
    float left = 0.0f;  // share of the variance that remains
    // The two transforms across the blocks are not scaled: together they are n times the identity.
    const float scale = 1.0f / (float)n;
#ifdef WIENER
    float g[MOST_BLOCKS];
    for (int b = 0; b < MOST_BLOCKS; ++b) {
        g[b] = 0.0f;
        if (b < n) {
            const int c = chosen[b];
            g[b] = compared[(y + c / SIDE - REACH_OF_SEARCH) * width + x + c % SIDE -
                            REACH_OF_SEARCH + inside];
        }
    }
    transform(g, n, cosines, BLOCK, 1, stack, half_done);
    hadamard(g, n);
    for (int b = 0; b < MOST_BLOCKS; ++b)
        if (b < n) {
            const float power = g[b] * g[b];
            const float factor = power / (power + strength * (float)n);
            v[b] *= factor * scale;
            left += factor * factor;
        }
#else
    const float mean = v[0];  // work-item 0 always keeps it
    const float smallest = strength * sqrt((float)n);
    for (int b = 0; b < MOST_BLOCKS; ++b)
        if (b < n) {
            const bool keep = fabs(v[b]) >= smallest;
            v[b] = keep ? v[b] * scale : 0.0f;
            left += keep ? 1.0f : 0.0f;
        }
    if (id == 0 && v[0] == 0.0f) v[0] = mean * scale;
#endif
    const float w = 1.0f / fmax(sum_of_group(left, best), 1e-3f);
    hadamard(v, n);
    transform(v, n, cosines, 1, BLOCK, stack, half_done);
    // Blocks of one stack may overlap, so they are added one after the other.
    for (int b = 0; b < MOST_BLOCKS; ++b) {
        if (b < n) {
            const int c = chosen[b];
            const int at =
                (y + c / SIDE - REACH_OF_SEARCH) * width + x + c % SIDE - REACH_OF_SEARCH + inside;
            sum[at] += w * v[b];
            weight[at] += w;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
