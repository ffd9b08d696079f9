// Matching costs (disparity/matching.h): plane sweep and guided aggregation, several labels per
// launch, one per layer of the grid. Buffers with every strategy. Planes have rows of `stride`
// floats with MARGIN columns of zeros on either side; views have VIEW_MARGIN columns that replicate
// their border pixels.
//
//   VIEWS           number of views
//   EXCHANGES       X(low, high) X(low, high) …: a partial sorting network that puts both middle
//                   values into their places
//   LOSS_SQUARED    use the squared loss instead of the absolute one
//   HALF_VIEWS      half of the views may decide instead of all
//   LABELS_AT_ONCE  layers of the grid

#define ABSENT 1e18f  // stands for a view that does not see the position, see loss()

typedef struct {
    float4 wx;
    float4 wy;
    int4 area;   // left, right, top, bottom
    int4 shift;  // x, y, bits of the halves that the view belongs to, 0
} Place;

// VECTOR pixels from (x, y) on, sampled in the view: the vertical sums first.
PLENOSR_FN floatv sample(__global const float* restrict view, int stride, int height, Place p,
                         int x, int y) {
    const int top = y + p.shift.y - 1;
    __global const float* from = view + x + p.shift.x - 1 + VIEW_MARGIN;
    __global const float* r0 = from + clamp(top, 0, height - 1) * stride;
    __global const float* r1 = from + clamp(top + 1, 0, height - 1) * stride;
    __global const float* r2 = from + clamp(top + 2, 0, height - 1) * stride;
    __global const float* r3 = from + clamp(top + 3, 0, height - 1) * stride;
    floatv sum = (floatv)(0.0f);
#define COLUMN(i, weight)                                                  \
    sum += weight * (p.wy.x * LOADV(r0 + (i)) + p.wy.y * LOADV(r1 + (i)) + \
                     p.wy.z * LOADV(r2 + (i)) + p.wy.w * LOADV(r3 + (i)))
    COLUMN(0, p.wx.x);
    COLUMN(1, p.wx.y);
    COLUMN(2, p.wx.z);
    COLUMN(3, p.wx.w);
#undef COLUMN
    return sum;
}

