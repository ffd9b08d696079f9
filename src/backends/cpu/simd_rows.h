#pragma once

namespace plenosr::cpu {

// Vector code on rows of floats, dispatched at run time to the machine's widest instruction set.
// Inputs and outputs may be unaligned; sums have a fixed order.

// out[x] = sum_a w[a] rows[a][x]
void weighted_rows(const float* const* rows, const float* w, int taps, float* out, int n);

// out[x] = sum_i k[i] in[x + i];  reads in[0 … n + taps - 2]
void correlate_row(const float* in, const float* k, int taps, float* out, int n);

// out[x] += sum_i k[i] in[x + i]
void add_correlated_row(const float* in, const float* k, int taps, float* out, int n);

double dot_row(const float* a, const float* b, int n);

// y <- a x + b y
void axpby_row(float a, const float* x, float b, float* y, int n);

// x <- x + alpha p;  r <- r - alpha q;  returns <r, inverse_diagonal r>
double cg_step_row(float alpha, const float* p, const float* q, const float* inverse_diagonal,
                   float* x, float* r, int n);

// p <- inverse_diagonal r + beta p
void cg_direction_row(float beta, const float* inverse_diagonal, const float* r, float* p, int n);

const char* simd_target();  // name of the instruction set in use

}  // namespace plenosr::cpu
