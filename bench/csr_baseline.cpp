#include "csr_baseline.h"

#include <tbb/parallel_for.h>

#include "cases.h"
#include "kernels/pixel.h"

namespace plenosr::bench {
namespace {

using Triplet = Eigen::Triplet<float>;

// B: image -> padded image, the image continued by its border pixels.
SparseRows blur_matrix(const Problem& problem, const cpu::PaddedShape& shape) {
    const Image& k = problem.psf.kernel(0, 0);
    std::vector<Triplet> entries;
    entries.reserve(std::size_t(shape.width()) * std::size_t(shape.height()) * k.pixels());
    for (int y = 0; y < shape.height(); ++y)
        for (int x = 0; x < shape.width(); ++x)
            for (int i = 0; i < k.height; ++i)
                for (int j = 0; j < k.width; ++j) {
                    const int sy = y - shape.margin - (i - k.height / 2);
                    const int sx = x - shape.margin - (j - k.width / 2);
                    entries.emplace_back(y * shape.width() + x,
                                         std::clamp(sy, 0, problem.height - 1) * problem.width +
                                             std::clamp(sx, 0, problem.width - 1),
                                         k.at(i, j));
                }
    SparseRows b(shape.width() * shape.height(), int(problem.pixels()));
    b.setFromTriplets(entries.begin(), entries.end());
    return b;
}

// P: padded image -> samples [begin, end) in the operator's order, bicubic.
SparseRows sampling_matrix(const cpu::PaddedShape& shape, const std::vector<Position>& positions,
                           std::span<const std::uint32_t> order, int begin, int end) {
    SparseRows p(end - begin, shape.width() * shape.height());
    p.reserve(Eigen::VectorXi::Constant(end - begin, 16));
    for (int i = begin; i < end; ++i) {
        const Position& at = positions[order[std::size_t(i)]];
        const int x = std::clamp(at.x + shape.margin - 1, 0, shape.width() - 4);
        const int y = std::clamp(at.y + shape.margin - 1, 0, shape.height() - 4);
        float wx[4];
        float wy[4];
        cubic_weights(at.fx, wx);
        cubic_weights(at.fy, wy);
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k)
                p.insert(i - begin, (y + j) * shape.width() + x + k) = wy[j] * wx[k];
    }
    p.makeCompressed();
    return p;
}

// A = P B, computed in blocks of rows.
SparseRows data_matrix(const Problem& problem) {
    const int margin = problem.psf.width() / 2 + 3;
    const cpu::PaddedShape shape{problem.width, problem.height, margin};
    const SamplePositions samples = sample_positions(problem);
    const cpu::Sampler sampler(shape, Interpolation::bicubic, samples.positions, problem.scale);
    const SparseRows blur = blur_matrix(problem, shape);
    const int rows = int(samples.positions.size());
    constexpr int block = 8192;
    const int blocks = (rows + block - 1) / block;
    std::vector<SparseRows> parts{std::size_t(blocks)};
    tbb::parallel_for(0, blocks, [&](int i) {
        SparseRows part = sampling_matrix(shape, samples.positions, sampler.order(), i * block,
                                          std::min(rows, (i + 1) * block)) *
                          blur;
        // Fractions of 0 give taps of weight 0, which a sparse matrix does not store.
        part.prune([](int, int, float value) { return value != 0.0F; });
        parts[std::size_t(i)] = std::move(part);
    });
    std::int64_t entries = 0;
    for (const SparseRows& part : parts)
        entries += part.nonZeros();
    SparseRows a(rows, int(problem.pixels()));
    a.resizeNonZeros(Eigen::Index(entries));
    int row = 0;
    int at = 0;
    for (SparseRows& part : parts) {
        std::copy_n(part.valuePtr(), part.nonZeros(), a.valuePtr() + at);
        std::copy_n(part.innerIndexPtr(), part.nonZeros(), a.innerIndexPtr() + at);
        for (int i = 0; i < part.rows(); ++i)
            a.outerIndexPtr()[row++] = at + part.outerIndexPtr()[i];
        at += int(part.nonZeros());
        part = SparseRows();
    }
    a.outerIndexPtr()[row] = at;
    return a;
}

// S: image -> field, first differences; rows where the neighbour lies outside are empty.
SparseRows difference_matrix(const Problem& problem) {
    const int plane = int(problem.pixels());
    SparseRows s(plane * int(problem.directions.size()), plane);
    s.reserve(Eigen::VectorXi::Constant(s.rows(), 2));
    int row = 0;
    for (const Direction& d : problem.directions)
        for (int y = 0; y < problem.height; ++y)
            for (int x = 0; x < problem.width; ++x, ++row) {
                const int nx = x + d.dx;
                const int ny = y + d.dy;
                if (nx < 0 || nx >= problem.width || ny < 0 || ny >= problem.height) continue;
                s.insert(row, y * problem.width + x) = -1.0F;
                s.insert(row, ny * problem.width + nx) = 1.0F;
            }
    s.makeCompressed();
    return s;
}

Problem without_stencil(const Problem& problem) {
    Problem p = problem;
    p.normal = NormalForm::direct;
    return p;
}

constexpr int chunk = 4096;

}  // namespace

