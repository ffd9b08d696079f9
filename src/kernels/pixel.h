#pragma once

// Per-pixel mathematics shared by all backends: no memory, no devices. This file compiles as C++
// and as OpenCL C, so it keeps to what both understand.

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

// Projection on [-t, t]. With u = z + w, z = soft-threshold(u, t) and w = u - z this is w.
PLENOSR_FN float clip_to(float u, float t) {
    return u < -t ? -t : (u > t ? t : u);
}

#ifndef __OPENCL_C_VERSION__
}  // namespace plenosr
#endif
