#pragma once

namespace plenosr::bench {

// A sparse matrix by rows: entries starts[i] … starts[i + 1] - 1 belong to row i.
struct CsrRows {
    const float* values;
    const int* columns;
    const int* starts;
};

// The result of a row:  y_i <- keep y_i + scale m_i (A x)_i;  m null: all 1.
struct CsrOutput {
    float keep = 0;
    float scale = 1;
    const float* m = nullptr;
};

enum class CsrKernel {
    plain,     // one loop, vectorised by the compiler
    unrolled,  // four sums side by side
    gather,    // eight at a time, AVX2 gathers (plain without AVX2)
};

// Rows [begin, end).
void csr_multiply(CsrKernel kernel, const CsrRows& a, const CsrOutput& out, const float* x,
                  float* y, int begin, int end);

}  // namespace plenosr::bench
