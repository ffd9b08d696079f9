// Vector code: every instruction set against plain scalar code at all short lengths, and whole
// operators on one set against another.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "backends/cpu/data_operator.h"
#include "backends/cpu/simd_prox.h"
#include "backends/cpu/simd_rows.h"
#include "cases/laws.h"
#include "cases/problems.h"

namespace plenosr::cpu {
namespace {

using test::Values;

// The engine's instruction sets that this machine has.
std::vector<std::int64_t> targets() {
    std::vector<std::int64_t> list;
#if HWY_ARCH_X86
    for (const std::int64_t target : {std::int64_t(HWY_SSSE3), std::int64_t(HWY_AVX2)})
        if ((hwy::SupportedTargets() & target) != 0) list.push_back(target);
#else
    list.push_back(HWY_STATIC_TARGET);
#endif
    return list;
}

// While it lives, vector functions use this instruction set alone.
class UseTarget {
public:
    explicit UseTarget(std::int64_t target) { choose(target); }
    ~UseTarget() { choose(0); }
    UseTarget(const UseTarget&) = delete;
    UseTarget& operator=(const UseTarget&) = delete;

private:
    static void choose(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();  // the choice is remembered; forget it
    }
};

// Runs `law` for all lengths 1 … 40 on each instruction set.
template <class Law>
void for_all_lengths(const Law& law) {
    for (const std::int64_t target : targets()) {
        const UseTarget use(target);
        ASSERT_STREQ(simd_target(), hwy::TargetName(target));
        for (int n = 1; n <= 40; ++n) {
            SCOPED_TRACE(testing::Message() << simd_target() << ", length " << n);
            law(n, test::RandomValues(std::uint64_t(n)));
        }
    }
}

constexpr float guard = 12345.0F;  // behind every output: must survive

Values guarded(const Values& v) {
    Values g = v;
    g.push_back(guard);
    return g;
}

void expect_near(const Values& actual, const Values& expected, float tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
    ASSERT_EQ(actual.back(), guard) << "written past the end";
}

TEST(SimdRows, WeightedRowsIsTheFormula) {
    for_all_lengths([](int n, test::RandomValues random) {
        for (const int taps : {1, 2, 3, 5, 7, 9}) {
            std::vector<Values> rows;
            std::vector<const float*> pointers;
            for (int a = 0; a < taps; ++a)
                rows.push_back(random.vector(std::size_t(n)));
            for (const Values& row : rows)
                pointers.push_back(row.data());
            const Values w = random.vector(std::size_t(taps));
            Values expected(std::size_t(n), 0.0F);
            for (int x = 0; x < n; ++x)
                for (int a = 0; a < taps; ++a)
                    expected[std::size_t(x)] +=
                        w[std::size_t(a)] * rows[std::size_t(a)][std::size_t(x)];
            Values out(std::size_t(n) + 1, guard);
            weighted_rows(pointers.data(), w.data(), taps, out.data(), n);
            expect_near(out, expected, 2e-6F);
        }
    });
}

TEST(SimdRows, CorrelationIsTheFormula) {
    for_all_lengths([](int n, test::RandomValues random) {
        for (const int taps : {1, 3, 5, 7, 13}) {
            const Values in = random.vector(std::size_t(n + taps - 1));
            const Values k = random.vector(std::size_t(taps));
            const Values start = random.vector(std::size_t(n));
            Values expected(std::size_t(n), 0.0F);
            Values added = start;
            for (int x = 0; x < n; ++x) {
                for (int i = 0; i < taps; ++i)
                    expected[std::size_t(x)] += k[std::size_t(i)] * in[std::size_t(x + i)];
                added[std::size_t(x)] += expected[std::size_t(x)];
            }
            Values out(std::size_t(n) + 1, guard);
            correlate_row(in.data(), k.data(), taps, out.data(), n);
            expect_near(out, expected, 3e-6F);
            out = guarded(start);
            add_correlated_row(in.data(), k.data(), taps, out.data(), n);
            expect_near(out, added, 3e-6F);
        }
    });
}

TEST(SimdRows, LinearCombinationsAndDotProductsAreTheFormulas) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        const Values a = random.vector(size);
        const Values b = random.vector(size);
        EXPECT_NEAR(dot_row(a.data(), b.data(), n), test::dot(a, b), 3e-6);
        Values expected(size);
        for (std::size_t i = 0; i < size; ++i)
            expected[i] = 0.7F * a[i] - 1.3F * b[i];
        Values y = guarded(b);
        axpby_row(0.7F, a.data(), -1.3F, y.data(), n);
        expect_near(y, expected, 1e-6F);
    });
}

