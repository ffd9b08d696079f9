#include "backends/cpu/backend.h"

#include <cstring>

#include "backends/cpu/simd_rows.h"

namespace plenosr::cpu {
namespace {

constexpr int chunk = 4096;  // samples; each chunk has its own sum, and chunks are added in order

// Smallest diagonal entry of the preconditioner, relative to the largest: bounds the step at pixels
// that no sample observes. Chosen by reasoning, not tuned.
constexpr double smallest_share = 1e-6;

// Calls fn(sample, observation, low-resolution pixel) for each stored sample.
template <class Fn>
void for_each_sample(const Problem& problem, std::span<const std::uint32_t> order, const Fn& fn) {
    const std::size_t low = problem.low_pixels();
    for (std::size_t i = 0; i < order.size(); ++i)
        fn(i, problem.observations[order[i] / low], order[i] % low);
}

TermSums to_terms(const StepSums& s) {
    return {s.l1, s.l2, s.primal, s.dual};
}

ProxStep to_step(const ProxParameters& p) {
    return {float(p.relax), float(p.old_threshold), float(p.threshold)};
}

}  // namespace

Backend::Backend(const Problem& problem, int threads)
    : parallel_(threads),
      width_(problem.width),
      height_(problem.height),
      channels_(problem.channels),
      plane_(problem.pixels()),
      data_(make_data_operator(problem)),
      prior_(problem.width, problem.height, problem.directions, problem.weights.patch.has_value()),
      weights_(problem.weights, problem.directions, problem.width, problem.height,
               problem.channels) {
    y_ = new_samples();
    m_ = Vector(samples());
    for_each_sample(problem, data_->order(),
                    [&](std::size_t i, const Observation& o, std::size_t pixel) {
                        m_[i] = o.weight.empty() ? 1.0F : o.weight.values[pixel];
                        for (int c = 0; c < channels_; ++c)
                            y_[std::size_t(c) * samples() + i] =
                                o.values.values[pixel * std::size_t(channels_) + std::size_t(c)];
                    });
    chunk_sums_.resize((y_.size() + chunk - 1) / chunk + std::size_t(channels_));
    mixture_sums_.resize(chunk_sums_.size());
    row_dots_.resize(std::size_t(height_));
    data_->set_weights(m_.data(), parallel_);
}

void Backend::set_sample_weights(std::span<const float> m) {
    std::copy(m.begin(), m.end(), m_.data());
    data_->set_weights(m_.data(), parallel_);
}

std::size_t Backend::samples_taking_part() const {
    const auto m = m_.view();
    return std::size_t(std::count_if(m.begin(), m.end(), [](float w) { return w > 0.0F; }));
}

OperatorBytes Backend::bytes_for(const ProblemShape& s) {
    OperatorBytes bytes = data_operator_bytes(s);
    const std::size_t y = Vector::bytes_for(s.samples() * std::size_t(s.channels));
    const std::size_t m = Vector::bytes_for(s.samples());
    bytes.kept += Weights::bytes_for(s) + y + m + (s.varying_noise ? m : 0);
    return bytes;
}

VectorBytes Backend::vector_bytes(const ProblemShape& s) {
    const std::size_t channels = std::size_t(s.channels);
    return {Vector::bytes_for(s.pixels() * channels), Vector::bytes_for(s.samples() * channels),
            Vector::bytes_for(s.pixels() * s.directions * channels),
            Vector::bytes_for(s.pixels() * s.weight_planes)};
}

std::size_t Backend::diagonal_bytes(const ProblemShape& s) {
    return Vector::bytes_for(s.pixels());
}

std::size_t Backend::operator_bytes() const {
    return data_->bytes() + weights_.bytes() + y_.bytes() + m_.bytes() + curvature_.bytes();
}

double Backend::largest_direction_weight() const {
    float largest = 0;
    for (const Direction& d : prior_.directions())
        largest = std::max(largest, d.weight);
    return double(largest);
}

Vector Backend::upload(std::span<const float> planes) const {
    Vector v(planes.size());
    upload(planes, v);
    return v;
}

void Backend::upload(std::span<const float> planes, Vector& v) const {
    std::copy(planes.begin(), planes.end(), v.data());
}

template <class Fn>
double Backend::sum_over_rows(const Fn& fn) {
    return parallel_.sum(height_ * channels_, 16, [&](int row) {
        return fn(std::size_t(row) * std::size_t(width_), width_);
    });
}

void Backend::copy(const Vector& from, Vector& to) {
    std::memcpy(to.data(), from.data(), from.bytes());
}

void Backend::axpby(double a, const Vector& x, double b, Vector& y) {
    parallel_.ranges(int(x.size() / std::size_t(width_)), 16, [&](int begin, int end) {
        const std::size_t at = std::size_t(begin) * std::size_t(width_);
        axpby_row(float(a), x.data() + at, float(b), y.data() + at, (end - begin) * width_);
    });
}

double Backend::dot(const Vector& a, const Vector& b) {
    return sum_over_rows(
        [&](std::size_t at, int n) { return dot_row(a.data() + at, b.data() + at, n); });
}

void Backend::forward(const Vector& x, Vector& s) {
    for (int c = 0; c < channels_; ++c)
        data_->forward(x.data() + std::size_t(c) * plane_, s.data() + std::size_t(c) * samples(),
                       parallel_);
}

void Backend::residual(Vector& s) {
    parallel_.ranges(int((s.size() + chunk - 1) / chunk), 1, [&](int begin, int end) {
        const std::size_t at = std::size_t(begin) * chunk;
        const int n = int(std::min(s.size(), std::size_t(end) * chunk) - at);
        axpby_row(-1.0F, y_.data() + at, 1.0F, s.data() + at, n);
    });
}

void Backend::adjoint(const Vector& s, Vector& g) {
    for (int c = 0; c < channels_; ++c)
        data_->adjoint(s.data() + std::size_t(c) * samples(), g.data() + std::size_t(c) * plane_,
                       parallel_);
}

void Backend::differences(const Vector& x, Vector& u) {
    for (int c = 0; c < channels_; ++c)
        prior_.forward(x.data() + std::size_t(c) * plane_,
                       u.data() + std::size_t(c) * prior_.field_size(), parallel_);
}

void Backend::weights(const Vector& x, Vector& e) {
    weights_.compute(x.data(), e.data(), parallel_);
}

template <class Sums, class Fn>
Sums Backend::sum_over_samples(std::vector<Sums>& chunk_sums, const Fn& fn) {
    const int per_channel = int((samples() + chunk - 1) / chunk);
    const int chunks = per_channel * channels_;
    parallel_.ranges(chunks, 1, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const std::size_t local = std::size_t(i % per_channel) * chunk;
            const int n = int(std::min<std::size_t>(chunk, samples() - local));
            chunk_sums[std::size_t(i)] =
                fn(std::size_t(i / per_channel) * samples() + local, local, n);
        }
    });
    Sums total;
    for (int i = 0; i < chunks; ++i)
        total += chunk_sums[std::size_t(i)];
    return total;
}

