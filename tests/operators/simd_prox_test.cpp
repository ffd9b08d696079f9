// The solvers' steps as vector code: every instruction set against the formulas of one sample
// (cases/plain_steps.h) at all short lengths.
#include "backends/cpu/simd_prox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cases/instruction_sets.h"
#include "cases/plain_steps.h"

namespace plenosr::cpu {
namespace {

using test::expect_near;
using test::for_all_lengths;
using test::guard;
using test::guarded;
using test::Values;
namespace plain = test::plain;

double square(double v) {
    return v * v;
}

void expect_sums(const StepSums& actual, const StepSums& expected) {
    EXPECT_NEAR(actual.l1, expected.l1, 1e-5 * expected.l1 + 1e-6);
    EXPECT_NEAR(actual.l2, expected.l2, 1e-5 * expected.l2 + 1e-6);
    EXPECT_NEAR(actual.primal, expected.primal, 1e-5 * expected.primal + 1e-4);
    EXPECT_NEAR(actual.dual, expected.dual, 1e-5 * expected.dual + 1e-4);
}

TEST(SimdProx, PriorStepAndForceAreTheFormulas) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        const ProxStep step{1.7F, 5.0F, 4.0F};
        const Values s = random.vector(size, -20.0F, 20.0F);
        const Values e_old = random.vector(size, 0.2F, 2.0F);
        const Values e = random.vector(size, 0.2F, 2.0F);
        const Values u = random.vector(size, -20.0F, 20.0F);
        Values expected_u(size);
        Values expected_f(size);
        StepSums expected;
        for (std::size_t i = 0; i < size; ++i) {
            const double value = double(s[i]);
            const plain::ProxStep k(1.7, value, double(u[i]), 5 * double(e_old[i]),
                                    4 * double(e[i]));
            expected_u[i] = float(k.u);
            expected_f[i] = float(k.force(value));
            expected +=
                {double(e[i]) * std::abs(value), 0.0, square(value - k.z), square(k.z - k.z_old)};
        }
        Values new_u = guarded(u);
        expect_sums(prior_step_row(step, s.data(), e_old.data(), e.data(), new_u.data(), n),
                    expected);
        expect_near(new_u, expected_u, 1e-5F);
        Values f(size + 1, guard);
        prior_force_row(4.0F, s.data(), e.data(), new_u.data(), f.data(), n);
        expect_near(f, expected_f, 3e-5F);
    });
}

TEST(SimdProx, DataStepIsTheFormula) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        const ProxStep step{1.7F, 20.0F, 18.0F};
        const Values ax = random.vector(size, 0.0F, 255.0F);
        const Values y = random.vector(size, 0.0F, 255.0F);
        const Values m = random.vector(size, 0.0F, 1.0F);
        const Values u = random.vector(size, -60.0F, 60.0F);
        Values expected_u(size);
        Values expected_s(size);
        StepSums expected;
        for (std::size_t i = 0; i < size; ++i) {
            const double r = double(ax[i]) - double(y[i]);
            const double weight = double(m[i]);
            const plain::ProxStep k(1.7, r, double(u[i]), 20, 18);
            expected_u[i] = float(k.u);
            expected_s[i] = float(weight * (0.02 * r + 0.05 * k.force(r)));
            expected += {weight * std::abs(r), weight * square(r), weight * square(r - k.z),
                         weight * square(k.z - k.z_old)};
        }
        Values new_u = guarded(u);
        Values s = guarded(ax);
        expect_sums(data_step(step, 0.02F, 0.05F, y.data(), m.data(), new_u.data(), s.data(), n),
                    expected);
        expect_near(new_u, expected_u, 2e-4F);
        expect_near(s, expected_s, 2e-5F);
    });
}

TEST(SimdProx, GradientsAreTheFormulasAndZeroAtZero) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        Values ax = random.vector(size, 0.0F, 255.0F);
        Values y = random.vector(size, 0.0F, 255.0F);
        y[size / 2] = ax[size / 2];
        const Values m = random.vector(size, 0.0F, 1.0F);
        Values expected(size);
        StepSums sums;
        for (std::size_t i = 0; i < size; ++i) {
            const float r = ax[i] - y[i];
            expected[i] = m[i] * (0.02F * r + 0.9F * float(plain::sign(double(r))));
            sums += {double(m[i] * std::abs(r)), double(m[i] * r * r), 0.0, 0.0};
        }
        Values s = guarded(ax);
        expect_sums(data_gradient(0.9F, 0.02F, y.data(), m.data(), s.data(), n), sums);
        expect_near(s, expected, 1e-5F);
        EXPECT_EQ(s[size / 2], 0.0F);

        double l1 = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const float difference = ax[i] - y[i];
            y[i] = difference;
            expected[i] = 0.3F * m[i] * float(plain::sign(double(difference)));
            l1 += double(m[i] * std::abs(difference));
        }
        Values f(size + 1, guard);
        EXPECT_NEAR(prior_gradient_row(0.3F, y.data(), m.data(), f.data(), n), l1, 1e-5 * l1);
        expect_near(f, expected, 1e-6F);
    });
}

TEST(SimdProx, DifferencesAndLaplacianAreTheFormulas) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        const Values a = random.vector(size);
        const Values b = random.vector(size);
        const Values c = random.vector(size);
        Values first(size);
        Values second(size);
        Values laplacian(size);
        for (std::size_t i = 0; i < size; ++i) {
            first[i] = b[i] - a[i];
            second[i] = a[i] - 2 * b[i] + c[i];
            laplacian[i] = c[i] + 0.7F * (8.0F * a[i] - b[i]);
        }
        Values out(size + 1, guard);
        first_difference_row(a.data(), b.data(), out.data(), n);
        expect_near(out, first, 0.0F);
        second_difference_row(a.data(), b.data(), c.data(), out.data(), n);
        expect_near(out, second, 1e-6F);
        out = guarded(c);
        add_scaled_laplacian_row(0.7F, 8.0F, a.data(), b.data(), out.data(), n);
        expect_near(out, laplacian, 2e-6F);
    });
}

TEST(SimdProx, EdgeWeightsAreTheFormula) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        const Values above = random.vector(size, 0.0F, 60.0F);
        const Values below = random.vector(size, 0.0F, 60.0F);
        const Values here = random.vector(size + 2, 0.0F, 60.0F);  // one more on each side
        const Values occlusion = random.vector(size, 0.0F, 1.0F);
        for (const bool occluded : {false, true}) {
            Values expected(size);
            for (std::size_t i = 0; i < size; ++i) {
                const double gx = 0.5 * double(here[i + 2] - here[i]);
                const double gy = 0.5 * double(below[i] - above[i]);
                expected[i] = float(plain::edge_weight(double(0.2F), 12, gx, gy,
                                                       occluded ? double(occlusion[i]) : 1.0));
            }
            Values e(size + 1, guard);
            const double sum =
                edge_weight_row(0.2F, 12.0F, above.data(), here.data() + 1, below.data(),
                                occluded ? occlusion.data() : nullptr, e.data(), n);
            expect_near(e, expected, 2e-6F);
            EXPECT_NEAR(sum, std::accumulate(expected.begin(), expected.end(), 0.0), 1e-5 * n);
        }
    });
}

}  // namespace
}  // namespace plenosr::cpu
