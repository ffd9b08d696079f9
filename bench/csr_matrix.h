#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "backends/cpu/parallel.h"
#include "csr_kernels.h"

namespace plenosr::bench {

using SparseRows = Eigen::SparseMatrix<float, Eigen::RowMajor, int>;

// An assembled matrix, multiplied by all threads. Threads get rows with equally many entries.
class CsrMatrix {
public:
    CsrMatrix(SparseRows matrix, const cpu::Parallel& parallel);

    int rows() const { return int(matrix_.rows()); }
    int cols() const { return int(matrix_.cols()); }
    std::size_t entries() const { return std::size_t(matrix_.nonZeros()); }
    std::size_t bytes() const;
    CsrMatrix transposed(const cpu::Parallel& parallel) const;
    CsrMatrix times(const CsrMatrix& right, const cpu::Parallel& parallel) const;

    void multiply(const float* x, float* y, const cpu::Parallel& parallel,
                  const CsrOutput& out = {}) const {
        multiply(kernel_, x, y, parallel, out);
    }
    void multiply(CsrKernel kernel, const float* x, float* y, const cpu::Parallel& parallel,
                  const CsrOutput& out) const;
    void multiply_by_eigen(const float* x, float* y, const cpu::Parallel& parallel) const;

    // Times all kernels in turns and keeps the fastest of ours for multiply().
    struct Tried {
        std::string name;
        double seconds;
    };
    std::vector<Tried> choose_kernel(const cpu::Parallel& parallel);

private:
    SparseRows matrix_;
    CsrKernel kernel_ = CsrKernel::plain;
    std::vector<int> parts_;  // first row of each thread
};

}  // namespace plenosr::bench
