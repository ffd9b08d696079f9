#include "backends/cpu/paper_form.h"

#include <memory>

namespace plenosr::cpu {
namespace {

using Values = PaperProblem::Values;

Vector to_vector(const Backend& b, const Values& v) {
    return b.upload(std::vector<float>(v.begin(), v.end()));
}

Values to_values(const Vector& v) {
    return {v.data(), v.data() + v.size()};
}

// lambda w_d e, in the order of a field: (channel, direction, y, x)
Values prior_weights(const Problem& p, double lambda, const Vector& e) {
    Values result;
    const std::size_t plane = p.pixels();
    for (int c = 0; c < p.channels; ++c)
        for (std::size_t d = 0; d < p.directions.size(); ++d)
            for (std::size_t i = 0; i < plane; ++i)
                result.push_back(lambda * double(p.directions[d].weight) *
                                 double(e[e.size() > plane ? d * plane + i : i]));
    return result;
}

// m, in the order of the samples of all channels
Values sample_weights(const Problem& p, const Backend& b) {
    Values result;
    for (int c = 0; c < p.channels; ++c)
        for (const std::uint32_t place : b.sample_order()) {
            const Image& weight = p.observations[place / p.low_pixels()].weight;
            result.push_back(weight.empty() ? 1.0 : double(weight.values[place % p.low_pixels()]));
        }
    return result;
}

// The vectors of doubles that an iteration of paper_admm() holds at its peak, counted in its
// source; a double takes twice the bytes of the backend's floats.
std::size_t double_bytes(const VectorBytes& vector) {
    return 2 * (12 * vector.image + 10 * vector.field + 10 * vector.samples);
}

void scale(const Values& factors, Values& v) {
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] *= factors[i];
}

}  // namespace

PaperProblem in_paper_form(const Problem& problem, Backend& backend, double lambda,
                           const Vector& e) {
    Backend* b = &backend;
    const auto on_prior = std::make_shared<const Values>(prior_weights(problem, lambda, e));
    const auto on_data = std::make_shared<const Values>(sample_weights(problem, backend));
    const auto differences =
        std::make_shared<const Differences>(problem.width, problem.height, problem.directions);
    PaperProblem result;
    result.data = [b, on_data](const Values& x) {
        Vector s = b->new_samples();
        b->forward(to_vector(*b, x), s);
        Values values = to_values(s);
        scale(*on_data, values);
        return values;
    };
    result.data_transposed = [b, on_data](Values s) {
        scale(*on_data, s);
        Vector x = b->new_image();
        b->adjoint(to_vector(*b, s), x);
        return to_values(x);
    };
    result.prior = [b, on_prior](const Values& x) {
        Vector u = b->new_field();
        b->differences(to_vector(*b, x), u);
        Values field = to_values(u);
        scale(*on_prior, field);
        return field;
    };
    result.prior_transposed = [b, on_prior, differences, channels = problem.channels,
                               plane = problem.pixels()](Values field) {
        scale(*on_prior, field);
        const Vector u = to_vector(*b, field);
        Vector x = b->new_image();
        for (std::size_t c = 0; c < std::size_t(channels); ++c)
            differences->adjoint(u.data() + c * differences->field_size(), x.data() + c * plane,
                                 b->parallel());
        return to_values(x);
    };
    Vector minus_y = backend.new_samples();
    backend.axpby(0.0, minus_y, 0.0, minus_y);
    backend.residual(minus_y);
    result.y = to_values(minus_y);
    for (std::size_t i = 0; i < result.y.size(); ++i)
        result.y[i] *= -(*on_data)[i];
    return result;
}

SolveSummary solve_in_paper_form(const Problem& problem, Backend& backend,
                                 const SolveOptions& options, Vector& x, const Monitor& monitor) {
    const Objective& f = options.objective;
    const std::size_t channels = std::size_t(problem.channels);
    const Charge doubles(double_bytes(
        {x.bytes(), Vector::bytes_for(backend.samples() * channels),
         Vector::bytes_for(problem.pixels() * problem.directions.size() * channels), 0}));
    Vector e = backend.new_weights();
    backend.weights(x, e);
    PaperProblem paper = in_paper_form(problem, backend, f.lambda, e);
    int iteration = 0;
    paper.reweight = [&](const Values& at) {
        const int n = iteration++;
        if (n == 0 || n > options.reweights) return;
        backend.weights(to_vector(backend, at), e);
        const PaperProblem now = in_paper_form(problem, backend, f.lambda, e);
        paper.prior = now.prior;
        paper.prior_transposed = now.prior_transposed;
    };
    PaperAdmmOptions o;
    o.lambda1 = f.lambda1;
    o.lambda2 = f.lambda2;
    o.theta = 1 / (f.lambda1 * options.data_threshold);
    o.iterations = options.iterations;
    o.cg_steps = options.cg_steps;
    Values values = to_values(x);
    SolveSummary summary = paper_admm(paper, o, values, monitor);
    backend.upload(std::vector<float>(values.begin(), values.end()), x);
    return summary;
}

std::size_t paper_form_bytes(const VectorBytes& vector) {
    // In floats: e, and inside a product an image with samples or a field.
    return double_bytes(vector) + vector.weights + vector.image +
           std::max(vector.field, vector.samples);
}

}  // namespace plenosr::cpu
