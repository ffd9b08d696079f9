#pragma once

// Per-pixel mathematics shared by all backends: no memory, no devices. This file compiles as C++
// and as OpenCL C, so it uses only what both languages have.

#ifdef __OPENCL_C_VERSION__
#define PLENOSR_FN static inline
#else
#define PLENOSR_FN inline
namespace plenosr {
#endif

// Keys' cubic convolution (a = -1/2) at fraction f in [0, 1): weights of the taps -1, 0, 1, 2.
PLENOSR_FN void cubic_weights(float f, float w[4]) {
    w[0] = f * (-0.5f + f * (1.0f - 0.5f * f));
    w[1] = 1.0f + f * f * (-2.5f + 1.5f * f);
    w[2] = f * (0.5f + f * (2.0f - 1.5f * f));
    w[3] = f * f * (-0.5f + 0.5f * f);
}

// erfcx(x) = exp(x^2) erfc(x) = q exp(sum_k c_k q^k) with q = 1 / (1 + x / 2), for x >= 0: relative
// error below 2e-7 everywhere, so that tails of the normal distribution do not vanish. The
// coefficients interpolate at the Chebyshev points of q in [0, 1].
#define PLENOSR_ERFCX_TERMS 10
#define PLENOSR_ERFCX_COEFFICIENTS                                                      \
    -1.26551231f, 1.00003777f, 0.373714841f, 0.100654198f, -0.206139561f, 0.336006474f, \
        -1.23176146f, 1.58359673f, -0.872641653f, 0.182045105f

#ifndef __OPENCL_C_VERSION__
}  // namespace plenosr
#endif
