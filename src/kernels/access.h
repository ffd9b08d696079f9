// OpenCL C only: memory access of the kernels. The same kernel bodies serve three memory strategies
// and any vector width; all differences are here.
//
//   VECTOR             floats along x per work-item: 1 on GPUs, 8 on CPUs
//   TILE_W, TILE_H     tile of an image per group, in vectors and rows
//   CELL_W, CELL_H     tile per group in pixels, for kernels whose work-items take single pixels
//   LOCAL_W x LOCAL_H  work-items of a group, which share the tile: on GPUs one per vector, on
//                      CPUs a single one, so that the loop over the tile is inside the kernel
//   STRATEGY_IMAGE     neighbourhoods are read from Image2D objects
//   STRATEGY_LOCAL     neighbourhoods are read from tiles staged in local memory
//   neither            neighbourhoods are read from buffers
//
// Planes (images of the solver) have rows of `stride` floats, a multiple of 16, with zeros after
// the last column. Padded images have PAD_ROWS rows and PAD_COLS columns of zeros around them:
// pixel (x, y) of a padded image lies in memory at (x + PAD_COLS, y + PAD_ROWS).
#pragma once

#ifndef VECTOR
#define VECTOR 1
#endif
#ifndef GROUP
#define GROUP 1
#endif
#ifndef GROUPS
#define GROUPS 64
#endif
#ifndef TILE_W
#define TILE_W 16
#endif
#ifndef TILE_H
#define TILE_H 4
#endif
#ifndef LOCAL_W
#define LOCAL_W 1
#endif
#ifndef LOCAL_H
#define LOCAL_H 1
#endif
#ifndef CELL_W
#define CELL_W 32
#endif
#ifndef CELL_H
#define CELL_H 4
#endif
#define PAD_ROWS 3
#define PAD_COLS 16

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

// ---- vectors along x
#if VECTOR == 1
typedef float floatv;
typedef int intv;
#define LOADV(p) (*(p))
#define STOREV(v, p) (*(p) = (v))
#define LANES 0
PLENOSR_FN float sumv(floatv v) {
    return v;
}
#else
typedef PASTE(float, VECTOR) floatv;
typedef PASTE(int, VECTOR) intv;
#define LOADV(p) PASTE(vload, VECTOR)(0, p)
#define STOREV(v, p) PASTE(vstore, VECTOR)(v, 0, p)
#if VECTOR == 4
#define LANES (int4)(0, 1, 2, 3)
PLENOSR_FN float sumv(floatv v) {
    return (v.s0 + v.s1) + (v.s2 + v.s3);
}
#elif VECTOR == 8
#define LANES (int8)(0, 1, 2, 3, 4, 5, 6, 7)
PLENOSR_FN float sumv(floatv v) {
    const float4 a = v.lo + v.hi;
    return (a.s0 + a.s1) + (a.s2 + a.s3);
}
#else
#define LANES (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
PLENOSR_FN float sumv(floatv v) {
    const float8 a = v.lo + v.hi;
    const float4 b = a.lo + a.hi;
    return (b.s0 + b.s1) + (b.s2 + b.s3);
}
#endif
#endif

// v where the column x + lane is inside [begin, end), otherwise 0.
PLENOSR_FN floatv within(floatv v, int x, int begin, int end) {
    if (x >= begin && x + VECTOR <= end) return v;
    const intv lane = x + LANES;
    return select((floatv)(0.0f), v, (intv)((lane >= begin) & (lane < end)));
}

// Projection on [-t, t]. With u = z + w, z = soft-threshold(u, t) and w = u - z this is w.
PLENOSR_FN floatv clipv(floatv u, floatv t) {
    return fmax(-t, fmin(u, t));
}

