#pragma once

// Per-pixel mathematics shared by all backends: no memory, no devices. This file compiles as C++
// and as OpenCL C, so it uses only what both languages have.

#ifdef __OPENCL_C_VERSION__
#define PLENOSR_FN static inline
#define PLENOSR_REAL_FN static inline  // Real is float
typedef float Real;
#else
#define PLENOSR_FN inline
#define PLENOSR_REAL_FN   \
    template <class Real> \
    inline  // Real is float or double
namespace plenosr {
#endif

// Keys' cubic convolution (a = -1/2) at fraction f in [0, 1). The weights of the taps -1, 0, 1, 2
// are the polynomials c0 + f (c1 + f (c2 + f c3)), one row of coefficients for each power of f.
#define PLENOSR_CUBIC_C0 0.0f, 1.0f, 0.0f, 0.0f
#define PLENOSR_CUBIC_C1 -0.5f, 0.0f, 0.5f, 0.0f
#define PLENOSR_CUBIC_C2 1.0f, -2.5f, 2.0f, -0.5f
#define PLENOSR_CUBIC_C3 -0.5f, 1.5f, -1.5f, 0.5f

// The same polynomials without the coefficients that vanish. Vector code evaluates the rows above;
// tests/operators/simd_sampler_test.cpp states that both are equal.
PLENOSR_REAL_FN void cubic_weights(Real f, Real w[4]) {
    w[0] = f * (-0.5f + f * (1.0f - 0.5f * f));
    w[1] = 1.0f + f * f * (-2.5f + 1.5f * f);
    w[2] = f * (0.5f + f * (2.0f - 1.5f * f));
    w[3] = f * f * (-0.5f + 0.5f * f);
}

// Derivatives of cubic_weights() with respect to f.
PLENOSR_REAL_FN void cubic_slopes(Real f, Real w[4]) {
    w[0] = -0.5f + f * (2.0f - 1.5f * f);
    w[1] = f * (-5.0f + 4.5f * f);
    w[2] = 0.5f + f * (4.0f - 4.5f * f);
    w[3] = f * (-1.0f + 1.5f * f);
}

// The disparity at fractions (fx, fy) in [0, 1) between four pixels: a b above, c d below. Bilinear
// if they differ by less than `surface_limit`; else that of the nearest pixel, since a mean of two
// surfaces lies on neither of them.
PLENOSR_FN float disparity_between(float a, float b, float c, float d, float fx, float fy,
                                   float surface_limit) {
    const float upper_low = a < b ? a : b;
    const float upper_high = a < b ? b : a;
    const float lower_low = c < d ? c : d;
    const float lower_high = c < d ? d : c;
    const float low = upper_low < lower_low ? upper_low : lower_low;
    const float high = upper_high > lower_high ? upper_high : lower_high;
    if (high - low < surface_limit)
        return (1.0f - fy) * ((1.0f - fx) * a + fx * b) + fy * ((1.0f - fx) * c + fx * d);
    return fy < 0.5f ? (fx < 0.5f ? a : b) : (fx < 0.5f ? c : d);
}

// erfcx(x) = exp(x^2) erfc(x) = q exp(sum_k c_k q^k) with q = 1 / (1 + x / 2), for x >= 0. The
// relative error is below 2e-7 everywhere, so that tails of the normal distribution do not vanish.
// The coefficients interpolate at the Chebyshev points of q in [0, 1].
#define PLENOSR_ERFCX_TERMS 10
#define PLENOSR_ERFCX_COEFFICIENTS                                                      \
    -1.26551231f, 1.00003777f, 0.373714841f, 0.100654198f, -0.206139561f, 0.336006474f, \
        -1.23176146f, 1.58359673f, -0.872641653f, 0.182045105f

#ifndef __OPENCL_C_VERSION__
}  // namespace plenosr
#endif
