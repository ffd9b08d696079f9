// Laws of the operators on a device, for every strategy: adjoints, the normal operators equal their
// compositions, and agreement with the native engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "backends/cpu/backend.h"
#include "backends/opencl/backend.h"
#include "cases/laws.h"
#include "cases/problems.h"
#include "opencl/on_device.h"

namespace plenosr {
namespace {

using test::Values;

using Parameter = std::tuple<test::ProblemCase, test::Variant>;

// First and second differences, as the priors mix them.
Problem with_orders(Problem problem) {
    problem.directions = window_directions(1);
    for (const Direction& d : window_directions(1, 2))
        problem.directions.push_back(d);
    problem.weights.adaptive = true;
    problem.weights.mean = 0.8F;
    test::RandomValues random(3);
    problem.weights.occlusion = random.vector(problem.pixels(), 0.0F, 1.0F);
    return problem;
}

class OnDevice : public testing::TestWithParam<Parameter> {
protected:
    OnDevice()
        : problem(with_orders(test::make_problem(std::get<0>(GetParam())))),
          device(test::device(std::get<1>(GetParam()))),
          b(device, problem),
          reference(problem, 1),
          image(b.image_size()),
          samples(b.samples() * std::size_t(problem.channels)) {}

    opencl::Vector uploaded(opencl::Vector v, const Values& values) {
        b.upload(values, v);
        return v;
    }
    opencl::Vector image_of(const Values& x) { return uploaded(b.new_image(), x); }
    opencl::Vector samples_of(const Values& s) { return uploaded(b.new_samples(), s); }
    opencl::Vector field_of(const Values& u) { return uploaded(b.new_field(), u); }
    opencl::Vector plane_of(const Values& e) { return uploaded(b.new_weights(), e); }
    static cpu::Vector on_cpu(const Values& v) {
        cpu::Vector result(v.size());
        std::copy(v.begin(), v.end(), result.data());
        return result;
    }
    static Values from_cpu(const cpu::Vector& v) { return {v.data(), v.data() + v.size()}; }

    Values forward(const Values& x) {
        auto s = b.new_samples();
        b.forward(image_of(x), s);
        return b.download(s);
    }
    Values adjoint(const Values& s) {
        auto g = b.new_image();
        b.adjoint(samples_of(s), g);
        return b.download(g);
    }
    // Samples in the order of this backend, reordered as in the other.
    Values reordered(const Values& s) const {
        const std::size_t low = problem.low_pixels() * problem.observations.size();
        Values by_place(low * std::size_t(problem.channels), 0.0F);
        Values result(s.size());
        for (int c = 0; c < problem.channels; ++c) {
            for (std::size_t i = 0; i < b.samples(); ++i)
                by_place[std::size_t(c) * low + b.sample_order()[i]] =
                    s[std::size_t(c) * b.samples() + i];
            for (std::size_t i = 0; i < b.samples(); ++i)
                result[std::size_t(c) * b.samples() + i] =
                    by_place[std::size_t(c) * low + reference.sample_order()[i]];
        }
        return result;
    }

    // An assembled stencil has coefficients of 16 bits.
    double normal_tolerance() const {
        const bool assembled = problem.form == OperatorForm::sampling &&
                               problem.normal != NormalForm::direct &&
                               problem.normal != NormalForm::periodic;
        return assembled ? 1e-3 : 5e-6;
    }