// ---- the tile of a group
#define LOCAL_X ((int)get_local_id(0))
#define LOCAL_Y ((int)get_local_id(1))
#define TILE_X ((int)get_group_id(0) * (TILE_W * VECTOR))
#define TILE_Y ((int)get_group_id(1) * TILE_H)
// For each vector of the group's tile inside width x height: pixels (x … x + VECTOR - 1, y).
#define FOR_TILE(x, y, width, height)                                                            \
    for (int y = TILE_Y + LOCAL_Y; y < min(TILE_Y + TILE_H, (int)(height)); y += LOCAL_H)        \
        for (int x = TILE_X + LOCAL_X * VECTOR; x < min(TILE_X + TILE_W * VECTOR, (int)(width)); \
             x += LOCAL_W * VECTOR)
// For each pixel of the group's tile of CELL_W x CELL_H inside width x height.
#define CELL_X ((int)get_group_id(0) * CELL_W)
#define CELL_Y ((int)get_group_id(1) * CELL_H)
#define FOR_CELLS(x, y, width, height)                                                    \
    for (int y = CELL_Y + LOCAL_Y; y < min(CELL_Y + CELL_H, (int)(height)); y += LOCAL_H) \
        for (int x = CELL_X + LOCAL_X; x < min(CELL_X + CELL_W, (int)(width)); x += LOCAL_W)

// ---- planes and padded images whose neighbourhoods are read
#ifdef STRATEGY_IMAGE
#define IMAGE_IN __read_only image2d_t
#define IMAGE_OUT __write_only image2d_t
__constant sampler_t image_sampler =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
PLENOSR_FN float read_at(IMAGE_IN f, int stride, int x, int y) {
    return read_imagef(f, image_sampler, (int2)(x, y)).x;
}
PLENOSR_FN floatv readv_at(IMAGE_IN f, int stride, int x, int y) {
    float v[VECTOR];
    for (int i = 0; i < VECTOR; ++i)
        v[i] = read_at(f, stride, x + i, y);
    return LOADV(v);
}
PLENOSR_FN void write_at(IMAGE_OUT f, int stride, int x, int y, float value) {
    write_imagef(f, (int2)(x, y), (float4)(value, 0.0f, 0.0f, 0.0f));
}
PLENOSR_FN void writev_at(IMAGE_OUT f, int stride, int x, int y, floatv value) {
    float v[VECTOR];
    STOREV(value, v);
    for (int i = 0; i < VECTOR; ++i)
        write_imagef(f, (int2)(x + i, y), (float4)(v[i], 0.0f, 0.0f, 0.0f));
}
#else
#define IMAGE_IN __global const float* restrict
#define IMAGE_OUT __global float* restrict
PLENOSR_FN float read_at(__global const float* f, int stride, int x, int y) {
    return f[y * stride + x];
}
PLENOSR_FN floatv readv_at(__global const float* f, int stride, int x, int y) {
    return LOADV(f + y * stride + x);
}
PLENOSR_FN void write_at(__global float* f, int stride, int x, int y, float value) {
    f[y * stride + x] = value;
}
PLENOSR_FN void writev_at(__global float* f, int stride, int x, int y, floatv value) {
    STOREV(value, f + y * stride + x);
}
#endif
#define PADDED_READ(f, stride, x, y) read_at(f, stride, (x) + PAD_COLS, (y) + PAD_ROWS)
#define PADDED_READV(f, stride, x, y) readv_at(f, stride, (x) + PAD_COLS, (y) + PAD_ROWS)
#define PADDED_WRITE(f, stride, x, y, v) write_at(f, stride, (x) + PAD_COLS, (y) + PAD_ROWS, v)
#define PADDED_WRITEV(f, stride, x, y, v) writev_at(f, stride, (x) + PAD_COLS, (y) + PAD_ROWS, v)

// ---- sums
// A sum in two floats (Knuth's two-sum): `low` keeps what rounding `high` would lose.
typedef struct {
    float high;
    float low;
} Sum;
PLENOSR_FN void sum_add(Sum* s, float v) {
    const float t = s->high + v;
    const float b = t - s->high;
    s->low += (s->high - (t - b)) + (v - b);
    s->high = t;
}