CsrBackend::CsrBackend(const Problem& problem, int threads)
    : base_(without_stencil(problem), threads),
      directions_(problem.directions),
      plane_(int(problem.pixels())),
      a_(data_matrix(problem), base_.parallel()),
      a_transposed_(a_.transposed(base_.parallel())),
      s_(difference_matrix(problem), base_.parallel()),
      s_transposed_(s_.transposed(base_.parallel())),
      m_(base_.samples()),
      samples_(base_.new_samples()),
      field_(base_.new_field()),
      force_(base_.new_field()) {
    std::size_t i = 0;
    const std::size_t low = problem.observations.front().values.pixels();
    for (const std::uint32_t place : base_.sample_order())
        m_[i++] = problem.observations[place / low].weight.values[place % low];
    row_sums_.resize(std::size_t((plane_ + chunk - 1) / chunk) * directions_.size());
    a_transposed_.choose_kernel(base_.parallel());
    s_.choose_kernel(base_.parallel());
    s_transposed_.choose_kernel(base_.parallel());
}

std::size_t CsrBackend::matrix_bytes() const {
    return a_.bytes() + a_transposed_.bytes() + s_.bytes() + s_transposed_.bytes();
}

void CsrBackend::assemble_prior() {
    s_normal_ = std::make_unique<CsrMatrix>(s_transposed_.times(s_, parallel()));
    s_normal_->choose_kernel(parallel());
}

void CsrBackend::forward(const Vector& x, Vector& s) {
    a_.multiply(x.data(), s.data(), parallel());
}
void CsrBackend::adjoint(const Vector& s, Vector& g) {
    a_transposed_.multiply(s.data(), g.data(), parallel());
}
void CsrBackend::differences(const Vector& x, Vector& u) {
    s_.multiply(x.data(), u.data(), parallel());
}

double CsrBackend::normal(double data, double prior, const Vector& p, Vector& q) {
    a_.multiply(p.data(), samples_.data(), parallel(), {0, 1, m_.data()});
    a_transposed_.multiply(samples_.data(), q.data(), parallel(), {0, float(data)});
    if (s_normal_) {
        s_normal_->multiply(p.data(), q.data(), parallel(), {1, float(prior)});
    } else {
        s_.multiply(p.data(), force_.data(), parallel());
        s_transposed_.multiply(force_.data(), q.data(), parallel(), {1, float(prior)});
    }
    return dot(p, q);
}

template <class Fn>
void CsrBackend::over_field(const Fn& fn) {
    const int per_direction = (plane_ + chunk - 1) / chunk;
    parallel().ranges(per_direction * int(directions_.size()), 1, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const int at = i % per_direction * chunk;
            const std::size_t d = std::size_t(i / per_direction);
            fn(std::size_t(i), directions_[d], d * std::size_t(plane_) + std::size_t(at), at,
               std::min(chunk, plane_ - at));
        }
    });
}

TermSums CsrBackend::prior_step(const ProxParameters& prox, const Vector& x, const Vector& e_old,
                                const Vector& e, Vector& u) {
    differences(x, field_);
    over_field([&](std::size_t i, const Direction& d, std::size_t field, int image, int n) {
        const cpu::ProxStep step{float(prox.relax), float(prox.old_threshold) * d.weight,
                                 float(prox.threshold) * d.weight};
        row_sums_[i] = cpu::prior_step_row(step, field_.data() + field, e_old.data() + image,
                                           e.data() + image, u.data() + field, n);
        row_sums_[i].l1 *= double(d.weight);
    });
    cpu::StepSums total;
    for (const cpu::StepSums& sums : row_sums_)
        total += sums;
    return {total.l1, total.l2, total.primal, total.dual};
}

void CsrBackend::add_prior_force(double theta, double threshold, const Vector&, const Vector& e,
                                 const Vector& u, Vector& g) {
    over_field([&](std::size_t, const Direction& d, std::size_t field, int image, int n) {
        cpu::prior_force_row(float(threshold) * d.weight, field_.data() + field, e.data() + image,
                             u.data() + field, force_.data() + field, n);
    });
    s_transposed_.multiply(force_.data(), g.data(), parallel(), {1, float(theta)});
}

}  // namespace plenosr::bench