TermSums Backend::data_step(const ProxParameters& prox, double quadratic, double penalty, Vector& u,
                            Vector& s) {
    return to_terms(sum_over_samples(chunk_sums_, [&](std::size_t at, std::size_t local, int n) {
        return cpu::data_step(to_step(prox), float(quadratic), float(penalty), y_.data() + at,
                              m_.data() + local, u.data() + at, s.data() + at, n);
    }));
}

MixtureSums Backend::mixture_step(const Mixture& mixture, Vector& s) {
    const MixtureStep step = to_step(mixture);
    const MixtureRunSums sums =
        sum_over_samples(mixture_sums_, [&](std::size_t at, std::size_t local, int n) {
            return cpu::mixture_step(step, y_.data() + at, m_.data() + local, s.data() + at, n);
        });
    return {sums.cost, sums.weight, sums.trusted};
}

void Backend::set_curvature(const Mixture& mixture, Vector& s) {
    if (curvature_.size() == 0) curvature_ = Vector(samples());
    // The channels share the operator, hence the curvature, which is taken at their mean.
    for (int c = 1; c < channels_; ++c)
        axpby_row(1.0F, s.data() + std::size_t(c) * samples(), 1.0F, s.data(), int(samples()));
    axpby_row(0.0F, s.data(), 1.0F / float(channels_), s.data(), int(samples()));
    curvature_run(to_step(mixture), m_.data(), s.data(), curvature_.data(), int(samples()));
    data_->set_weights(curvature_.data(), parallel_);
}

