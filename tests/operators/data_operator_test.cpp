// Laws of A: adjoint, linearity, A'MA equals its composition and is symmetric, results do not
// depend on the number of threads.
#include "backends/cpu/data_operator.h"

#include <gtest/gtest.h>

#include "cases/laws.h"
#include "cases/problems.h"

namespace plenosr::cpu {
namespace {

using test::Values;

class DataOperatorLaws : public testing::TestWithParam<test::ProblemCase> {
protected:
    DataOperatorLaws()
        : problem(test::make_problem(GetParam())),
          parallel(2),
          a(make_data_operator(problem)),
          pixels(problem.pixels()),
          m(a->samples()) {
        const std::size_t low = std::size_t(GetParam().low_width * GetParam().low_height);
        for (std::size_t i = 0; i < m.size(); ++i) {
            const Observation& o = problem.observations[a->order()[i] / low];
            m[i] = o.weight.empty() ? 1.0F : o.weight.values[a->order()[i] % low];
        }
        a->set_weights(m.data(), parallel);
    }
    Values forward(const Values& x) {
        Values s(a->samples());
        a->forward(x.data(), s.data(), parallel);
        return s;
    }
    Values adjoint(const Values& s) {
        Values x(pixels);
        a->adjoint(s.data(), x.data(), parallel);
        return x;
    }
    Values normal(const Values& x, const Parallel& threads) {
        Values q(pixels);
        a->normal(1.0F, x.data(), q.data(), threads, [](int, float*) {});
        return q;
    }

    Problem problem;
    Parallel parallel;
    std::unique_ptr<DataOperator> a;
    std::size_t pixels;
    Values m;
};

TEST_P(DataOperatorLaws, AdjointIsTheTranspose) {
    for (const std::uint64_t seed : {1U, 2U, 3U})
        EXPECT_LE(
            test::adjoint_error([&](auto& x) { return forward(x); },
                                [&](auto& s) { return adjoint(s); }, pixels, a->samples(), seed),
            1e-6);
}

TEST_P(DataOperatorLaws, IsLinear) {
    EXPECT_LE(test::linearity_error([&](auto& x) { return forward(x); }, pixels), 2e-6);
}

TEST_P(DataOperatorLaws, NormalEqualsItsComposition) {
    test::RandomValues random(11);
    const Values x = random.vector(pixels);
    Values s = forward(x);
    for (std::size_t i = 0; i < s.size(); ++i)
        s[i] *= m[i];
    const double tolerance = GetParam().normal == NormalForm::stencil_f16 ? 5e-4 : 3e-6;
    EXPECT_LE(test::relative_difference(normal(x, parallel), adjoint(s)), tolerance);
}

TEST_P(DataOperatorLaws, NormalIsSymmetric) {
    const auto n = [&](const Values& x) { return normal(x, parallel); };
    EXPECT_LE(test::adjoint_error(n, n, pixels, pixels), 1e-6);
}

TEST_P(DataOperatorLaws, ConstantImageGivesConstantSamples) {
    for (const float s : forward(Values(pixels, 100.0F)))
        ASSERT_NEAR(s, 100.0F, 1e-3F);
}

TEST_P(DataOperatorLaws, ThreadsChangeNoBit) {
    test::RandomValues random(12);
    const Values x = random.vector(pixels);
    const Values samples = random.vector(a->samples());
    const Parallel one(1);
    Values s1(a->samples());
    Values g1(pixels);
    a->forward(x.data(), s1.data(), one);
    a->adjoint(samples.data(), g1.data(), one);
    const Values q1 = normal(x, one);
    for (const int threads : {2, 7}) {
        const Parallel many(threads);
        Values s(a->samples());
        Values g(pixels);
        a->forward(x.data(), s.data(), many);
        a->adjoint(samples.data(), g.data(), many);
        a->set_weights(m.data(), many);
        EXPECT_EQ(s, s1);
        EXPECT_EQ(g, g1);
        EXPECT_EQ(normal(x, many), q1);
    }
}

TEST_P(DataOperatorLaws, DiagonalEstimateIsPositiveAndOfTheRightSize) {
    Values estimate(pixels);
    a->normal_diagonal(estimate.data(), parallel);
    // e_i' A'MA e_i for a few pixels. The estimate ignores the overlap of interpolation taps and
    // the sums at replicated borders: it is good enough for a preconditioner.
    double exact_sum = 0;
    double estimate_sum = 0;
    for (std::size_t i = 0; i < pixels; i += std::max<std::size_t>(1, pixels / 40)) {
        Values unit(pixels, 0.0F);
        unit[i] = 1.0F;
        exact_sum += double(normal(unit, parallel)[i]);
        estimate_sum += double(std::max(estimate[i], 0.0F));
    }
    EXPECT_GT(estimate_sum, 0.1 * exact_sum);
    EXPECT_LT(estimate_sum, 4.0 * exact_sum);
}

INSTANTIATE_TEST_SUITE_P(Cases, DataOperatorLaws, testing::ValuesIn(test::problem_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plenosr::cpu
