// Directional differences S and the solvers' steps on them (problem/prior.h):
//   order 1: (S_d x)(p) = x(p + d) - x(p);   order 2: x(p - d) - 2 x(p) + x(p + d)
// and 0 where a neighbour lies outside the image.
//
//   DIRECTIONS        number of directions
//   DIRECTION_STEPS   dx, dy, order of each, dy >= 0
//   DIRECTION_WEIGHTS w_d of each
//   DIRECTIONAL       1: e has one plane of weights per direction, 0: one for all directions
//   REACH             the largest step
//   HALO              distance from p up to which x is read: REACH, or 2 REACH with order 2
__constant int steps[3 * DIRECTIONS] = {DIRECTION_STEPS};
__constant float weights[DIRECTIONS] = {DIRECTION_WEIGHTS};
// Loops over few directions are unrolled; with many, compiling would take longer than it saves.
#if DIRECTIONS <= 4
#define UNROLL_DIRECTIONS _Pragma("unroll")
#else
#define UNROLL_DIRECTIONS _Pragma("nounroll")
#endif
// First weight of a direction.
#define WEIGHTS(e, d) ((e) + (size_t)(DIRECTIONAL * (d)*height) * stride)
#define DX(d) steps[3 * (d)]
#define DY(d) steps[3 * (d) + 1]
#define ORDER(d) steps[3 * (d) + 2]

#define SHAPE_ARGUMENTS int width, int height, int stride
#define SHAPE width, height, stride
// All values that are read around these pixels lie inside the image: no bounds checks are needed.
#define IS_INSIDE(x, y) \
    ((x) >= HALO && (x) + VECTOR + HALO <= width && (y) >= HALO && (y) + HALO < height)

// Pixels (x … x + VECTOR - 1, y) of a plane in a buffer; 0 outside the image.
PLENOSR_FN floatv load_plane(bool inside, __global const float* plane, int x, int y,
                             SHAPE_ARGUMENTS) {
    if (!inside && (y < 0 || y >= height)) return 0.0f;
    if (inside || (x >= 0 && x + VECTOR <= stride)) return LOADV(plane + y * stride + x);
    float lanes[VECTOR];
    for (int i = 0; i < VECTOR; ++i)
        lanes[i] = x + i >= 0 && x + i < width ? plane[y * stride + x + i] : 0.0f;
    return LOADV(lanes);
}

#ifdef STRATEGY_LOCAL
#define STAGE_STRIDE (TILE_W * VECTOR + 2 * HALO + VECTOR)
#define SOURCE __local const float*
#define SOURCE_ARGUMENT \
    __global const float *restrict image, ulong image_offset, __local float *restrict tile
// Stages the group's pixels and HALO pixels around them, with zeros outside the image.
#define STAGE()                                                                                  \
    for (int r = LOCAL_Y; r < TILE_H + 2 * HALO; r += LOCAL_H)                                   \
        for (int c = LOCAL_X * VECTOR; c < min(TILE_W * VECTOR, width - TILE_X) + 2 * HALO;      \
             c += LOCAL_W * VECTOR)                                                              \
            STOREV(load_plane(false, image + image_offset, TILE_X - HALO + c, TILE_Y - HALO + r, \
                              SHAPE),                                                            \
                   tile + r * STAGE_STRIDE + c);                                                 \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    SOURCE source = tile + (HALO - TILE_Y) * STAGE_STRIDE + HALO - TILE_X;
#define ROW_OFFSET 0
PLENOSR_FN floatv source_at(bool inside, SOURCE source, int row_offset, int x, int y,
                            SHAPE_ARGUMENTS) {
    return LOADV(source + y * STAGE_STRIDE + x);
}
#else
#define SOURCE IMAGE_IN
#define SOURCE_ARGUMENT IMAGE_IN source, int row_offset
#define STAGE()
#define ROW_OFFSET row_offset
PLENOSR_FN floatv source_at(bool inside, SOURCE source, int row_offset, int x, int y,
                            SHAPE_ARGUMENTS) {
    if (inside || (x >= 0 && x + VECTOR <= stride && y >= 0 && y < height))
        return readv_at(source, stride, x, row_offset + y);
    float lanes[VECTOR];
    for (int i = 0; i < VECTOR; ++i)
        lanes[i] = x + i >= 0 && x + i < width && y >= 0 && y < height
                       ? read_at(source, stride, x + i, row_offset + y)
                       : 0.0f;
    return LOADV(lanes);
}
#endif
#define X_AT(x, y) source_at(inside, source, row_offset, x, y, SHAPE)

