#include "csr_matrix.h"

#include "interleave.h"

namespace plenosr::bench {

CsrMatrix::CsrMatrix(SparseRows matrix, const cpu::Parallel& parallel)
    : matrix_(std::move(matrix)) {
    matrix_.makeCompressed();
    const int parts = 4 * parallel.threads();
    const int* starts = matrix_.outerIndexPtr();
    for (int i = 0; i <= parts; ++i) {
        const auto wanted = std::int64_t(entries()) * i / parts;
        parts_.push_back(int(std::lower_bound(starts, starts + rows(), int(wanted)) - starts));
    }
    parts_.back() = rows();
}

std::size_t CsrMatrix::bytes() const {
    return entries() * (sizeof(float) + sizeof(int)) + std::size_t(rows() + 1) * sizeof(int);
}

CsrMatrix CsrMatrix::transposed(const cpu::Parallel& parallel) const {
    return {SparseRows(matrix_.transpose()), parallel};
}

CsrMatrix CsrMatrix::times(const CsrMatrix& right, const cpu::Parallel& parallel) const {
    return {SparseRows(matrix_ * right.matrix_), parallel};
}

void CsrMatrix::multiply(CsrKernel kernel, const float* x, float* y, const cpu::Parallel& parallel,
                         const CsrOutput& out) const {
    const CsrRows rows{matrix_.valuePtr(), matrix_.innerIndexPtr(), matrix_.outerIndexPtr()};
    parallel.ranges(int(parts_.size()) - 1, 1, [&](int begin, int end) {
        csr_multiply(kernel, rows, out, x, y, parts_[std::size_t(begin)], parts_[std::size_t(end)]);
    });
}

void CsrMatrix::multiply_by_eigen(const float* x, float* y, const cpu::Parallel& parallel) const {
    const Eigen::Map<const Eigen::VectorXf> in(x, cols());
    Eigen::Map<Eigen::VectorXf> result(y, rows());
    parallel.ranges(int(parts_.size()) - 1, 1, [&](int begin, int end) {
        const int first = parts_[std::size_t(begin)];
        const int count = parts_[std::size_t(end)] - first;
        result.segment(first, count).noalias() = matrix_.middleRows(first, count) * in;
    });
}

std::vector<CsrMatrix::Tried> CsrMatrix::choose_kernel(const cpu::Parallel& parallel) {
    const std::vector<float> x(std::size_t(cols()), 1.0F);
    std::vector<float> y(std::size_t(rows()), 0.0F);
    Interleave race;
    const auto enter = [&](const char* name, CsrKernel kernel) {
        race.add(name, [&, kernel] {
            return seconds_of(1, [&] { multiply(kernel, x.data(), y.data(), parallel, {}); });
        });
    };
    enter("plain loop", CsrKernel::plain);
    enter("four sums", CsrKernel::unrolled);
    enter("gathers", CsrKernel::gather);
    race.add("Eigen", [&] {
        return seconds_of(1, [&] { multiply_by_eigen(x.data(), y.data(), parallel); });
    });
    const std::vector<Timing> timings = race.run(3);
    std::vector<Tried> tried;
    for (const Timing& t : timings)
        tried.push_back({t.name, t.best});
    const auto best = std::min_element(timings.begin(), timings.begin() + 3,
                                       [](auto& a, auto& b) { return a.best < b.best; });
    kernel_ = CsrKernel(best - timings.begin());
    return tried;
}

}  // namespace plenosr::bench