PLENOSR_FN floatv loss(const floatv* value, floatv missing, float tau, floatv allowed,
                       __global const Place* restrict places, float half_extra) {
    const floatv count = (float)VIEWS - missing;
#ifdef LOSS_SQUARED
    floatv sum = (floatv)(0.0f);
    for (int k = 0; k < VIEWS; ++k)
        sum += select((floatv)(0.0f), value[k], (intv)(fabs(value[k]) < 0.5f * ABSENT));
    const floatv plain = sum / max(count, (floatv)(1.0f));
    // The mean of the values near the plain mean; if there are none, the plain mean.
    floatv near = (floatv)(0.0f);
    floatv many = (floatv)(0.0f);
    for (int k = 0; k < VIEWS; ++k) {
        const intv in = (intv)(fabs(value[k] - plain) < 2.0f * tau);
        near += select((floatv)(0.0f), value[k], in);
        many += select((floatv)(0.0f), (floatv)(1.0f), in);
    }
    const floatv mean =
        select(plain, near / max(many, (floatv)(1.0f)), (intv)(many > (floatv)(0.0f)));
    sum = -tau * tau * missing;  // cancels what absent views add below
    for (int k = 0; k < VIEWS; ++k) {
        const floatv e = value[k] - mean;
        sum += min(e * e, (floatv)(tau * tau));
    }
    const floatv all = sum / (max(count - 1.0f, (floatv)(1.0f)) * tau);
#else
    floatv s[VIEWS];
    for (int k = 0; k < VIEWS; ++k)
        s[k] = value[k];
#define X(a, b)                             \
    {                                       \
        const floatv low = min(s[a], s[b]); \
        s[b] = max(s[a], s[b]);             \
        s[a] = low;                         \
    }
    EXCHANGES
#undef X
    // Absent values alternate between the largest and the smallest, the largest first, so that the
    // middle values of all are those of the present ones.
    const floatv above = s[VIEWS / 2];
    const floatv below = s[VIEWS / 2 - 1];
    const floatv odd = count - 2.0f * floor(0.5f * count);
    const floatv median = select(0.5f * (below + above), VIEWS % 2 == 1 ? above : below,
                                 (intv)(odd > (floatv)(0.5f)));
    floatv sum = -tau * missing;
    for (int k = 0; k < VIEWS; ++k)
        sum += min(fabs(value[k] - median), (floatv)(tau));
    floatv all = sum / sqrt(max(count * (count - 1.0f), (floatv)(1.0f)));
#ifdef HALF_VIEWS
    floatv half_sum[8];
    floatv size[8];
    for (int h = 0; h < 8; ++h)
        half_sum[h] = size[h] = (floatv)(0.0f);
    for (int k = 0; k < VIEWS; ++k) {
        const intv present = (intv)(fabs(value[k]) < 0.5f * ABSENT);
        const floatv one = select((floatv)(0.0f), (floatv)(1.0f), present);
        const floatv e = one * min(fabs(value[k] - median), (floatv)(tau));
        const int member = places[k].shift.z;
        for (int h = 0; h < 8; ++h)
            if ((member >> h & 1) != 0) {
                half_sum[h] += e;
                size[h] += one;
            }
    }
    floatv best = (floatv)(1e6f);
    for (int h = 0; h < 8; ++h)  // a half of one view agrees with itself
        best = min(best,
                   select((floatv)(1e6f), half_sum[h] / size[h], (intv)(size[h] > (floatv)(1.5f))));
    all = select(all, min(all, best + half_extra), (intv)(allowed > (floatv)(0.0f)));
#endif
#endif
    return select((floatv)(tau), all, (intv)(count > (floatv)(1.5f)));
}

// cost <- loss over the views, product <- guide times cost.
__kernel void sweep(__global const float* restrict views, int view_stride, int view_size,
                    __global const Place* restrict all_places, int first,
                    __global const float* restrict guide, __global const float* restrict half_views,
                    float tau, float half_extra, int width, int height, int stride,
                    __global float* restrict cost, __global float* restrict product) {
    __global const Place* places = all_places + (first + get_global_id(2)) * VIEWS;
    const size_t layer = get_global_id(2) * (size_t)(stride * height);
    FOR_TILE(x, y, width, height) {
        floatv value[VIEWS];
        floatv missing = (floatv)(0.0f);
        floatv next_absent = (floatv)(ABSENT);
        for (int k = 0; k < VIEWS; ++k) {
            const Place p = places[k];
            const int left = p.area.x;
            const int right = p.area.y;
            const bool inside = y >= p.area.z && y < p.area.w;
            floatv v = next_absent;
            intv seen = (intv)(0);
            if (inside && x + VECTOR > left && x < right) {
                const intv lane = x + LANES;
                seen = (intv)((lane >= left) & (lane < right));
                v = select(next_absent,
                           sample(views + (size_t)k * view_size, view_stride, height, p, x, y),
                           seen);
            }
            value[k] = v;
            missing += select((floatv)(1.0f), (floatv)(0.0f), seen);
            next_absent = select(-next_absent, next_absent, seen);
        }
        const int at = y * stride + x + MARGIN;
        floatv allowed = (floatv)(0.0f);
#ifdef HALF_VIEWS
        allowed = LOADV(half_views + at);
#endif
        const floatv c =
            within(loss(value, missing, tau, allowed, places, half_extra), x, 0, width);
        STOREV(c, cost + layer + at);
        STOREV(c * LOADV(guide + at), product + layer + at);
    }
}

