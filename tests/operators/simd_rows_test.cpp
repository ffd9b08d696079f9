// Vector code on rows: every instruction set against plain scalar code at all short lengths.
#include "backends/cpu/simd_rows.h"

#include <gtest/gtest.h>

#include "cases/instruction_sets.h"

namespace plenosr::cpu {
namespace {

using test::expect_near;
using test::for_all_lengths;
using test::guard;
using test::guarded;
using test::Values;

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

}  // namespace
}  // namespace plenosr::cpu
