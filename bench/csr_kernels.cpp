// Compiled for this machine's instruction set and with reassociation, so that the baseline is as
// fast as the compiler can make it. The file has loops only, so that no inline function of a header
// is compiled with these flags.
#include "csr_kernels.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace plenosr::bench {
namespace {

float plain(const float* v, const int* c, int n, const float* x) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += v[k] * x[c[k]];
    return sum;
}

float unrolled(const float* v, const int* c, int n, const float* x) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += v[k] * x[c[k]];
        s1 += v[k + 1] * x[c[k + 1]];
        s2 += v[k + 2] * x[c[k + 2]];
        s3 += v[k + 3] * x[c[k + 3]];
    }
    for (; k < n; ++k)
        s0 += v[k] * x[c[k]];
    return (s0 + s1) + (s2 + s3);
}

#ifdef __AVX2__
float gather(const float* v, const int* c, int n, const float* x) {
    const auto product = [&](int k, __m256 sum) {
        const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(c + k));
        return _mm256_fmadd_ps(_mm256_loadu_ps(v + k), _mm256_i32gather_ps(x, index, 4), sum);
    };
    __m256 s0 = _mm256_setzero_ps();
    __m256 s1 = _mm256_setzero_ps();
    int k = 0;
    for (; k + 16 <= n; k += 16) {
        s0 = product(k, s0);
        s1 = product(k + 8, s1);
    }
    for (; k + 8 <= n; k += 8)
        s0 = product(k, s0);
    const __m256 s = _mm256_add_ps(s0, s1);
    __m128 t = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
    t = _mm_hadd_ps(t, t);
    t = _mm_hadd_ps(t, t);
    float sum = _mm_cvtss_f32(t);
    for (; k < n; ++k)
        sum += v[k] * x[c[k]];
    return sum;
}
#else
float gather(const float* v, const int* c, int n, const float* x) {
    return plain(v, c, n, x);
}
#endif

template <float (*row)(const float*, const int*, int, const float*)>
void multiply(const CsrRows& a, const CsrOutput& out, const float* x, float* y, int begin,
              int end) {
    for (int i = begin; i < end; ++i) {
        const int start = a.starts[i];
        float value = row(a.values + start, a.columns + start, a.starts[i + 1] - start, x);
        value *= out.m ? out.scale * out.m[i] : out.scale;
        y[i] = out.keep != 0 ? out.keep * y[i] + value : value;
    }
}

}  // namespace

void csr_multiply(CsrKernel kernel, const CsrRows& a, const CsrOutput& out, const float* x,
                  float* y, int begin, int end) {
    switch (kernel) {
        case CsrKernel::plain:
            return multiply<plain>(a, out, x, y, begin, end);
        case CsrKernel::unrolled:
            return multiply<unrolled>(a, out, x, y, begin, end);
        case CsrKernel::gather:
            return multiply<gather>(a, out, x, y, begin, end);
    }
}

}  // namespace plenosr::bench