TermSums Backend::data_gradient(double lambda1, double quadratic, Vector& s) {
    return to_terms(sum_over_samples(chunk_sums_, [&](std::size_t at, std::size_t local, int n) {
        return cpu::data_gradient(float(lambda1), float(quadratic), y_.data() + at,
                                  m_.data() + local, s.data() + at, n);
    }));
}

TermSums Backend::prior_step(const ProxParameters& prox, const Vector& x, const Vector& e_old,
                             const Vector& e, Vector& u) {
    StepSums total;
    for (int c = 0; c < channels_; ++c)
        total += prior_.step(to_step(prox), x.data() + std::size_t(c) * plane_, e_old.data(),
                             e.data(), u.data() + std::size_t(c) * prior_.field_size(), parallel_);
    return to_terms(total);
}

void Backend::add_prior_force(double theta, double threshold, const Vector& x, const Vector& e,
                              const Vector& u, Vector& g) {
    for (int c = 0; c < channels_; ++c)
        prior_.add_force(float(theta), float(threshold), x.data() + std::size_t(c) * plane_,
                         e.data(), u.data() + std::size_t(c) * prior_.field_size(),
                         g.data() + std::size_t(c) * plane_, parallel_);
}

double Backend::prior_cost(const Vector& x, const Vector& e) {
    double total = 0;
    for (int c = 0; c < channels_; ++c)
        total += prior_.cost(x.data() + std::size_t(c) * plane_, e.data(), parallel_);
    return total;
}

void Backend::add_prior_gradient(double c, const Vector& x, const Vector& e, Vector& g) {
    for (int i = 0; i < channels_; ++i)
        prior_.add_gradient(float(c), x.data() + std::size_t(i) * plane_, e.data(),
                            g.data() + std::size_t(i) * plane_, parallel_);
}

void Backend::inverse_diagonal(double data, double prior, double ridge, Vector& z) {
    Vector differences(plane_);
    prior_.normal_diagonal(differences.data());
    data_->normal_diagonal(z.data(), parallel_);
    double largest = 0;
    for (std::size_t i = 0; i < plane_; ++i) {
        z[i] = float(data * double(std::max(z[i], 0.0F)) + prior * double(differences[i]) + ridge);
        largest = std::max(largest, double(z[i]));
    }
    const float smallest = float(std::max(smallest_share * largest, 1e-30));
    for (std::size_t i = 0; i < plane_; ++i)
        z[i] = 1.0F / std::max(z[i], smallest);
    for (int c = 1; c < channels_; ++c)
        std::memcpy(z.data() + std::size_t(c) * plane_, z.data(), plane_ * sizeof(float));
}

double Backend::normal(double data, double prior, const Vector& p, Vector& q) {
    double total = 0;
    for (int c = 0; c < channels_; ++c) {
        const float* pc = p.data() + std::size_t(c) * plane_;
        data_->normal(float(data), pc, q.data() + std::size_t(c) * plane_, parallel_,
                      [&](int y, float* row) {
                          prior_.add_normal_row(float(prior), pc, y, row);
                          row_dots_[std::size_t(y)] =
                              dot_row(row, pc + std::size_t(y) * std::size_t(width_), width_);
                      });
        for (const double dot : row_dots_)
            total += dot;
    }
    return total;
}

double Backend::cg_start(const Vector& z, const Vector& r, Vector& p) {
    return sum_over_rows([&](std::size_t at, int n) {
        cg_direction_row(0.0F, z.data() + at, r.data() + at, p.data() + at, n);
        return dot_row(r.data() + at, p.data() + at, n);
    });
}

double Backend::cg_step(double rho, double pq, double floor, const Vector& p, const Vector& q,
                        const Vector& z, Vector& x, Vector& r) {
    const float alpha = rho > floor && pq > 0 ? float(rho / pq) : 0.0F;
    return sum_over_rows([&](std::size_t at, int n) {
        return cg_step_row(alpha, p.data() + at, q.data() + at, z.data() + at, x.data() + at,
                           r.data() + at, n);
    });
}

void Backend::cg_direction(double rho_new, double rho, const Vector& z, const Vector& r,
                           Vector& p) {
    const float beta = rho > 0 ? float(rho_new / rho) : 0.0F;
    parallel_.ranges(height_ * channels_, 16, [&](int begin, int end) {
        const std::size_t at = std::size_t(begin) * std::size_t(width_);
        cg_direction_row(beta, z.data() + at, r.data() + at, p.data() + at, (end - begin) * width_);
    });
}

}  // namespace plenosr::cpu
