// Directional differences S and what the solvers do with them (problem/prior.h):
//   order 1: (S_d x)(p) = x(p + d) - x(p);   order 2: x(p - d) - 2 x(p) + x(p + d)
// and 0 where a neighbour lies outside the image.
//   DIRECTIONS        how many
//   DIRECTION_STEPS   {dx, dy, order} of each, dy >= 0
//   DIRECTION_WEIGHTS w_d of each
//   HALO              how far from p the kernels read x: the largest step, twice that for order 2
__constant int steps[3 * DIRECTIONS] = {DIRECTION_STEPS};
__constant float weights[DIRECTIONS] = {DIRECTION_WEIGHTS};

// Pixels (x … x + VECTOR - 1, y) of a plane in a buffer; 0 outside the image.
PLENOSR_FN floatv load_plane(__global const float* plane, int x, int y, int width, int height,
                             int stride) {
    if (y < 0 || y >= height) return 0.0f;
    if (x >= 0 && x + VECTOR <= stride) return LOADV(plane + y * stride + x);
    float lanes[VECTOR];
    for (int i = 0; i < VECTOR; ++i)
        lanes[i] = x + i >= 0 && x + i < width ? plane[y * stride + x + i] : 0.0f;
    return LOADV(lanes);
}

#ifdef STRATEGY_LOCAL
#define STAGE_STRIDE (TILE_W * VECTOR + 2 * HALO + VECTOR)
#define SOURCE __local const float*
#define SOURCE_ARGUMENT __global const float *restrict image, ulong image_offset, __local float *tile
// Stages the group's pixels and HALO around them; zeros outside the image.
#define STAGE()                                                                              \
    const int stage_x = get_group_id(0) * TILE_W * VECTOR - HALO;                            \
    const int stage_y = get_group_id(1) * TILE_H - HALO;                                     \
    for (int r = get_local_id(1); r < TILE_H + 2 * HALO; r += TILE_H)                        \
        for (int c = get_local_id(0) * VECTOR; c < TILE_W * VECTOR + 2 * HALO;               \
             c += TILE_W * VECTOR)                                                           \
            STOREV(load_plane(image + image_offset, stage_x + c, stage_y + r, width, height, \
                              stride),                                                       \
                   tile + r * STAGE_STRIDE + c);                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                            \
    SOURCE source = tile - stage_y * STAGE_STRIDE - stage_x;
PLENOSR_FN floatv source_at(SOURCE source, int row_offset, int x, int y, int width, int height,
                            int stride) {
    return LOADV(source + y * STAGE_STRIDE + x);
}
#define ROW_OFFSET 0
#else
#define SOURCE FIELD
#define SOURCE_ARGUMENT FIELD source, int row_offset
#define STAGE()
PLENOSR_FN floatv source_at(SOURCE source, int row_offset, int x, int y, int width, int height,
                            int stride) {
    if (x >= 0 && x + VECTOR <= stride && y >= 0 && y < height)
        return readv_at(source, stride, x, row_offset + y);
    float lanes[VECTOR];
    for (int i = 0; i < VECTOR; ++i)
        lanes[i] = x + i >= 0 && x + i < width && y >= 0 && y < height
                       ? read_at(source, stride, x + i, row_offset + y)
                       : 0.0f;
    return LOADV(lanes);
}
#define ROW_OFFSET row_offset
#endif
#define SHAPE_ARGUMENTS int width, int height, int stride
#define SHAPE width, height, stride

// S_d x at the pixels (x … x + VECTOR - 1, y), which may lie outside
PLENOSR_FN floatv difference_at(SOURCE source, int row_offset, int d, int x, int y,
                                SHAPE_ARGUMENTS) {
    const int dx = steps[3 * d];
    const int dy = steps[3 * d + 1];
    const bool second = steps[3 * d + 2] == 2;
    if (y < (second ? dy : 0) || y + dy >= height) return 0.0f;
    const floatv here = source_at(source, row_offset, x, y, SHAPE);
    const floatv ahead = source_at(source, row_offset, x + dx, y + dy, SHAPE);
    if (second) {
        const floatv behind = source_at(source, row_offset, x - dx, y - dy, SHAPE);
        return within(behind - 2.0f * here + ahead, x, abs(dx), width - abs(dx));
    }
    return within(ahead - here, x, max(0, -dx), width - max(0, dx));
}

// sum_d c_d S_d' f_d at (x, y), with f(d, x, y) a macro
#define ADJOINT(sum, f)                                                          \
    for (int d = 0; d < DIRECTIONS; ++d) {                                       \
        const int dx = steps[3 * d];                                             \
        const int dy = steps[3 * d + 1];                                         \
        if (steps[3 * d + 2] == 2)                                               \
            sum += f(d, x - dx, y - dy) - 2.0f * f(d, x, y) + f(d, x + dx, y + dy); \
        else                                                                     \
            sum += f(d, x - dx, y - dy) - f(d, x, y);                            \
    }