// S_d x at the pixels (x … x + VECTOR - 1, y), which may lie outside the image.
PLENOSR_FN floatv difference_at(bool inside, SOURCE source, int row_offset, int d, int x, int y,
                                SHAPE_ARGUMENTS) {
    const int dx = DX(d);
    const int dy = DY(d);
    const bool second = ORDER(d) == 2;
    if (!inside && (y < (second ? dy : 0) || y + dy >= height)) return 0.0f;
    const floatv step = X_AT(x + dx, y + dy) - X_AT(x, y);
    const floatv s = second ? step + X_AT(x - dx, y - dy) - X_AT(x, y) : step;
    if (inside) return s;
    const int before = second ? abs(dx) : max(0, -dx);
    const int after = second ? abs(dx) : max(0, dx);
    return within(s, x, before, width - after);
}

// f_d = s - z + w = s - u + 2 clip(u, t w_d e). It is 0 where S_d x is not defined: u is 0 there.
PLENOSR_FN floatv force_at(bool inside, SOURCE source, int row_offset, int d, float threshold,
                           __global const float* e, __global const float* u, int x, int y,
                           SHAPE_ARGUMENTS) {
    const floatv value = load_plane(inside, u, x, y, SHAPE);
    const floatv bound = weights[d] * threshold * load_plane(inside, WEIGHTS(e, d), x, y, SHAPE);
    return difference_at(inside, source, row_offset, d, x, y, SHAPE) - value +
           2.0f * clipv(value, bound);
}

// sum <- sum + S' f at (x, y), for a macro f(d, x, y).
#define ADD_ADJOINT(sum, f)                                               \
    UNROLL_DIRECTIONS for (int d = 0; d < DIRECTIONS; ++d) {              \
        sum += f(d, x - DX(d), y - DY(d)) - (float)ORDER(d) * f(d, x, y); \
        if (ORDER(d) == 2) sum += f(d, x + DX(d), y + DY(d));             \
    }

// u_d <- S_d x
__kernel void differences_forward(SHAPE_ARGUMENTS, __global float* restrict u, ulong u_offset,
                                  SOURCE_ARGUMENT) {
    STAGE()
    FOR_TILE(x, y, width, height)
    for (int d = 0; d < DIRECTIONS; ++d)
        STOREV(difference_at(false, source, ROW_OFFSET, d, x, y, SHAPE),
               u + u_offset + (size_t)(d * height + y) * stride + x);
}