// Sums of two planes over 2 radius + 1 rows, clipped at the border.
__kernel void window_rows(__global const float* restrict a, __global const float* restrict b,
                          int radius, int width, int height, int stride,
                          __global float* restrict sum_a, __global float* restrict sum_b) {
    const size_t layer = get_global_id(2) * (size_t)(stride * height);
    FOR_TILE(x, y, width, height) {
        const size_t at = layer + x + MARGIN;
        floatv sa = (floatv)(0.0f);
        floatv sb = (floatv)(0.0f);
        for (int j = max(y - radius, 0); j <= min(y + radius, height - 1); ++j) {
            sa += LOADV(a + at + j * stride);
            sb += LOADV(b + at + j * stride);
        }
        STOREV(sa, sum_a + at + y * stride);
        STOREV(sb, sum_b + at + y * stride);
    }
}

// Mean over the window, from the sums over its rows.
PLENOSR_FN floatv window_mean(__global const float* restrict sums, int radius, int x, int y,
                              int width, int height) {
    floatv sum = LOADV(sums - radius);
    for (int i = 1 - radius; i <= radius; ++i)
        sum += LOADV(sums + i);
    const int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
    const intv lane = x + LANES;
    const intv columns = min(lane + radius, (intv)(width - 1)) - max(lane - radius, (intv)(0)) + 1;
#if VECTOR == 1
    return sum / (float)(rows * max(columns, 1));
#else
    return sum / PASTE(convert_float, VECTOR)(rows * max(columns, (intv)(1)));
#endif
}

// a = (M(G p) - M G M p) / (variance + epsilon),   b = M p - a M G   (disparity/guided_filter.h)
__kernel void guided_fit(__global const float* restrict sum_p,
                         __global const float* restrict sum_gp,
                         __global const float* restrict guide_mean,
                         __global const float* restrict inverse_variance, int radius, int width,
                         int height, int stride, __global float* restrict a,
                         __global float* restrict b) {
    const size_t layer = get_global_id(2) * (size_t)(stride * height);
    FOR_TILE(x, y, width, height) {
        const int at = y * stride + x + MARGIN;
        const floatv mean_p = window_mean(sum_p + layer + at, radius, x, y, width, height);
        const floatv mean_gp = window_mean(sum_gp + layer + at, radius, x, y, width, height);
        const floatv mean_g = LOADV(guide_mean + at);
        const floatv slope = (mean_gp - mean_g * mean_p) * LOADV(inverse_variance + at);
        STOREV(within(slope, x, 0, width), a + layer + at);
        STOREV(within(mean_p - slope * mean_g, x, 0, width), b + layer + at);
    }
}

// C = M a G + M b in units of 1 / `levels` grey levels, for the labels first … first +
// LABELS_AT_ONCE - 1. A pixel's `stride_labels` labels are adjacent; those from `labels` on cost
// UNREACHABLE.
__kernel void guided_costs(__global const float* restrict sum_a,
                           __global const float* restrict sum_b,
                           __global const float* restrict guide, float levels, float most,
                           int first, int labels, int stride_labels, int radius, int width,
                           int height, int stride, __global ushort* restrict costs) {
    FOR_TILE(x, y, width, height) {
        const int at = y * stride + x + MARGIN;
        const floatv g = LOADV(guide + at);
        float cost[LABELS_AT_ONCE * VECTOR];
        for (int l = 0; l < LABELS_AT_ONCE; ++l) {
            const size_t place = l * (size_t)(stride * height) + at;
            const floatv c = g * window_mean(sum_a + place, radius, x, y, width, height) +
                             window_mean(sum_b + place, radius, x, y, width, height);
            STOREV(max((floatv)(0.0f), min(c * levels + 0.5f, (floatv)(most))), cost + l * VECTOR);
        }
        for (int i = 0; i < VECTOR && x + i < width; ++i) {
            __global ushort* to = costs + ((size_t)(y * width) + x + i) * stride_labels + first;
            for (int l = 0; l < LABELS_AT_ONCE; ++l)
                to[l] = first + l < labels ? (ushort)cost[l * VECTOR + i] : (ushort)UNREACHABLE;
        }
    }
}