    Problem problem;
    opencl::Device& device;
    opencl::Backend b;
    cpu::Backend reference;
    std::size_t image;
    std::size_t samples;
    test::RandomValues random{17};
};

TEST_P(OnDevice, DataAdjointIsTheTranspose) {
    EXPECT_LE(test::adjoint_error([&](auto& x) { return forward(x); },
                                  [&](auto& s) { return adjoint(s); }, image, samples),
              1e-6);
}

// <S x, S y> = <x, S'S y>, with S'S as the conjugate gradients apply it.
TEST_P(OnDevice, NormalOfTheDifferencesIsTheirComposition) {
    const Values x = random.vector(image);
    const Values y = random.vector(image);
    const auto differences = [&](const Values& v) {
        auto u = b.new_field();
        b.differences(image_of(v), u);
        return b.download(u);
    };
    auto normal = b.new_image();
    b.normal(0.0, 1.0, image_of(y), normal);
    const Values sx = differences(x);
    const Values sy = differences(y);
    const double scale = std::max(1e-30, test::norm(sx) * test::norm(sy));
    EXPECT_NEAR(test::dot(sx, sy) / scale, test::dot(x, b.download(normal)) / scale, 1e-6);
}

TEST_P(OnDevice, SamplesAgreeWithTheNativeEngine) {
    const Values x = random.vector(image, 0.0F, 255.0F);
    ASSERT_EQ(b.samples(), reference.samples());
    auto expected = reference.new_samples();
    reference.forward(on_cpu(x), expected);
    EXPECT_LE(test::relative_difference(reordered(forward(x)), from_cpu(expected)), 1e-6);
}

TEST_P(OnDevice, AdjointAgreesWithTheNativeEngine) {
    const Values s = random.vector(samples);
    auto expected = reference.new_image();
    reference.adjoint(on_cpu(reordered(s)), expected);
    EXPECT_LE(test::relative_difference(adjoint(s), from_cpu(expected)), 2e-6);
}

TEST_P(OnDevice, NormalAgreesWithTheNativeEngineAndReturnsTheProduct) {
    const Values p = random.vector(image);
    auto q = b.new_image();
    const auto scalar = b.normal(1.3, 0.2, image_of(p), q);
    const double pq = b.value(scalar);
    auto expected = reference.new_image();
    const double expected_pq = reference.normal(1.3, 0.2, on_cpu(p), expected);
    const double tolerance = normal_tolerance();
    EXPECT_LE(test::relative_difference(b.download(q), from_cpu(expected)), tolerance);
    EXPECT_NEAR(pq / expected_pq, 1.0, tolerance);
}

TEST_P(OnDevice, InverseDiagonalAgrees) {
    auto z = b.new_image();
    b.inverse_diagonal(1.3, 0.2, 0.1, z);
    auto expected = reference.new_image();
    reference.inverse_diagonal(1.3, 0.2, 0.1, expected);
    EXPECT_LE(test::relative_difference(b.download(z), from_cpu(expected)), 1e-5);
}

TEST_P(OnDevice, WeightsAgree) {
    const Values x = random.vector(image, 90.0F, 140.0F);
    auto e = b.new_weights();
    b.weights(image_of(x), e);
    auto expected = reference.new_weights();
    reference.weights(on_cpu(x), expected);
    EXPECT_LE(test::relative_difference(b.download(e), from_cpu(expected)), 2e-6);
}

TEST_P(OnDevice, PriorStepsAgree) {
    const std::size_t plane = problem.pixels();
    const Values x = random.vector(image, 0.0F, 255.0F);
    const Values e = random.vector(plane, 0.1F, 2.0F);
    const Values e_old = random.vector(plane, 0.1F, 2.0F);
    auto u = b.new_field();
    b.differences(image_of(x), u);
    Values start = b.download(u);
    for (float& v : start)
        v *= 0.7F;
    u = field_of(start);
    auto u_cpu = on_cpu(start);
    const ProxParameters prox{1.7, 3.0, 5.0};
    const TermSums sums = b.prior_step(prox, image_of(x), plane_of(e_old), plane_of(e), u);
    const TermSums expected =
        reference.prior_step(prox, on_cpu(x), on_cpu(e_old), on_cpu(e), u_cpu);
    EXPECT_LE(test::relative_difference(b.download(u), from_cpu(u_cpu)), 2e-6);
    EXPECT_NEAR(sums.l1, expected.l1, 1e-5 * expected.l1 + 1e-9);
    EXPECT_NEAR(sums.primal, expected.primal, 1e-4 * expected.primal + 1e-9);
    EXPECT_NEAR(sums.dual, expected.dual, 1e-4 * expected.dual + 1e-9);

    const Values g0 = random.vector(image);
    auto g = image_of(g0);
    auto g_cpu = on_cpu(g0);
    b.add_prior_force(0.3, 5.0, image_of(x), plane_of(e), u, g);
    reference.add_prior_force(0.3, 5.0, on_cpu(x), on_cpu(e), u_cpu, g_cpu);
    EXPECT_LE(test::relative_difference(b.download(g), from_cpu(g_cpu)), 5e-6);

    b.add_prior_gradient(0.4, image_of(x), plane_of(e), g);
    reference.add_prior_gradient(0.4, on_cpu(x), on_cpu(e), g_cpu);
    EXPECT_LE(test::relative_difference(b.download(g), from_cpu(g_cpu)), 5e-6);
    EXPECT_NEAR(b.prior_cost(image_of(x), plane_of(e)), reference.prior_cost(on_cpu(x), on_cpu(e)),
                1e-5 * std::abs(reference.prior_cost(on_cpu(x), on_cpu(e))) + 1e-9);
}

TEST_P(OnDevice, DataStepsAgree) {
    const Values ax = random.vector(samples, 0.0F, 255.0F);
    const Values u0 = random.vector(samples, -30.0F, 30.0F);
    auto s = samples_of(ax);
    auto u = samples_of(u0);
    auto s_cpu = on_cpu(reordered(ax));
    auto u_cpu = on_cpu(reordered(u0));
    const ProxParameters prox{1.7, 20.0, 15.0};
    const TermSums sums = b.data_step(prox, 0.02, 0.05, u, s);
    const TermSums expected = reference.data_step(prox, 0.02, 0.05, u_cpu, s_cpu);
    EXPECT_LE(test::relative_difference(reordered(b.download(s)), from_cpu(s_cpu)), 2e-6);
    EXPECT_LE(test::relative_difference(reordered(b.download(u)), from_cpu(u_cpu)), 2e-6);
    for (const auto term : {&TermSums::l1, &TermSums::l2, &TermSums::primal, &TermSums::dual})
        EXPECT_NEAR(sums.*term, expected.*term, 1e-5 * expected.*term + 1e-9);

    s = samples_of(ax);
    s_cpu = on_cpu(reordered(ax));
    const TermSums slopes = b.data_gradient(0.8, 0.02, s);
    const TermSums slopes_cpu = reference.data_gradient(0.8, 0.02, s_cpu);
    EXPECT_LE(test::relative_difference(reordered(b.download(s)), from_cpu(s_cpu)), 2e-6);
    EXPECT_NEAR(slopes.l1, slopes_cpu.l1, 1e-5 * slopes_cpu.l1);

    s = samples_of(ax);
    s_cpu = on_cpu(reordered(ax));
    b.residual(s);
    reference.residual(s_cpu);
    EXPECT_LE(test::relative_difference(reordered(b.download(s)), from_cpu(s_cpu)), 1e-6);
}

TEST_P(OnDevice, LikelihoodsAgree) {
    const Values ax = random.vector(samples, -5.0F, 260.0F);
    const Mixture photons{2.0, 0.0, {}, 1.5, 8.5};
    for (const Mixture& mixture : {Mixture{20.0, 0.1, {}}, photons}) {
        auto s = samples_of(ax);
        auto s_cpu = on_cpu(reordered(ax));
        const MixtureSums sums = b.mixture_step(mixture, s);
        const MixtureSums expected = reference.mixture_step(mixture, s_cpu);
        EXPECT_LE(test::relative_difference(reordered(b.download(s)), from_cpu(s_cpu)), 1e-5);
        EXPECT_NEAR(sums.cost, expected.cost, 1e-5 * std::abs(expected.cost));
        EXPECT_NEAR(sums.trusted, expected.trusted, 1e-5 * expected.trusted);
    }
    auto s = samples_of(ax);
    auto s_cpu = on_cpu(reordered(ax));
    b.set_curvature(photons, s);
    reference.set_curvature(photons, s_cpu);
    const Values p = random.vector(image);
    auto q = b.new_image();
    auto q_cpu = reference.new_image();
    b.normal(1.3, 0.01, image_of(p), q);
    reference.normal(1.3, 0.01, on_cpu(p), q_cpu);
    const double tolerance = normal_tolerance();
    EXPECT_LE(test::relative_difference(b.download(q), from_cpu(q_cpu)), tolerance);
}

// On few cases, because each one compiles its own kernels.
class PatchesOnDevice : public OnDevice {};
TEST_P(PatchesOnDevice, WeightsAndTheirStepsAgree) {
    for (const Prior prior : {Prior::nltv, Prior::bswtv}) {
        Problem patches = problem;
        const PriorWeights w = prior_weights(prior);
        patches.directions = prior_directions(prior, 2);
        patches.weights = {true, w.floor, w.gradient, {}, 0.8F, w.patch, {20.0F, 2.0F, 3.0F}};
        opencl::Backend on_device(device, patches);
        cpu::Backend native(patches, 1);
        const Values x = random.vector(image, 90.0F, 140.0F);
        const auto x_device = on_device.upload(x);
        const auto x_cpu = native.upload(x);
        auto e = on_device.new_weights();
        auto e_cpu = native.new_weights();
        on_device.weights(x_device, e);
        native.weights(x_cpu, e_cpu);
        EXPECT_LE(test::relative_difference(on_device.download(e), native.download(e_cpu)), 1e-5);

        auto u = on_device.new_field();
        auto u_cpu = native.new_field();
        const ProxParameters prox{1.7, 3.0, 5.0};
        const TermSums sums = on_device.prior_step(prox, x_device, e, e, u);
        const TermSums expected = native.prior_step(prox, x_cpu, e_cpu, e_cpu, u_cpu);
        EXPECT_NEAR(sums.l1, expected.l1, 1e-5 * expected.l1 + 1e-9);
        EXPECT_LE(test::relative_difference(on_device.download(u), native.download(u_cpu)), 1e-5);
        auto g = on_device.new_image();
        auto g_cpu = native.new_image();
        on_device.add_prior_force(0.3, 5.0, x_device, e, u, g);
        native.add_prior_force(0.3, 5.0, x_cpu, e_cpu, u_cpu, g_cpu);
        on_device.add_prior_gradient(0.4, x_device, e, g);
        native.add_prior_gradient(0.4, x_cpu, e_cpu, g_cpu);
        EXPECT_LE(test::relative_difference(on_device.download(g), native.download(g_cpu)), 2e-5);
        EXPECT_NEAR(on_device.prior_cost(x_device, e), native.prior_cost(x_cpu, e_cpu),
                    1e-5 * native.prior_cost(x_cpu, e_cpu) + 1e-9);
    }
}

TEST_P(OnDevice, ConjugateGradientStepsAgree) {
    const Values r0 = random.vector(image);
    const Values z0 = random.vector(image, 0.1F, 1.0F);
    const Values q0 = random.vector(image);
    const Values x0 = random.vector(image);
    auto p = b.new_image(), x = image_of(x0), r = image_of(r0);
    const auto z = image_of(z0), q = image_of(q0);
    auto p_cpu = reference.new_image(), x_cpu = on_cpu(x0), r_cpu = on_cpu(r0);
    const auto z_cpu = on_cpu(z0), q_cpu = on_cpu(q0);
    const auto rho = b.cg_start(z, r, p);
    const double rho_cpu = reference.cg_start(z_cpu, r_cpu, p_cpu);
    EXPECT_NEAR(b.value(rho) / rho_cpu, 1.0, 1e-6);
    const auto pq = b.dot(p, p);
    const double pq_cpu = reference.dot(p_cpu, p_cpu);
    EXPECT_NEAR(b.value(pq) / pq_cpu, 1.0, 1e-6);
    const auto next = b.cg_step(rho, pq, b.scaled(rho, 1e-8), p, q, z, x, r);
    const double next_cpu =
        reference.cg_step(rho_cpu, pq_cpu, 1e-8 * rho_cpu, p_cpu, q_cpu, z_cpu, x_cpu, r_cpu);
    EXPECT_NEAR(b.value(next) / next_cpu, 1.0, 1e-5);
    b.cg_direction(next, rho, z, r, p);
    reference.cg_direction(next_cpu, rho_cpu, z_cpu, r_cpu, p_cpu);
    b.axpby(0.5, x, -2.0, r);
    reference.axpby(0.5, x_cpu, -2.0, r_cpu);
    EXPECT_LE(test::relative_difference(b.download(x), from_cpu(x_cpu)), 1e-6);
    EXPECT_LE(test::relative_difference(b.download(r), from_cpu(r_cpu)), 1e-6);
    EXPECT_LE(test::relative_difference(b.download(p), from_cpu(p_cpu)), 1e-5);
    // Below the floor, a step changes nothing.
    const Values before = b.download(x);
    b.cg_step(rho, pq, b.scaled(rho, 2.0), p, q, z, x, r);
    EXPECT_EQ(b.download(x), before);
}

bool is_one_of(const char* name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Unless all variants are wanted, two cases run in every variant, the others in one each, in turn.
std::vector<Parameter> cases_and_variants(const std::vector<test::ProblemCase>& cases) {
    const auto& variants = test::variants();
    std::vector<Parameter> result;
    for (std::size_t i = 0; i < cases.size(); ++i)
        for (std::size_t v = 0; v < variants.size(); ++v)
            if (test::all_variants() || v == i % variants.size() ||
                is_one_of(cases[i].name, {"sampling_x2", "chain_x2"}))
                result.emplace_back(cases[i], variants[v]);
    return result;
}

std::vector<test::ProblemCase> cases_for_patches() {
    std::vector<test::ProblemCase> some;
    for (const test::ProblemCase& c : test::problem_cases())
        if (is_one_of(c.name, {"sampling_x2", "sampling_no_blur", "sampling_one_column"}))
            some.push_back(c);
    return some;
}

std::string name_of(const testing::TestParamInfo<Parameter>& test_info) {
    std::ostringstream name;
    name << std::get<0>(test_info.param) << "_" << std::get<1>(test_info.param);
    return name.str();
}

INSTANTIATE_TEST_SUITE_P(Cases, OnDevice,
                         testing::ValuesIn(cases_and_variants(test::problem_cases())), name_of);
INSTANTIATE_TEST_SUITE_P(Some, PatchesOnDevice,
                         testing::ValuesIn(cases_and_variants(cases_for_patches())), name_of);

}  // namespace
}  // namespace plenosr
