#include <fmt/format.h>

#include "backends/cpu/backend.h"
#include "backends/cpu/blur.h"
#include "backends/cpu/simd_rows.h"
#include "backends/cpu/stencil.h"
#include "benches.h"
#include "cases.h"
#include "interleave.h"
#include "steps.h"

namespace plenosr::bench {
namespace {

void profile_case(const Case& c, const Options& o) {
    Problem problem = make_problem(c);
    problem.normal = NormalForm::stencil_f16;
    cpu::Backend b(problem, o.threads);
    const std::vector<float> start = start_image(c);
    Steps<cpu::Backend> steps(b, start);

    // The parts of one product with A'MA, which the backend computes in one call.
    cpu::Parallel& parallel = b.parallel();
    const SamplePositions at = sample_positions(problem);
    const cpu::Blur blur(problem.psf, problem.width, problem.height);
    const cpu::Sampler sampler(blur.padded_shape(), Interpolation::bicubic, at.positions,
                               problem.scale);
    cpu::Stencil stencil(blur.padded_shape(), sampler.taps());
    stencil.assemble(sampler, at.weights.data(), parallel);
    cpu::PaddedImage blurred(blur.padded_shape());
    cpu::PaddedImage spread(blur.padded_shape());
    cpu::Differences prior(problem.width, problem.height, problem.directions);

    cpu::Vector x = b.upload(start);
    cpu::Vector p = b.upload(start);
    cpu::Vector q = b.new_image();
    cpu::Vector r = b.upload(start);
    cpu::Vector z = b.new_image();
    cpu::Vector s = b.new_samples();
    cpu::Vector u_data = b.new_samples();
    cpu::Vector u_prior = b.new_field();
    cpu::Vector e = b.new_weights();
    b.inverse_diagonal(0.07, 0.005, 0.0, z);
    b.weights(x, e);
    const ProxParameters prox{1.7, 8.6, 8.6};
    double sink = 0;

    struct Part {
        const char* name;
        int calls;  // per ADMM iteration
        std::function<void()> run;
    };
    const std::vector<Part> parts = {
        {"blur, B p", 5, [&] { blur.forward(p.data(), blurred, parallel); }},
        {"stencil, N (B p)", 5, [&] { stencil.apply(blurred, spread, parallel); }},
        {"blur adjoint, B' t", 5, [&] { blur.adjoint(spread, q.data(), parallel); }},
        {"S'S p and dot product", 5,
         [&] {
             sink += parallel.sum(problem.height, 8, [&](int y) {
                 float* row = q.data() + std::ptrdiff_t(y) * problem.width;
                 prior.add_normal_row(0.005F, p.data(), y, row);
                 return cpu::dot_row(row, p.data() + std::ptrdiff_t(y) * problem.width,
                                     problem.width);
             });
         }},
        {"x, r update", 5, [&] { sink += b.cg_step(1e-6, 1.0, 0.0, p, q, z, x, r); }},
        {"p update", 4, [&] { b.cg_direction(0.0, 1.0, z, r, p); }},
        {"edge weights", 1, [&] { b.weights(x, e); }},
        {"A x", 1, [&] { b.forward(x, s); }},
        {"data prox", 1, [&] { sink += b.data_step(prox, 0.02, 0.05, u_data, s).l1; }},
        {"prior prox", 1, [&] { sink += b.prior_step(prox, x, e, e, u_prior).l1; }},
        {"A' s", 1, [&] { b.adjoint(s, q); }},
        {"prior force", 1, [&] { b.add_prior_force(0.005, 8.6, x, e, u_prior, q); }},
        {"negation, start of CG", 1,
         [&] {
             b.axpby(0.0, r, -1.0, r);
             sink += b.cg_start(z, r, p);
         }},
    };
    Interleave race;
    for (const Part& part : parts)
        race.add(part.name, [&] { return seconds_of(5, part.run); });
    race.add("normal", [&] { return seconds_of(5, [&] { sink += b.normal(0.07, 0.005, p, q); }); });
    race.add("iteration", [&] { return seconds_of(2, [&] { steps.admm_iteration(); }); });
    const std::vector<Timing> timings = race.run(o.rounds);

    fmt::print(
        "\n### ×{}, {} views, radius {}\n\n| part | ms | times | ms per iteration | share |\n"
        "|---|---|---|---|---|\n",
        c.scale, c.views(), c.radius);
    double total = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
        total += parts[i].calls * timings[i].best;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double all = parts[i].calls * timings[i].best;
        fmt::print("| {} | {:.3f} | {} | {:.2f} | {:.0f} % |\n", parts[i].name,
                   1e3 * timings[i].best, parts[i].calls, 1e3 * all, 100 * all / total);
    }
    fmt::print("| sum of the parts | | | {:.2f} | |\n", 1e3 * total);
    fmt::print("| B'NB p + S'S p + dot product in one call | {:.3f} | | | |\n",
               1e3 * timings[parts.size()].best);
    fmt::print("| a whole iteration | | | {:.2f} | |\n", 1e3 * timings[parts.size() + 1].best);
    if (sink == 0.5) fmt::print("\n");  // the sums are used
}

}  // namespace

void profile(const Options& o) {
    fmt::print(
        "## Where the time of an ADMM iteration goes\n\n5 CG steps, 16-bit stencil, best of "
        "{} interleaved rounds.\n",
        o.rounds);
    for (const Case& c : {Case{4, 5, 1}, Case{4, 5, 2}, Case{2, 5, 1}, Case{2, 5, 2}}) {
        Case here = c;
        here.size = o.size;
        profile_case(here, o);
    }
}

}  // namespace plenosr::bench
