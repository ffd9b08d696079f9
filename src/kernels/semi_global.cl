// Semi-global matching and the choice of labels (disparity/matching.h). The costs of a pixel's
// LABELS labels are adjacent in memory. LABELS is a multiple of 16; labels beyond `labels` cost
// UNREACHABLE.
//
//   PATH_ITEMS         work-items of a group, which share the labels of a path: 1 on CPUs
//   LABEL_VECTOR       labels that a work-item takes at once: 16 on CPUs, 1 on GPUs
//   LEAST_LARGE_JUMP   least cost of a large jump, in units of the cost of a small one

// contrast <- mean_l C - min_l C.
__kernel void label_contrast(__global const ushort* restrict costs, int labels, int pixels,
                             __global float* restrict contrast) {
    const int p = get_global_id(0);
    if (p >= pixels) return;
    __global const ushort* c = costs + (size_t)p * LABELS;
    int least = c[0];
    int sum = 0;
    for (int l = 0; l < labels; ++l) {
        least = min(least, (int)c[l]);
        sum += c[l];
    }
    contrast[p] = (float)sum / (float)labels - (float)least;
}

#if LABEL_VECTOR == 16
typedef ushort16 labelv;
#define LOAD_LABELS(p) vload16(0, p)
#define STORE_LABELS(v, p) vstore16(v, 0, p)
PLENOSR_FN ushort least_of(labelv v) {
    const ushort8 a = min(v.lo, v.hi);
    const ushort4 b = min(a.lo, a.hi);
    const ushort2 c = min(b.lo, b.hi);
    return min(c.x, c.y);
}
#else
typedef ushort labelv;
#define LOAD_LABELS(p) (*(p))
#define STORE_LABELS(v, p) (*(p) = (v))
PLENOSR_FN ushort least_of(labelv v) {
    return v;
}
#endif

// Cells on either side of a line that are never the least. NEVER + P1 still fits into a ushort.
#define GUARD 16
#define NEVER 0xEFFF
#define LINE (LABELS + 2 * GUARD)

// The minimum over the group, returned to each work-item.
PLENOSR_FN ushort group_least(ushort mine, __local ushort* shared) {
#if PATH_ITEMS == 1
    return mine;
#else
    const int item = get_local_id(0);
    shared[item] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = PATH_ITEMS / 2; other > 0; other /= 2) {
        if (item < other) shared[item] = min(shared[item], shared[item + other]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return shared[0];
#endif
}

// S += L_r for the direction r = (dx, dy). A group walks one path: along a row (dy = 0), or from
// the first row to the last (or back). A path that leaves the image on one side continues as a new
// path that enters on the other side, so that every pixel is visited once.
__kernel void semi_global(__global const ushort* restrict costs,
                          __global const float* restrict guide, int guide_stride, int width,
                          int height, int dx, int dy, int p1, int p2, float edge,
                          __global ushort* restrict sum) {
    __local ushort lines[2 * LINE];
    __local ushort shared[PATH_ITEMS];
    const int path = get_group_id(0);
    const int item = get_local_id(0);
    for (int i = item; i < 2 * LINE; i += PATH_ITEMS)
        lines[i] = NEVER;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = dy == 0 ? (dx > 0 ? 0 : width - 1) : path;
    int y = dy == 0 ? path : (dy > 0 ? 0 : height - 1);
    const int steps = dy == 0 ? width : height;
    ushort least = 0;
    float before = 0.0f;
    bool begins = true;
    for (int n = 0; n < steps; ++n) {
        const size_t at = ((size_t)(y * width) + x) * LABELS;
        const float g = guide[y * guide_stride + x + MARGIN];
        __local const ushort* from = lines + (n % 2) * LINE + GUARD;
        __local ushort* to = lines + (1 - n % 2) * LINE + GUARD;
        const int large = max((int)(LEAST_LARGE_JUMP * (float)p1),
                              (int)((float)p2 / (1.0f + fabs(g - before) / edge)));
        const labelv jump = (labelv)(ushort)(least + large);
        labelv smallest = (labelv)(ushort)(0xFFFF);
        for (int l = item * LABEL_VECTOR; l < LABELS; l += PATH_ITEMS * LABEL_VECTOR) {
            labelv value = LOAD_LABELS(costs + at + l);
            if (!begins) {
                const labelv beside = min(LOAD_LABELS(from + l - 1), LOAD_LABELS(from + l + 1));
                const labelv best =
                    min(min(LOAD_LABELS(from + l), (labelv)(beside + (labelv)(ushort)p1)), jump);
                value += best - (labelv)least;
            }
            STORE_LABELS(value, to + l);
            STORE_LABELS(LOAD_LABELS(sum + at + l) + value, sum + at + l);
            smallest = min(smallest, value);
        }
        least = group_least(least_of(smallest), shared);
        barrier(CLK_LOCAL_MEM_FENCE);
        before = g;
        x += dx;
        y += dy;
        begins = x < 0 || x >= width;
        if (x < 0) x = width - 1;
        if (x >= width) x = 0;
    }
}

// The label of least S. The parabola through it and its neighbours gives the fraction.
__kernel void fit_label(__global const ushort* restrict sums, int labels, int neighbourhood,
                        float first, float step, float unit, int pixels,
                        __global float* restrict disparity, __global float* restrict contrast,
                        __global float* restrict margin) {
    const int p = get_global_id(0);
    if (p >= pixels) return;
    __global const ushort* s = sums + (size_t)p * LABELS;
    int best = 0;
    int total = 0;
    for (int l = 0; l < labels; ++l) {
        if (s[l] < s[best]) best = l;
        total += s[l];
    }
    int other = 0xFFFF;
    for (int l = 0; l < labels; ++l)
        if (abs_diff(l, best) > (uint)neighbourhood) other = min(other, (int)s[l]);
    float fraction = 0.0f;
    if (best > 0 && best + 1 < labels) {
        const int below = s[best - 1];
        const int above = s[best + 1];
        const int bend = below + above - 2 * (int)s[best];
        if (bend > 0) fraction = clamp(0.5f * (float)(below - above) / (float)bend, -0.5f, 0.5f);
    }
    disparity[p] = first + ((float)best + fraction) * step;
    contrast[p] = ((float)total / (float)labels - (float)s[best]) * unit;
    margin[p] = labels > 2 * neighbourhood + 1 ? (float)(other - (int)s[best]) * unit : 0.0f;
}