// partial[group] of term k <- the sum over the group, in a fixed order.
#define GROUP_SUM(value, k)                                                                        \
    {                                                                                              \
        scratch[LOCAL_Y * LOCAL_W + LOCAL_X] = value;                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (LOCAL_X == 0 && LOCAL_Y == 0) {                                                        \
            float total = 0.0f;                                                                    \
            for (int i = 0; i < LOCAL_W * LOCAL_H; ++i)                                            \
                total += scratch[i];                                                               \
            partial[(k)*partials + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = total; \
        }                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    }

// One proximal and dual step on u = z + w (solver/backend.h), with the thresholds t w_d e. Sums:
// w_d e |S x|, (s - z)^2, (z - z_old)^2.
__kernel void prior_step(SHAPE_ARGUMENTS, float relax, float old_threshold, float threshold,
                         __global const float* restrict e_old, __global const float* restrict e,
                         __global float* restrict u, ulong u_offset,
                         __global float* restrict partial, int partials,
                         __local float* restrict scratch, SOURCE_ARGUMENT) {
    STAGE()
    floatv l1 = 0.0f, primal = 0.0f, dual = 0.0f;
    FOR_TILE(x, y, width, height) {
        const bool inside = IS_INSIDE(x, y);
        UNROLL_DIRECTIONS for (int d = 0; d < DIRECTIONS; ++d) {
            const floatv local_old = old_threshold * LOADV(WEIGHTS(e_old, d) + y * stride + x);
            const floatv local_e = LOADV(WEIGHTS(e, d) + y * stride + x);
            __global float* at = u + u_offset + (size_t)(d * height + y) * stride + x;
            const floatv s = inside ? difference_at(true, source, ROW_OFFSET, d, x, y, SHAPE)
                                    : difference_at(false, source, ROW_OFFSET, d, x, y, SHAPE);
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

// g <- g + c S' f
__kernel void prior_force(SHAPE_ARGUMENTS, float c, float threshold,
                          __global const float* restrict e, __global const float* restrict u,
                          ulong u_offset, __global float* restrict g, ulong g_offset,
                          SOURCE_ARGUMENT) {
    STAGE()
    FOR_TILE(x, y, width, height) {
        floatv sum = 0.0f;
#define FORCE_AT(inside, d, px, py)                       \
    force_at(inside, source, ROW_OFFSET, d, threshold, e, \
             u + u_offset + (size_t)((d)*height) * stride, px, py, SHAPE)
#define FORCE_INSIDE(d, px, py) FORCE_AT(true, d, px, py)
#define FORCE_ANYWHERE(d, px, py) FORCE_AT(false, d, px, py)
        if (IS_INSIDE(x, y)) {
            ADD_ADJOINT(sum, FORCE_INSIDE)
        } else {
            ADD_ADJOINT(sum, FORCE_ANYWHERE)
        }
        __global float* out = g + g_offset + y * stride + x;
        STOREV(within(LOADV(out) + c * sum, x, 0, width), out);
    }
}

// g <- g + c S'(w_d e sign(S x))
__kernel void prior_gradient(SHAPE_ARGUMENTS, float c, __global const float* restrict e,
                             __global float* restrict g, ulong g_offset, SOURCE_ARGUMENT) {
    STAGE()
    FOR_TILE(x, y, width, height) {
        floatv sum = 0.0f;
#define SLOPE_AT(d, px, py)                                         \
    (weights[d] * load_plane(false, WEIGHTS(e, d), px, py, SHAPE) * \
     sign(difference_at(false, source, ROW_OFFSET, d, px, py, SHAPE)))
        ADD_ADJOINT(sum, SLOPE_AT)
        __global float* out = g + g_offset + y * stride + x;
        STOREV(within(LOADV(out) + c * sum, x, 0, width), out);
    }
}

// sum_d w_d sum e |S_d x|
__kernel void prior_cost(SHAPE_ARGUMENTS, __global const float* restrict e,
                         __global float* restrict partial, int partials,
                         __local float* restrict scratch, SOURCE_ARGUMENT) {
    STAGE()
    floatv l1 = 0.0f;
    FOR_TILE(x, y, width, height)
    for (int d = 0; d < DIRECTIONS; ++d)
        l1 += weights[d] * LOADV(WEIGHTS(e, d) + y * stride + x) *
              fabs(difference_at(false, source, ROW_OFFSET, d, x, y, SHAPE));
    GROUP_SUM(sumv(l1), 0)
}

// With first differences only, S'S is a Laplacian inside the image.
#if HALO == REACH
#define IS_LAPLACIAN(x, y) IS_INSIDE(x, y)
#else
#define IS_LAPLACIAN(x, y) false
#endif

// q <- a q + b S'S p, with partial sums of <p, q>.
__kernel void prior_normal(SHAPE_ARGUMENTS, float a, float b, __global float* restrict q,
                           ulong q_offset, __global float* restrict partial, int partials,
                           int first_partial, __local float* restrict scratch, SOURCE_ARGUMENT) {
    STAGE()
    floatv product = 0.0f;
    FOR_TILE(x, y, width, height) {
        floatv sum = 0.0f;
        const floatv centre = source_at(false, source, ROW_OFFSET, x, y, SHAPE);
        if (IS_LAPLACIAN(x, y)) {
            floatv others = 0.0f;
#pragma unroll
            for (int d = 0; d < DIRECTIONS; ++d) {
                sum += source_at(true, source, ROW_OFFSET, x + DX(d), y + DY(d), SHAPE);
                others += source_at(true, source, ROW_OFFSET, x - DX(d), y - DY(d), SHAPE);
            }
            sum = 2.0f * DIRECTIONS * centre - (sum + others);
        } else {
#define DIFFERENCE_AT(d, px, py) difference_at(false, source, ROW_OFFSET, d, px, py, SHAPE)
            ADD_ADJOINT(sum, DIFFERENCE_AT)
        }
        __global float* out = q + q_offset + y * stride + x;
        const floatv value = within(a * LOADV(out) + b * sum, x, 0, width);
        STOREV(value, out);
        product += value * centre;
    }
    partial += first_partial;
    GROUP_SUM(sumv(product), 0)
}

// Whether S_d x is defined at (x, y).
PLENOSR_FN bool is_defined(int d, int x, int y, int width, int height) {
    const bool ahead = x + DX(d) >= 0 && x + DX(d) < width && y + DY(d) < height;
    const bool behind = ORDER(d) == 1 || (x - DX(d) >= 0 && x - DX(d) < width && y - DY(d) >= 0);
    return ahead && behind && x >= 0 && x < width && y >= 0 && y < height;
}

// z <- a max(z, 0) + b diag(S'S)
__kernel void prior_diagonal(SHAPE_ARGUMENTS, float a, float b, __global float* restrict z) {
    FOR_CELLS(x, y, width, height) {
        float count = 0.0f;
        for (int d = 0; d < DIRECTIONS; ++d) {
            if (is_defined(d, x, y, width, height)) count += (float)(ORDER(d) * ORDER(d));
            if (is_defined(d, x - DX(d), y - DY(d), width, height)) count += 1.0f;
            if (ORDER(d) == 2 && is_defined(d, x + DX(d), y + DY(d), width, height)) count += 1.0f;
        }
        const size_t at = (size_t)y * stride + x;
        z[at] = a * fmax(z[at], 0.0f) + b * count;
    }
}