#define PIXELS_OR_RETURN                       \
    const int x = get_global_id(0) * VECTOR;   \
    const int y = get_global_id(1);            \
    const bool here = x < width && y < height;

// u_d <- S_d x
__kernel void differences_forward(SHAPE_ARGUMENTS, __global float* restrict u, ulong u_offset,
                                  SOURCE_ARGUMENT) {
    STAGE()
    PIXELS_OR_RETURN
    if (!here) return;
    for (int d = 0; d < DIRECTIONS; ++d)
        STOREV(difference_at(source, ROW_OFFSET, d, x, y, SHAPE),
               u + u_offset + (size_t)(d * height + y) * stride + x);
}

// g <- S' u, where u is 0 wherever S_d x is not defined
__kernel void differences_adjoint(SHAPE_ARGUMENTS, __global const float* restrict u, ulong u_offset,
                                  __global float* restrict g, ulong g_offset) {
    PIXELS_OR_RETURN
    if (!here) return;
    floatv sum = 0.0f;
#define FIELD_AT(d, px, py) \
    load_plane(u + u_offset + (size_t)((d)*height) * stride, px, py, SHAPE)
    ADJOINT(sum, FIELD_AT)
    STOREV(within(sum, x, 0, width), g + g_offset + y * stride + x);
}

// Sums of one group, added in a fixed order into partial[group].
#define GROUP_SUM(value, k)                                                              \
    {                                                                                    \
        scratch[get_local_id(1) * TILE_W + get_local_id(0)] = value;                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                    \
        if (get_local_id(0) == 0 && get_local_id(1) == 0) {                              \
            float total = 0.0f;                                                          \
            for (int i = 0; i < TILE_W * TILE_H; ++i)                                    \
                total += scratch[i];                                                     \
            partial[(k)*partials + (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * \
                                       get_num_groups(0) + get_group_id(0)] = total;     \
        }                                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                    \
    }

// One proximal and dual step on u = z + w (solver/backend.h), with the thresholds
// t w_d e; sums: w_d e |S x|, (s - z)^2, (z - z_old)^2.
__kernel void prior_step(SHAPE_ARGUMENTS, float relax, float old_threshold, float threshold,
                         __global const float* restrict e_old, __global const float* restrict e,
                         __global float* restrict u, ulong u_offset,
                         __global float* restrict partial, int partials,
                         __local float* scratch, SOURCE_ARGUMENT) {
    STAGE()
    PIXELS_OR_RETURN
    floatv l1 = 0.0f, primal = 0.0f, dual = 0.0f;
    if (here) {
        const floatv local_old = old_threshold * LOADV(e_old + y * stride + x);
        const floatv local_e = LOADV(e + y * stride + x);
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            __global float* at = u + u_offset + (size_t)(d * height + y) * stride + x;
            const floatv s = difference_at(source, ROW_OFFSET, d, x, y, SHAPE);
            const floatv u_old = LOADV(at);
            const floatv z_old = u_old - clipv(u_old, weights[d] * local_old);
            const floatv u_new = u_old + relax * (s - z_old);
            const floatv z = u_new - clipv(u_new, weights[d] * threshold * local_e);
            STOREV(u_new, at);
            l1 += weights[d] * local_e * fabs(s);
            primal += (s - z) * (s - z);
            dual += (z - z_old) * (z - z_old);
        }
    }
    GROUP_SUM(sumv(l1), 0)
    GROUP_SUM(sumv(primal), 1)
    GROUP_SUM(sumv(dual), 2)
}

// f_d = s - z + w = s - u + 2 clip(u, t w_d e), 0 where S_d x is not defined (there u is 0 too)
// g <- g + c S' f
__kernel void prior_force(SHAPE_ARGUMENTS, float c, float threshold,
                          __global const float* restrict e, __global const float* restrict u,
                          ulong u_offset, __global float* restrict g, ulong g_offset,
                          SOURCE_ARGUMENT) {
    STAGE()
    PIXELS_OR_RETURN
    if (!here) return;
    floatv sum = 0.0f;
    for (int d = 0; d < DIRECTIONS; ++d) {
        __global const float* field = u + u_offset + (size_t)(d * height) * stride;
        const int dx = steps[3 * d];
        const int dy = steps[3 * d + 1];
        const int order = steps[3 * d + 2];
#pragma unroll
        for (int part = -1; part <= 1; ++part) {  // p - d, p, p + d
            if (part == 1 && order == 1) continue;
            const int px = x + part * dx;
            const int py = y + part * dy;
            const floatv value = load_plane(field, px, py, SHAPE);
            const floatv bound = weights[d] * threshold * load_plane(e, px, py, SHAPE);
            const floatv f = difference_at(source, ROW_OFFSET, d, px, py, SHAPE) - value +
                             2.0f * clipv(value, bound);
            sum += part == 0 ? -(float)order * f : f;
        }
    }
    __global float* out = g + g_offset + y * stride + x;
    STOREV(within(LOADV(out) + c * sum, x, 0, width), out);
}

