#include "backends/cpu/differences.h"

#include <gtest/gtest.h>

#include "cases/laws.h"

namespace plenosr::cpu {
namespace {

using test::Values;

struct DifferencesCase {
    std::string name;
    int width;
    int height;
    std::vector<Direction> directions;
};

std::vector<Direction> joined(std::vector<Direction> a, const std::vector<Direction>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<DifferencesCase> cases() {
    std::vector<DifferencesCase> list;
    for (const int radius : {1, 2, 3}) {
        const std::string r = std::to_string(radius);
        const auto add = [&](const std::string& name, int w, int h, std::vector<Direction> d) {
            list.push_back({name, w, h, std::move(d)});
        };
        add("first_window" + r, 23, 17, window_directions(radius));
        add("second_window" + r, 23, 17, window_directions(radius, 2));
        add("both_window" + r, 19, 11,
            joined(window_directions(radius), window_directions(radius, 2)));
        add("first_tiny_window" + r, 2, 3, window_directions(radius));
        add("second_tiny_window" + r, 2, 3, window_directions(radius, 2));
        add("one_row_window" + r, 9, 1, window_directions(radius));
    }
    list.push_back({"tv", 31, 8, prior_directions(Prior::tv, 1)});
    return list;
}

class DifferencesLaws : public testing::TestWithParam<DifferencesCase> {
protected:
    DifferencesLaws()
        : s(GetParam().width, GetParam().height, GetParam().directions),
          pixels(std::size_t(GetParam().width * GetParam().height)) {}

    Values forward(const Values& x) const {
        Values field(s.field_size());
        s.forward(x.data(), field.data(), parallel);
        return field;
    }
    Values adjoint(const Values& field) const {
        Values x(pixels);
        s.adjoint(field.data(), x.data(), parallel);
        return x;
    }
    Values normal(const Values& p) const {
        Values q(pixels, 0.0F);
        for (int y = 0; y < GetParam().height; ++y)
            s.add_normal_row(1.0F, p.data(), y, q.data() + std::ptrdiff_t(y) * GetParam().width);
        return q;
    }

    Parallel parallel{2};
    Differences s;
    std::size_t pixels;
};

TEST_P(DifferencesLaws, AdjointIsTheTranspose) {
    EXPECT_LE(test::adjoint_error([&](auto& x) { return forward(x); },
                                  [&](auto& f) { return adjoint(f); }, pixels, s.field_size()),
              1e-6);
}

TEST_P(DifferencesLaws, IsTheFormulaPixelByPixel) {
    test::RandomValues random(5);
    const int w = GetParam().width;
    const int h = GetParam().height;
    const Values x = random.vector(pixels);
    const Values field = forward(x);
    const auto inside = [&](int y, int c) { return y >= 0 && y < h && c >= 0 && c < w; };
    const auto at = [&](int y, int c) { return x[std::size_t(y * w + c)]; };
    for (std::size_t i = 0; i < s.directions().size(); ++i) {
        const Direction& d = s.directions()[i];
        for (int y = 0; y < h; ++y)
            for (int c = 0; c < w; ++c) {
                float expected = 0;
                if (d.order == 1 && inside(y + d.dy, c + d.dx))
                    expected = at(y + d.dy, c + d.dx) - at(y, c);
                if (d.order == 2 && inside(y + d.dy, c + d.dx) && inside(y - d.dy, c - d.dx))
                    expected = at(y - d.dy, c - d.dx) - 2 * at(y, c) + at(y + d.dy, c + d.dx);
                ASSERT_NEAR(field[i * pixels + std::size_t(y * w + c)], expected, 1e-5F);
            }
    }
}

TEST_P(DifferencesLaws, NormalEqualsItsComposition) {
    test::RandomValues random(6);
    const Values p = random.vector(pixels);
    const Values composed = adjoint(forward(p));
    const Values fused = normal(p);
    for (std::size_t i = 0; i < pixels; ++i)
        ASSERT_NEAR(fused[i], composed[i], 2e-4F);
}

TEST_P(DifferencesLaws, DiagonalIsExact) {
    Values diagonal(pixels);
    s.normal_diagonal(diagonal.data());
    for (std::size_t i = 0; i < pixels; ++i) {
        Values unit(pixels, 0.0F);
        unit[i] = 1.0F;
        ASSERT_NEAR(normal(unit)[i], diagonal[i], 1e-5F);
    }
}

TEST_P(DifferencesLaws, ConstantImagesHaveNoDifferences) {
    for (const float v : forward(Values(pixels, 42.0F)))
        ASSERT_EQ(v, 0.0F);
}

TEST_P(DifferencesLaws, FusedStepAndForceEqualTheComposedOnes) {
    // u <- a s + (1 - a) z + w;  force = S'(s - z + w) with z = u - clip(u), w = clip(u)
    test::RandomValues random(8);
    const Values x = random.vector(pixels, -30.0F, 30.0F);
    const Values e_old = random.vector(pixels, 0.2F, 2.0F);
    const Values e = random.vector(pixels, 0.2F, 2.0F);
    const Values sx = forward(x);
    Values u = forward(random.vector(pixels, -20.0F, 20.0F));
    Values expected_u = u;
    Values force(u.size());
    double l1 = 0;
    double primal = 0;
    double dual = 0;
    for (std::size_t i = 0; i < s.directions().size(); ++i)
        for (std::size_t j = 0; j < pixels; ++j) {
            const std::size_t k = i * pixels + j;
            const float w_d = s.directions()[i].weight;
            const float t_old = 5.0F * w_d * e_old[j];
            const float t = 4.0F * w_d * e[j];
            const float w_old = std::clamp(u[k], -t_old, t_old);
            const float z_old = u[k] - w_old;
            const float next = 1.7F * sx[k] + (1 - 1.7F) * z_old + w_old;
            const float w = std::clamp(next, -t, t);
            const float z = next - w;
            expected_u[k] = next;
            force[k] = sx[k] - z + w;
            l1 += double(w_d * e[j] * std::abs(sx[k]));
            primal += double(sx[k] - z) * double(sx[k] - z);
            dual += double(z - z_old) * double(z - z_old);
        }
    const StepSums sums =
        s.step({1.7F, 5.0F, 4.0F}, x.data(), e_old.data(), e.data(), u.data(), parallel);
    EXPECT_LE(test::relative_difference(u, expected_u), 1e-6);
    EXPECT_NEAR(sums.l1, l1, 1e-5 * l1 + 1e-6);
    EXPECT_NEAR(sums.primal, primal, 1e-4 * primal + 1e-5);
    EXPECT_NEAR(sums.dual, dual, 1e-4 * dual + 1e-5);
    EXPECT_NEAR(s.cost(x.data(), e.data(), parallel), l1, 1e-5 * l1 + 1e-6);
    Values g(pixels, 1.0F);
    s.add_force(0.5F, 4.0F, x.data(), e.data(), u.data(), g.data(), parallel);
    Values expected = adjoint(force);
    for (float& v : expected)
        v = 1.0F + 0.5F * v;
    for (std::size_t i = 0; i < pixels; ++i)
        ASSERT_NEAR(g[i], expected[i], 2e-3F);
}

TEST_P(DifferencesLaws, GradientIsTheSlopeOfTheCost) {
    test::RandomValues random(9);
    const Values x = random.vector(pixels, 0.0F, 255.0F);
    const Values e = random.vector(pixels, 0.2F, 2.0F);
    const Values direction = random.vector(pixels, -1e-3F, 1e-3F);
    Values g(pixels, 0.0F);
    s.add_gradient(1.0F, x.data(), e.data(), g.data(), parallel);
    Values moved(pixels);
    for (std::size_t i = 0; i < pixels; ++i)
        moved[i] = x[i] + direction[i];
    // Steps this short cross no kink (differences of random values are larger), so the cost is
    // linear along them, up to the rounding of float sums.
    const double before = s.cost(x.data(), e.data(), parallel);
    const double after = s.cost(moved.data(), e.data(), parallel);
    EXPECT_NEAR(after - before, test::dot(g, direction), 1e-6 * before + 1e-3);
}

TEST_P(DifferencesLaws, ThreadsChangeNoBit) {
    test::RandomValues random(10);
    const Values x = random.vector(pixels);
    const Values e = random.vector(pixels, 0.2F, 2.0F);
    std::vector<Values> results;
    std::vector<double> costs;
    for (const int threads : {1, 2, 7}) {
        Parallel many(threads);
        Values u = forward(x);
        s.step({1.7F, 0.0F, 0.5F}, x.data(), e.data(), e.data(), u.data(), many);
        Values g(pixels, 0.0F);
        s.add_force(1.0F, 0.5F, x.data(), e.data(), u.data(), g.data(), many);
        results.push_back(g);
        costs.push_back(s.cost(x.data(), e.data(), many));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
    EXPECT_EQ(costs[0], costs[1]);
    EXPECT_EQ(costs[0], costs[2]);
}

INSTANTIATE_TEST_SUITE_P(Cases, DifferencesLaws, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plenosr::cpu
