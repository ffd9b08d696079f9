#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace plenosr {

// Solves the symmetric, positive definite system a x = b of n unknowns in place: b <- x. Of `a` the
// lower half is read, and becomes Cholesky's factor. False if it is singular.
template <std::size_t most>
bool solve_in_place(std::array<std::array<double, most>, most>& a, std::array<double, most>& b,
                    std::size_t n = most) {
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j; i < n; ++i) {
            double sum = a[i][j];
            for (std::size_t k = 0; k < j; ++k)
                sum -= a[i][k] * a[j][k];
            if (i == j && !(sum > 1e-12 * (std::abs(a[i][j]) + 1e-300))) return false;
            a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

}  // namespace plenosr