// g <- g + c S'(w_d e sign(S x))
__kernel void prior_gradient(SHAPE_ARGUMENTS, float c, __global const float* restrict e,
                             __global float* restrict g, ulong g_offset, SOURCE_ARGUMENT) {
    STAGE()
    PIXELS_OR_RETURN
    if (!here) return;
    floatv sum = 0.0f;
#define SLOPE_AT(d, px, py) \
    (weights[d] * load_plane(e, px, py, SHAPE) * \
     sign(difference_at(source, ROW_OFFSET, d, px, py, SHAPE)))
    ADJOINT(sum, SLOPE_AT)
    __global float* out = g + g_offset + y * stride + x;
    STOREV(within(LOADV(out) + c * sum, x, 0, width), out);
}

// sum_d w_d sum e |S_d x|
__kernel void prior_cost(SHAPE_ARGUMENTS, __global const float* restrict e,
                         __global float* restrict partial, int partials, __local float* scratch,
                         SOURCE_ARGUMENT) {
    STAGE()
    PIXELS_OR_RETURN
    floatv l1 = 0.0f;
    if (here)
        for (int d = 0; d < DIRECTIONS; ++d)
            l1 += weights[d] * LOADV(e + y * stride + x) *
                  fabs(difference_at(source, ROW_OFFSET, d, x, y, SHAPE));
    GROUP_SUM(sumv(l1), 0)
}

// q <- a q + b S'S p; partial sums of <p, q>
__kernel void prior_normal(SHAPE_ARGUMENTS, float a, float b, __global float* restrict q,
                           ulong q_offset, __global float* restrict partial, int partials,
                           int first_partial, __local float* scratch, SOURCE_ARGUMENT) {
    STAGE()
    PIXELS_OR_RETURN
    floatv product = 0.0f;
    if (here) {
        floatv sum = 0.0f;
#define DIFFERENCE_AT(d, px, py) difference_at(source, ROW_OFFSET, d, px, py, SHAPE)
        const floatv centre = source_at(source, ROW_OFFSET, x, y, SHAPE);
        const bool inside = x >= HALO && x + VECTOR + HALO <= width && y >= HALO &&
                            y + HALO < height;
        if (inside && HALO == REACH) {  // first differences only
#pragma unroll
            for (int d = 0; d < DIRECTIONS; ++d) {
                const int dx = steps[3 * d];
                const int dy = steps[3 * d + 1];
                sum += source_at(source, ROW_OFFSET, x + dx, y + dy, SHAPE) +
                       source_at(source, ROW_OFFSET, x - dx, y - dy, SHAPE);
            }
            sum = 2.0f * DIRECTIONS * centre - sum;
        } else {
            ADJOINT(sum, DIFFERENCE_AT)
        }
        __global float* out = q + q_offset + y * stride + x;
        const floatv value = within(a * LOADV(out) + b * sum, x, 0, width);
        STOREV(value, out);
        product = value * centre;
    }
    partial += first_partial;
    GROUP_SUM(sumv(product), 0)
}

// z <- a max(z, 0) + b diag(S'S)
__kernel void prior_diagonal(SHAPE_ARGUMENTS, float a, float b, __global float* restrict z) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height) return;
    float count = 0.0f;
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int dx = steps[3 * d];
        const int dy = steps[3 * d + 1];
        const int order = steps[3 * d + 2];
        for (int part = -1; part <= 1; ++part) {  // is S_d x defined at p - d, p, p + d?
            if (part == 1 && order == 1) continue;
            const int px = x + part * dx;
            const int py = y + part * dy;
            const bool ahead = px + dx >= 0 && px + dx < width && py + dy < height;
            const bool behind = order == 1 || (px - dx >= 0 && px - dx < width && py - dy >= 0);
            const bool on = px >= 0 && px < width && py >= 0 && py < height;
            if (ahead && behind && on) count += part == 0 ? (float)(order * order) : 1.0f;
        }
    }
    const size_t at = (size_t)y * stride + x;
    z[at] = a * fmax(z[at], 0.0f) + b * count;
}