// ---- interpolation: the TAPS weights of one axis as a vector, 2 (bilinear) or 4 (bicubic)
#ifdef TAPS
#if TAPS == 4
typedef float4 taps_t;
#define LOAD_TAPS(p) vload4(0, p)
#define TAP_AT(v, k) ((k) == 0 ? (v).x : (k) == 1 ? (v).y : (k) == 2 ? (v).z : (v).w)
#define SUM_TAPS(v) (((v).x + (v).y) + ((v).z + (v).w))
#define SHIFT_TAPS(v) ((float4)((v).yzw, 0.0f))
// cubic_weights() of pixel.h, all four at once. The law that guards it: samples on a device agree
// with the native engine's (tests/opencl/operators_test.cpp).
PLENOSR_FN float4 tap_weights(float f) {
    const float4 c0 = (float4)(PLENOSR_CUBIC_C0);
    const float4 c1 = (float4)(PLENOSR_CUBIC_C1);
    const float4 c2 = (float4)(PLENOSR_CUBIC_C2);
    const float4 c3 = (float4)(PLENOSR_CUBIC_C3);
    return c0 + f * (c1 + f * (c2 + f * c3));
}
#else
typedef float2 taps_t;
#define LOAD_TAPS(p) vload2(0, p)
#define TAP_AT(v, k) ((k) == 0 ? (v).x : (v).y)
#define SUM_TAPS(v) ((v).x + (v).y)
#define SHIFT_TAPS(v) ((float2)((v).y, 0.0f))
PLENOSR_FN float2 tap_weights(float f) {
    return (float2)(1.0f - f, f);
}
#endif
#endif

// ---- folding: the padded pixels that contribute to an image pixel in the adjoint of a blur
#if defined(RADIUS) && defined(MARGIN)
#define INNER (2 * RADIUS + 1)
#define OUTER (MARGIN + RADIUS + 1)

typedef struct {
    int begin;  // first padded index
    int count;  // of padded indices with a weight
    int kind;   // 0 inside, 1 first, 2 last, 3 the only row or column
} Fold;

PLENOSR_FN Fold fold_of(int i, int size) {
    Fold f;
    if (size == 1) {
        f.begin = 0, f.count = 1 + 2 * MARGIN, f.kind = 3;
    } else if (i == 0) {
        f.begin = 0, f.count = OUTER, f.kind = 1;
    } else if (i == size - 1) {
        f.begin = size - 1 + MARGIN - RADIUS, f.count = OUTER, f.kind = 2;
    } else {
        f.begin = i + MARGIN - RADIUS, f.count = INNER, f.kind = 0;
    }
    return f;
}

// No lane is the first or the last column.
PLENOSR_FN bool is_inner(int x, int width) {
    return x > 0 && x + VECTOR < width;
}
#endif

// ---- a grid of PSFs (PsfGrid of plenosr/psf.h): psfs[row][col][tap]
typedef struct {
    int first;  // node, with the weight 1 - part
    int next;   // node, with the weight part
    float part;
} Between;
PLENOSR_FN Between between(float place, int count) {
    Between b;
    const float inside = clamp(place, 0.0f, (float)(count - 1));
    b.first = max(0, min((int)inside, count - 2));
    b.next = min(b.first + 1, count - 1);
    b.part = inside - (float)b.first;
    return b;
}
// One tap of the PSFs of two neighbouring columns of nodes, interpolated along y.
PLENOSR_FN float2 psf_taps(__global const float* psfs, int taps, int cols, Between down,
                           Between across, int tap) {
    __global const float* above = psfs + (long)(down.first * cols) * taps + tap;
    __global const float* below = psfs + (long)(down.next * cols) * taps + tap;
    const float2 a = (float2)(above[across.first * taps], above[across.next * taps]);
    const float2 b = (float2)(below[across.first * taps], below[across.next * taps]);
    return a + down.part * (b - a);
}
