#include "backends/opencl/backend.h"

#include <algorithm>

#include "psf/psf_factors.h"

namespace plenosr::opencl {
namespace {

PaddedShape padded_shape(const Problem& problem) {
    return PaddedShape::for_sampling({problem.width, problem.height}, psf_radius(problem.psf));
}
PaddedShape padded_shape(const ProblemShape& s) {
    return PaddedShape::for_sampling({s.width, s.height}, s.blur_radius);
}

constexpr int most_terms = 4;  // sums that one kernel leaves: data_step has the most
// Smallest value of the diagonal that is inverted, as a share of the largest. Chosen by reasoning:
// far below the diagonal of any observed pixel.
constexpr float smallest_share = 1e-6F;

std::size_t term_bytes(const Tuning& tuning) {
    return most_terms * Scalars::slot_bytes(tuning);
}

}  // namespace

MemoryPlan Backend::memory(const ProblemShape& s, const Tuning& tuning) {
    const PaddedShape padded = padded_shape(s);
    const int samples = int(s.samples());
    return data_operator_memory(s, tuning)
        .add(padded.bytes(), 2)
        .add(Differences::memory(tuning, padded.image, s.channels))
        .add(Weights::memory(padded, s.channels, s.adaptive))
        .add(Scalars::slot_bytes(tuning), Scalars::usual_slots)
        .add(term_bytes(tuning))
        .add(vector_bytes(std::size_t(s.channels), samples))      // y
        .add(vector_bytes(1, samples), s.varying_noise ? 2 : 1);  // m, curvature
}

MemoryPlan Backend::vector_memory(const ProblemShape& s, const VectorCount& count) {
    const std::size_t channels = std::size_t(s.channels);
    const std::size_t rows = std::size_t(s.height);
    return MemoryPlan()
        .add(vector_bytes(channels * rows, s.width), count.images)
        .add(vector_bytes(channels, int(s.samples())), count.samples)
        .add(vector_bytes(channels * s.directions * rows, s.width), count.fields)
        .add(vector_bytes(s.weight_planes * rows, s.width), count.weights);
}

MemoryPlan Backend::diagonal_memory(const ProblemShape& s) {
    return Blur::memory(s.blur_radius, s.psf_values, padded_shape(s).margin, false);
}

Backend::Backend(Device& device, const Problem& problem)
    : device_(device),
      shape_{problem.width, problem.height},
      channels_(problem.channels),
      weight_planes_(int(problem.weights.planes(problem.directions.size()))),
      padded_{new_padded_image(device, padded_shape(problem)),
              new_padded_image(device, padded_shape(problem))},
      data_(make_data_operator(device, problem, padded_)),
      prior_(device, shape_, problem.channels, problem.directions,
             problem.weights.patch.has_value()),
      weights_(device, problem.weights, problem.directions, padded_shape(problem),
               problem.channels),
      scalars_(device),
      term_sums_(device.new_buffer(term_bytes(device.tuning()))) {
    for (const Direction& d : problem.directions)
        largest_weight_ = std::max(largest_weight_, double(d.weight));
    const auto kernel = [&](const char* name) {
        return device.kernel("vector", name, tile_defines(device.tuning()));
    };
    axpby_ = kernel("axpby");
    dot_ = kernel("dot_product");
    residual_ = kernel("sample_residual");
    data_step_ = kernel("data_step");
    mixture_step_ = kernel("mixture_step");
    curvature_step_ = kernel("curvature");
    data_gradient_ = kernel("data_gradient");
    cg_start_ = kernel("cg_start");
    cg_step_ = kernel("cg_step");
    cg_direction_ = kernel("cg_direction");
    invert_ = kernel("invert");
    largest_ = kernel("largest");

    // The observation and the weight of each stored sample.
    y_ = new_samples();
    m_ = new_vector(1, data_->samples());
    std::vector<float> values(std::size_t(channels_) * samples());
    std::vector<float> m(samples());
    const std::size_t low = problem.observations.front().values.pixels();
    for (std::size_t i = 0; i < samples(); ++i) {
        const std::uint32_t place = data_->order()[i];
        const Observation& o = problem.observations[place / low];
        const std::size_t pixel = place % low;
        for (std::size_t c = 0; c < std::size_t(channels_); ++c)
            values[c * samples() + i] = o.values.values[pixel * std::size_t(channels_) + c];
        m[i] = o.weight.empty() ? 1.0F : o.weight.values[pixel];
    }
    upload(values, y_);
    set_sample_weights(m);
}

void Backend::set_sample_weights(std::span<const float> m) {
    taking_part_ = std::size_t(std::count_if(m.begin(), m.end(), [](float w) { return w > 0.0F; }));
    device_.write_rows(m_.memory, m.data(), int(m.size()), 1, m_.stride);
    data_->set_weights(m_.memory);
}

Vector Backend::new_vector(int rows, int width) {
    return {device_.new_buffer(vector_bytes(std::size_t(rows), width)), rows, width,
            vector_stride(width)};
}

Vector Backend::upload(std::span<const float> planes) {
    Vector v = new_image();
    upload(planes, v);
    return v;
}

void Backend::upload(std::span<const float> values, Vector& v) {
    if (!values.empty()) device_.write_rows(v.memory, values.data(), v.width, v.rows, v.stride);
}

std::vector<float> Backend::download(const Vector& v) {
    std::vector<float> values(std::size_t(v.rows) * std::size_t(v.width));
    if (!values.empty()) device_.read_rows(v.memory, values.data(), v.width, v.rows, v.stride);
    return values;
}

Grid Backend::run(std::size_t arrays, const Vector& v) const {
    Grid grid = run_grid(device_.tuning());
    grid.bytes = arrays * v.size() * sizeof(float);
    return grid;
}

void Backend::copy(const Vector& from, Vector& to) {
    device_.copy(from.memory, to.memory, from.size() * sizeof(float));
}

void Backend::axpby(double a, const Vector& x, double b, Vector& y) {
    axpby_(run(3, y), float(a), x.memory, float(b), y.memory, vectors(y));
}

Scalar Backend::dot(const Vector& a, const Vector& b) {
    const Scalar result = scalars_.next();
    dot_(run(2, a), a.memory, b.memory, vectors(a), *result.partial_sums);
    return result;
}

void Backend::forward(const Vector& x, Vector& s) {
    for (int c = 0; c < channels_; ++c)
        data_->forward(prior_.reader(), x.memory, c, s.memory,
                       std::size_t(c) * std::size_t(s.stride));
}

void Backend::residual(Vector& s) {
    residual_(run(3, s), y_.memory, s.memory, vectors(s));
}

void Backend::adjoint(const Vector& s, Vector& g) {
    for (int c = 0; c < channels_; ++c)
        data_->adjoint(s.memory, std::size_t(c) * std::size_t(s.stride), g.memory, c);
}

void Backend::weights(const Vector& x, Vector& e) {
    weights_.compute(prior_.reader(), x.memory, padded_.first, padded_.second, e.memory);
}

TermSums Backend::data_step(const ProxParameters& prox, double quadratic, double penalty, Vector& u,
                            Vector& s) {
    TermSums sums;
    for (int c = 0; c < channels_; ++c) {
        data_step_(run(6, m_), float(prox.relax), float(prox.old_threshold), float(prox.threshold),
                   float(quadratic), float(penalty), y_.memory, m_.memory, u.memory, s.memory,
                   std::size_t(c) * std::size_t(s.stride), vectors(m_), term_sums_);
        const std::vector<double> terms = scalars_.sums(term_sums_, 4);
        sums.l1 += terms[0];
        sums.l2 += terms[1];
        sums.primal += terms[2];
        sums.dual += terms[3];
    }
    return sums;
}

MixtureSums Backend::mixture_step(const Mixture& mixture, Vector& s) {
    MixtureSums sums;
    for (int c = 0; c < channels_; ++c) {
        mixture_step_(run(4, m_), float(mixture.sigma), float(mixture.impulses),
                      float(mixture.limits.low), float(mixture.limits.high),
                      float(ValueLimits::slack), float(mixture.robust), float(mixture.gain),
                      float(mixture.kappa()), y_.memory, m_.memory, s.memory,
                      std::size_t(c) * std::size_t(s.stride), vectors(m_), term_sums_);
        const std::vector<double> terms = scalars_.sums(term_sums_, 3);
        sums.cost += terms[0];
        sums.weight += terms[1];
        sums.trusted += terms[2];
    }
    return sums;
}

void Backend::set_curvature(const Mixture& mixture, Vector& s) {
    if (curvature_.rows == 0) curvature_ = new_vector(1, data_->samples());
    curvature_step_(run(3, m_), float(mixture.sigma), float(mixture.gain), channels_,
                    std::size_t(s.stride), m_.memory, s.memory, curvature_.memory, vectors(m_));
    data_->set_weights(curvature_.memory);
}

TermSums Backend::prior_step(const ProxParameters& prox, const Vector& x, const Vector& e_old,
                             const Vector& e, Vector& u) {
    return prior_.step(prox, x.memory, e_old.memory, e.memory, u.memory);
}

void Backend::add_prior_force(double theta, double threshold, const Vector& x, const Vector& e,
                              const Vector& u, Vector& g) {
    prior_.add_force(float(theta), float(threshold), x.memory, e.memory, u.memory, g.memory);
}

TermSums Backend::data_gradient(double lambda1, double quadratic, Vector& s) {
    TermSums sums;
    for (int c = 0; c < channels_; ++c) {
        data_gradient_(run(4, m_), float(lambda1), float(quadratic), y_.memory, m_.memory, s.memory,
                       std::size_t(c) * std::size_t(s.stride), vectors(m_), term_sums_);
        const std::vector<double> terms = scalars_.sums(term_sums_, 2);
        sums.l1 += terms[0];
        sums.l2 += terms[1];
    }
    return sums;
}

double Backend::prior_cost(const Vector& x, const Vector& e) {
    return prior_.cost(x.memory, e.memory);
}

void Backend::add_prior_gradient(double c, const Vector& x, const Vector& e, Vector& g) {
    prior_.add_gradient(float(c), x.memory, e.memory, g.memory);
}

void Backend::inverse_diagonal(double data, double prior, double ridge, Vector& z) {
    data_->normal_diagonal(operator_weights(), z.memory);
    prior_.normal_diagonal(float(data), float(prior), z.memory);
    const int plane = int(shape_.size());
    largest_(run(1, z), z.memory, plane / device_.tuning().vector, term_sums_);
    std::vector<cl_float2> most(std::size_t(device_.tuning().groups));
    device_.read(term_sums_, most.data(), most.size() * sizeof(cl_float2));
    float largest = 0;
    for (const cl_float2& m : most)
        largest = std::max(largest, m.s[0]);
    // Pixels without observations get a finite step.
    invert_(pixel_grid(device_.tuning(), shape_.width, shape_.height), z.memory, float(ridge),
            std::max(smallest_share * (largest + float(ridge)), 1e-30F), shape_.width,
            shape_.height, shape_.stride());
    for (int c = 1; c < channels_; ++c)
        device_.copy_within(z.memory, 0, std::size_t(c) * shape_.size() * sizeof(float),
                            shape_.size() * sizeof(float));
}

Scalar Backend::normal(double data, double prior, const Vector& p, Vector& q) {
    for (int c = 0; c < channels_; ++c)
        data_->normal(prior_.reader(), operator_weights(), p.memory, c, q.memory);
    const Scalar result = scalars_.next();
    prior_.normal(float(data), float(prior), p.memory, q.memory, *result.partial_sums);
    return result;
}

Scalar Backend::cg_start(const Vector& z, const Vector& r, Vector& p) {
    const Scalar result = scalars_.next();
    cg_start_(run(3, p), z.memory, r.memory, p.memory, vectors(p), *result.partial_sums);
    return result;
}

Scalar Backend::cg_step(const Scalar& rho, const Scalar& pq, const Scalar& floor, const Vector& p,
                        const Vector& q, const Vector& z, Vector& x, Vector& r) {
    const Scalar result = scalars_.next();
    cg_step_(run(7, x), *rho.partial_sums, *pq.partial_sums, *floor.partial_sums, floor.factor,
             p.memory, q.memory, z.memory, x.memory, r.memory, vectors(x), *result.partial_sums);
    return result;
}

void Backend::cg_direction(const Scalar& rho_new, const Scalar& rho, const Vector& z,
                           const Vector& r, Vector& p) {
    cg_direction_(run(4, p), *rho_new.partial_sums, *rho.partial_sums, z.memory, r.memory, p.memory,
                  vectors(p));
}

}  // namespace plenosr::opencl
