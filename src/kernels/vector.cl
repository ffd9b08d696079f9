// Steps of the solvers on runs of values: images (planes one after the other) and samples. GROUPS
// groups of GROUP work-items each take an equal, contiguous share.
//
// A scalar is GROUPS partial sums. Each kernel that needs it adds them up in the same order, so no
// scalar has to leave the device. Sums use Kahan's algorithm inside a share and two floats
// (access.h) across shares, because not every device has doubles.

#define SHARE_BEGIN (get_group_id(0) * share + get_local_id(0))
#define SHARE_END min((int)((get_group_id(0) + 1) * share), count)
// For each of the group's vectors; `count` is in vectors.
#define FOR_SHARE(i)                                 \
    const int share = (count + GROUPS - 1) / GROUPS; \
    for (int i = SHARE_BEGIN; i < SHARE_END; i += GROUP)

typedef struct {
    floatv sum;
    floatv lost;
} SumV;
PLENOSR_FN void sumv_add(SumV* s, floatv v) {
    const floatv y = v - s->lost;
    const floatv t = s->sum + y;
    s->lost = (t - s->sum) - y;
    s->sum = t;
}

// The sum over the group, returned to each work-item; scratch holds GROUP values.
PLENOSR_FN Sum group_total(Sum mine, __local Sum* scratch) {
    const int me = get_local_id(0);
    scratch[me] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = GROUP / 2; half_size > 0; half_size /= 2) {
        if (me < half_size) {
            Sum s = scratch[me];
            sum_add(&s, scratch[me + half_size].high);
            s.low += scratch[me + half_size].low;
            scratch[me] = s;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const Sum total = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

PLENOSR_FN void store_partial(SumV s, __global float2* scalar, __local Sum* scratch) {
    Sum mine = {0.0f, 0.0f};
    float lanes[VECTOR];
    STOREV(s.sum, lanes);
    for (int i = 0; i < VECTOR; ++i)
        sum_add(&mine, lanes[i]);
    mine.low -= sumv(s.lost);
    const Sum total = group_total(mine, scratch);
    if (get_local_id(0) == 0) scalar[get_group_id(0)] = (float2)(total.high, total.low);
}

PLENOSR_FN float scalar_value(__global const float2* scalar, __local Sum* scratch) {
    Sum mine = {0.0f, 0.0f};
    for (int i = get_local_id(0); i < GROUPS; i += GROUP) {
        sum_add(&mine, scalar[i].x);
        mine.low += scalar[i].y;
    }
    const Sum total = group_total(mine, scratch);
    return total.high + total.low;
}

// y <- a x + b y.
__kernel void axpby(float a, __global const float* x, float b, __global float* y, int count) {
    FOR_SHARE(i) STOREV(a * LOADV(x + i * VECTOR) + b * LOADV(y + i * VECTOR), y + i * VECTOR);
}

// The plane of y at `offset` <- x + b y.
__kernel void add_plane(float b, __global const float* restrict x, __global float* restrict y,
                        ulong offset, int count) {
    y += offset;
    FOR_SHARE(i) {
        const floatv added = LOADV(x + i * VECTOR);
        STOREV(b == 0.0f ? added : added + b * LOADV(y + i * VECTOR), y + i * VECTOR);
    }
}

__kernel void dot_product(__global const float* a, __global const float* b, int count,
                          __global float2* restrict scalar) {
    __local Sum scratch[GROUP];
    SumV sum = {(floatv)(0.0f), (floatv)(0.0f)};
    FOR_SHARE(i) sumv_add(&sum, LOADV(a + i * VECTOR) * LOADV(b + i * VECTOR));
    store_partial(sum, scalar, scratch);
}

// A scalar from the partial sums that a kernel on images has left.
__kernel void gather_partials(__global const float* restrict partial, int first, int count,
                              __global float2* restrict scalar) {
    __local Sum scratch[GROUP];
    Sum mine = {0.0f, 0.0f};
    const int share = (count + GROUPS - 1) / GROUPS;
    for (int i = SHARE_BEGIN; i < SHARE_END; i += GROUP)
        sum_add(&mine, partial[first + i]);
    const Sum total = group_total(mine, scratch);
    if (get_local_id(0) == 0) scalar[get_group_id(0)] = (float2)(total.high, total.low);
}

// p <- Z r; <r, p>
__kernel void cg_start(__global const float* restrict z, __global const float* restrict r,
                       __global float* restrict p, int count, __global float2* restrict scalar) {
    __local Sum scratch[GROUP];
    SumV sum = {(floatv)(0.0f), (floatv)(0.0f)};
    FOR_SHARE(i) {
        const floatv residual = LOADV(r + i * VECTOR);
        const floatv direction = LOADV(z + i * VECTOR) * residual;
        STOREV(direction, p + i * VECTOR);
        sumv_add(&sum, residual * direction);
    }
    store_partial(sum, scalar, scratch);
}

// alpha = rho / pq (0 once rho <= floor); x <- x + alpha p; r <- r - alpha q; <r, Z r>
__kernel void cg_step(__global const float2* restrict rho, __global const float2* restrict pq,
                      __global const float2* restrict start, float floor_factor,
                      __global const float* restrict p, __global const float* restrict q,
                      __global const float* restrict z, __global float* restrict x,
                      __global float* restrict r, int count, __global float2* restrict scalar) {
    __local Sum scratch[GROUP];
    const float rho_value = scalar_value(rho, scratch);
    const float pq_value = scalar_value(pq, scratch);
    const float smallest = floor_factor * scalar_value(start, scratch);
    const float alpha = rho_value > smallest && pq_value > 0.0f ? rho_value / pq_value : 0.0f;
    SumV sum = {(floatv)(0.0f), (floatv)(0.0f)};
    FOR_SHARE(i) {
        STOREV(LOADV(x + i * VECTOR) + alpha * LOADV(p + i * VECTOR), x + i * VECTOR);
        const floatv residual = LOADV(r + i * VECTOR) - alpha * LOADV(q + i * VECTOR);
        STOREV(residual, r + i * VECTOR);
        sumv_add(&sum, residual * residual * LOADV(z + i * VECTOR));
    }
    store_partial(sum, scalar, scratch);
}

// p <- Z r + (rho_new / rho) p
__kernel void cg_direction(__global const float2* restrict rho_new,
                           __global const float2* restrict rho, __global const float* restrict z,
                           __global const float* restrict r, __global float* restrict p,
                           int count) {
    __local Sum scratch[GROUP];
    const float above = scalar_value(rho_new, scratch);
    const float below = scalar_value(rho, scratch);
    const float beta = below > 0.0f ? above / below : 0.0f;
    FOR_SHARE(i)
    STOREV(LOADV(z + i * VECTOR) * LOADV(r + i * VECTOR) + beta * LOADV(p + i * VECTOR),
           p + i * VECTOR);
}

// z <- 1 / max(z + ridge, smallest) inside the image; the padding stays 0.
__kernel void invert(__global float* restrict z, float ridge, float smallest, int width, int height,
                     int stride) {
    FOR_TILE(x, y, width, height) {
        __global float* at = z + (size_t)y * stride + x;
        STOREV(within(1.0f / fmax(LOADV(at) + ridge, (floatv)(smallest)), x, 0, width), at);
    }
}

__kernel void largest(__global const float* restrict v, int count,
                      __global float2* restrict scalar) {
    __local float scratch[GROUP];
    floatv most = 0.0f;
    FOR_SHARE(i) most = fmax(most, LOADV(v + i * VECTOR));
    float lanes[VECTOR];
    STOREV(most, lanes);
    float mine = 0.0f;
    for (int i = 0; i < VECTOR; ++i)
        mine = fmax(mine, lanes[i]);
    scratch[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) != 0) return;
    for (int i = 1; i < GROUP; ++i)
        mine = fmax(mine, scratch[i]);
    scalar[get_group_id(0)] = (float2)(mine, 0.0f);
}

// ---- samples: y, m, u and ax = A x, in the operator's order

// ax <- ax - y.
__kernel void sample_residual(__global const float* restrict y, __global float* restrict ax,
                              int count) {
    FOR_SHARE(i) STOREV(LOADV(ax + i * VECTOR) - LOADV(y + i * VECTOR), ax + i * VECTOR);
}

// ax <- m (quadratic r + penalty (r - z + w)) with r = ax - y; one proximal and dual step on u
// (solver/backend.h). Sums: m |r|, m r^2, m (r - z)^2, m (z - z_old)^2.
__kernel void data_step(float relax, float old_threshold, float threshold, float quadratic,
                        float penalty, __global const float* restrict y,
                        __global const float* restrict m, __global float* restrict u,
                        __global float* restrict ax, ulong offset, int count,
                        __global float2* restrict scalars) {
    __local Sum scratch[GROUP];
    SumV l1 = {(floatv)(0.0f), (floatv)(0.0f)};
    SumV l2 = l1, primal = l1, dual = l1;
    y += offset, u += offset, ax += offset;
    FOR_SHARE(i) {
        const floatv r = LOADV(ax + i * VECTOR) - LOADV(y + i * VECTOR);
        const floatv weight = LOADV(m + i * VECTOR);
        const floatv u_old = LOADV(u + i * VECTOR);
        const floatv z_old = u_old - clipv(u_old, (floatv)(old_threshold));
        const floatv u_new = u_old + relax * (r - z_old);
        const floatv w = clipv(u_new, (floatv)(threshold));
        const floatv z = u_new - w;
        const floatv gap = r - z;
        STOREV(u_new, u + i * VECTOR);
        STOREV(weight * (quadratic * r + penalty * (gap + w)), ax + i * VECTOR);
        sumv_add(&l1, weight * fabs(r));
        sumv_add(&l2, weight * r * r);
        sumv_add(&primal, weight * gap * gap);
        sumv_add(&dual, weight * (z - z_old) * (z - z_old));
    }
    store_partial(l1, scalars, scratch);
    store_partial(l2, scalars + GROUPS, scratch);
    store_partial(primal, scalars + 2 * GROUPS, scratch);
    store_partial(dual, scalars + 3 * GROUPS, scratch);
}

// The mixture's expectation step (problem/mixture.h): ax = t <- the slope of the cost. Sums:
// m (minus the logarithm of the likelihood), m, m omega.
__constant float erfcx_terms[PLENOSR_ERFCX_TERMS] = {PLENOSR_ERFCX_COEFFICIENTS};
__kernel void mixture_step(float sigma, float impulses, float low, float high, float slack,
                           float robust, float gain, float kappa, __global const float* restrict y,
                           __global const float* restrict m, __global float* restrict ax,
                           ulong offset, int count, __global float2* restrict scalars) {
    __local Sum scratch[GROUP];
    SumV cost = {(floatv)(0.0f), (floatv)(0.0f)};
    SumV total = cost, trusted = cost;
    y += offset, ax += offset;
    FOR_SHARE(i) {
        const floatv t = LOADV(ax + i * VECTOR);
        const floatv value = LOADV(y + i * VECTOR);
        const floatv visible = LOADV(m + i * VECTOR);
        // 1 / sqrt(v)
        const floatv inverse = gain > 0.0f
                                   ? 1.0f / sqrt(sigma * sigma + gain * fmax(t, (floatv)(0.0f)))
                                   : (floatv)(1.0f / sigma);
        // s = (yhat - t) / sqrt(v) inside the limits
        const floatv inner = (value - t) * inverse;
        const floatv size = fabs(inner);
        const floatv near = fmin(size, (floatv)(robust));
        floatv huber = near * (size - 0.5f * near);
        if (gain > 0.0f) huber -= kappa * log(inverse);
        // At a limit: a = distance of t beyond the limit, over sqrt(v)
        const intv at_low = (intv)(value <= low + slack);
        const intv at_limit = (intv)(at_low | (intv)(value >= high - slack));
        const floatv side = select((floatv)(1.0f), (floatv)(-1.0f), at_low);
        const floatv limit = select((floatv)(high - 0.5f), (floatv)(low + 0.5f), at_low);
        const floatv a = side * (t - limit) * inverse;
        const floatv x = 0.70710678f * fabs(a);
        const floatv q = 1.0f / (1.0f + 0.5f * x);
        floatv sum = erfcx_terms[PLENOSR_ERFCX_TERMS - 1];
        for (int k = PLENOSR_ERFCX_TERMS - 2; k >= 0; --k)
            sum = sum * q + erfcx_terms[k];
        const floatv erfcx = q * exp(sum);
        const floatv bell = exp(fmax(-x * x, (floatv)(-80.0f)));
        const floatv tail = 0.5f * bell * erfcx;  // Phi(-|a|)
        const intv below = (intv)(a < 0.0f);
        const floatv probability = select(1.0f - tail, tail, below);
        const floatv ratio = select(0.39894228f * bell / (1.0f - tail), 0.79788456f / erfcx, below);
        const floatv likely = (1.0f - impulses) * fmax(probability, (floatv)(1e-30f));
        const floatv either = likely + 0.5f * impulses;
        const floatv s = select(inner, side * ratio, at_limit);
        const floatv omega = select((floatv)(1.0f), likely / either, at_limit);
        const floatv h = fmin((floatv)(1.0f), robust / fmax(fabs(s), (floatv)(1e-6f)));
        const floatv trust = visible * omega * h;
        floatv slope = trust * s * inverse;
        if (gain > 0.0f) {
            const floatv square = select(near * size - kappa, -h * a * ratio, at_limit);
            const floatv growth = select((floatv)(0.0f), (floatv)(0.5f * gain), (intv)(t > 0.0f));
            slope += visible * omega * growth * inverse * inverse * square;
        }
        STOREV(-slope, ax + i * VECTOR);
        sumv_add(&cost, visible * select(huber, -log(either), at_limit));
        sumv_add(&total, visible);
        sumv_add(&trusted, trust);
    }
    store_partial(cost, scalars, scratch);
    store_partial(total, scalars + GROUPS, scratch);
    store_partial(trusted, scalars + 2 * GROUPS, scratch);
}

// c <- m (1 / v + gain^2 / (2 v^2)) at the mean t of the channels (problem/mixture.h)
__kernel void curvature(float sigma, float gain, int channels, ulong channel_step,
                        __global const float* restrict m, __global const float* restrict t,
                        __global float* restrict c, int count) {
    FOR_SHARE(i) {
        floatv mean = LOADV(t + i * VECTOR);
        for (int k = 1; k < channels; ++k)
            mean += LOADV(t + k * channel_step + i * VECTOR);
        mean /= (float)channels;
        const floatv precision = 1.0f / (sigma * sigma + gain * fmax(mean, (floatv)(0.0f)));
        const floatv growth =
            select((floatv)(0.0f), (floatv)(0.5f * gain * gain), (intv)(mean > 0.0f));
        STOREV(LOADV(m + i * VECTOR) * precision * (1.0f + growth * precision), c + i * VECTOR);
    }
}

// ax <- m (quadratic r + lambda1 sign r) with r = ax - y. Sums: m |r|, m r^2.
__kernel void data_gradient(float lambda1, float quadratic, __global const float* restrict y,
                            __global const float* restrict m, __global float* restrict ax,
                            ulong offset, int count, __global float2* restrict scalars) {
    __local Sum scratch[GROUP];
    SumV l1 = {(floatv)(0.0f), (floatv)(0.0f)};
    SumV l2 = l1;
    y += offset, ax += offset;
    FOR_SHARE(i) {
        const floatv r = LOADV(ax + i * VECTOR) - LOADV(y + i * VECTOR);
        const floatv weight = LOADV(m + i * VECTOR);
        STOREV(weight * (quadratic * r + lambda1 * sign(r)), ax + i * VECTOR);
        sumv_add(&l1, weight * fabs(r));
        sumv_add(&l2, weight * r * r);
    }
    store_partial(l1, scalars, scratch);
    store_partial(l2, scalars + GROUPS, scratch);
}