TEST(SimdRows, ConjugateGradientStepsAreTheFormulas) {
    for_all_lengths([](int n, test::RandomValues random) {
        const auto size = std::size_t(n);
        const Values p = random.vector(size);
        const Values q = random.vector(size);
        const Values z = random.vector(size, 0.1F, 2.0F);
        const Values x = random.vector(size);
        const Values r = random.vector(size);
        Values expected_x(size);
        Values expected_r(size);
        Values expected_p(size);
        double rho = 0;
        for (std::size_t i = 0; i < size; ++i) {
            expected_x[i] = x[i] + 0.6F * p[i];
            expected_r[i] = r[i] - 0.6F * q[i];
            expected_p[i] = z[i] * expected_r[i] + 0.4F * p[i];
            rho += double(expected_r[i]) * double(expected_r[i]) * double(z[i]);
        }
        Values new_x = guarded(x);
        Values new_r = guarded(r);
        Values new_p = guarded(p);
        EXPECT_NEAR(cg_step_row(0.6F, p.data(), q.data(), z.data(), new_x.data(), new_r.data(), n),
                    rho, 1e-5 * rho);
        cg_direction_row(0.4F, z.data(), new_r.data(), new_p.data(), n);
        expect_near(new_x, expected_x, 1e-6F);
        expect_near(new_r, expected_r, 1e-6F);
        expect_near(new_p, expected_p, 2e-6F);
    });
}

// u <- a s + (1 - a) z + w with z, w from the old threshold: the step in scalar code.
struct Scalar {
    float u, z, z_old, w;
    Scalar(const ProxStep& step, float s, float u_old, float t_old, float t) {
        const float w_old = std::clamp(u_old, -t_old, t_old);
        z_old = u_old - w_old;
        u = step.relax * s + (1 - step.relax) * z_old + w_old;
        w = std::clamp(u, -t, t);
        z = u - w;
    }
};

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
            const Scalar k(step, s[i], u[i], 5.0F * e_old[i], 4.0F * e[i]);
            expected_u[i] = k.u;
            expected_f[i] = s[i] - k.z + k.w;
            expected += {double(e[i] * std::abs(s[i])), 0.0, double((s[i] - k.z) * (s[i] - k.z)),
                         double((k.z - k.z_old) * (k.z - k.z_old))};
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
            const float r = ax[i] - y[i];
            const Scalar k(step, r, u[i], 20.0F, 18.0F);
            expected_u[i] = k.u;
            expected_s[i] = m[i] * (0.02F * r + 0.05F * (r - k.z + k.w));
            expected += {double(m[i] * std::abs(r)), double(m[i] * r * r),
                         double(m[i] * (r - k.z) * (r - k.z)),
                         double(m[i] * (k.z - k.z_old) * (k.z - k.z_old))};
        }
        Values new_u = guarded(u);
        Values s = guarded(ax);
        expect_sums(data_step(step, 0.02F, 0.05F, y.data(), m.data(), new_u.data(), s.data(), n),
                    expected);
        expect_near(new_u, expected_u, 2e-4F);
        expect_near(s, expected_s, 2e-5F);
    });
}

float sign(float v) {
    return v > 0 ? 1.0F : (v < 0 ? -1.0F : 0.0F);
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
            expected[i] = m[i] * (0.02F * r + 0.9F * sign(r));
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
            expected[i] = 0.3F * m[i] * sign(difference);
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
                const double w = std::exp(-(gx * gx + gy * gy) / 144.0);
                expected[i] = float(0.2 + 0.8 * w * (occluded ? double(occlusion[i]) : 1.0));
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

class SimdOperators : public testing::TestWithParam<test::ProblemCase> {};

TEST_P(SimdOperators, AllInstructionSetsAgree) {
    const Problem problem = test::make_problem(GetParam());
    test::RandomValues random(9);
    const Values x = random.vector(problem.pixels());
    Values samples;
    std::vector<std::vector<Values>> results;
    for (const std::int64_t target : targets()) {
        const UseTarget use(target);
        const Parallel parallel(1);
        const auto a = make_data_operator(problem);
        if (samples.empty()) samples = random.vector(a->samples());
        const Values m(a->samples(), 0.5F);
        a->set_weights(m.data(), parallel);
        Values s(a->samples());
        Values g(x.size());
        Values q(x.size());
        Values diagonal(x.size());
        a->forward(x.data(), s.data(), parallel);
        a->adjoint(samples.data(), g.data(), parallel);
        a->normal(1.0F, x.data(), q.data(), parallel, [](int, float*) {});
        a->normal_diagonal(diagonal.data(), parallel);
        results.push_back({s, g, q, diagonal});
    }
    const bool half = GetParam().normal == NormalForm::stencil_f16;
    for (const auto& result : results)
        for (std::size_t i = 0; i < result.size(); ++i)
            EXPECT_LE(test::relative_difference(result[i], results[0][i]),
                      half && i == 2 ? 1e-3 : 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Cases, SimdOperators, testing::ValuesIn(test::problem_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plenosr::cpu
