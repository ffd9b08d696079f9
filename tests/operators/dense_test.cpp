// The full matrices of A at tiny sizes, against the plain formulas; and the sampling operator
// against the chain where both must agree.
#include <gtest/gtest.h>

#include "backends/cpu/data_operator.h"
#include "cases/plain_operators.h"
#include "cases/problems.h"
#include "cases/random_values.h"

namespace plenosr::cpu {
namespace {

using test::plain::Dense;
using test::plain::dense_of;
using test::plain::Doubles;

// Forward and adjoint of an operator, with samples in the order (view, y, x).
class InPlaceOrder {
public:
    explicit InPlaceOrder(const Problem& problem)
        : a_(make_data_operator(problem)),
          pixels_(problem.pixels()),
          low_(problem.low_pixels()),
          places_(low_ * problem.observations.size()),
          m_(a_->samples()) {
        for (std::size_t i = 0; i < m_.size(); ++i) {
            const Observation& o = problem.observations[a_->order()[i] / low_];
            m_[i] = o.weight.empty() ? 1.0F : o.weight.values[a_->order()[i] % low_];
        }
        a_->set_weights(m_.data(), parallel_);
    }
    std::size_t places() const { return places_; }

    Doubles forward(const Doubles& x) {
        const std::vector<float> image(x.begin(), x.end());
        std::vector<float> s(a_->samples());
        a_->forward(image.data(), s.data(), parallel_);
        Doubles out(places_, 0.0);
        for (std::size_t i = 0; i < s.size(); ++i)
            out[a_->order()[i]] = double(s[i]);
        return out;
    }
    Doubles adjoint(const Doubles& in) {
        std::vector<float> s(a_->samples());
        for (std::size_t i = 0; i < s.size(); ++i)
            s[i] = float(in[a_->order()[i]]);
        std::vector<float> x(pixels_);
        a_->adjoint(s.data(), x.data(), parallel_);
        return {x.begin(), x.end()};
    }
    Doubles normal(const Doubles& p) {
        const std::vector<float> image(p.begin(), p.end());
        std::vector<float> q(pixels_);
        a_->normal(1.0F, image.data(), q.data(), parallel_, [](int, float*) {});
        return {q.begin(), q.end()};
    }

private:
    Parallel parallel_{1};
    std::unique_ptr<DataOperator> a_;
    std::size_t pixels_;
    std::size_t low_;
    std::size_t places_;
    std::vector<float> m_;
};

constexpr auto bilinear = Interpolation::bilinear;
constexpr auto bicubic = Interpolation::bicubic;
constexpr auto chain = OperatorForm::chain;
constexpr auto sampling = OperatorForm::sampling;
constexpr auto stencil = NormalForm::stencil_f16;
constexpr bool unweighted = false;

class DenseLaws : public testing::TestWithParam<test::ProblemCase> {};

TEST_P(DenseLaws, MatrixIsThatOfThePlainFormula) {
    const Problem problem = test::make_problem(GetParam());
    InPlaceOrder a(problem);
    const Dense actual =
        dense_of([&](auto& x) { return a.forward(x); }, a.places(), problem.pixels());
    const Dense expected = dense_of([&](auto& x) { return test::plain::forward(problem, x); },
                                    a.places(), problem.pixels());
    for (std::size_t i = 0; i < actual.values.size(); ++i)
        ASSERT_NEAR(actual.values[i], expected.values[i], 2e-6)
            << "sample " << i / problem.pixels() << ", pixel " << i % problem.pixels();
}

TEST_P(DenseLaws, AdjointMatrixIsTheTranspose) {
    const Problem problem = test::make_problem(GetParam());
    InPlaceOrder a(problem);
    const Dense forward =
        dense_of([&](auto& x) { return a.forward(x); }, a.places(), problem.pixels());
    const Dense adjoint =
        dense_of([&](auto& s) { return a.adjoint(s); }, problem.pixels(), a.places());
    for (std::size_t r = 0; r < forward.rows; ++r)
        for (std::size_t c = 0; c < forward.cols; ++c)
            ASSERT_NEAR(forward.at(r, c), adjoint.at(c, r), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DenseLaws,
    testing::Values(test::ProblemCase{"sampling_x2", 5, 4, 2, "gaussian", bicubic, sampling,
                                      stencil, -2.5F, 2.5F, 5, unweighted},
                    test::ProblemCase{"sampling_x3", 3, 4, 3, "gaussian", bicubic, sampling,
                                      stencil, -2.5F, 2.5F, 5, unweighted},
                    test::ProblemCase{"sampling_x4_bilinear", 2, 3, 4, "gaussian", bilinear,
                                      sampling, stencil, -2.5F, 2.5F, 5, unweighted},
                    test::ProblemCase{"sampling_motion", 4, 3, 2, "motion:4,30", bicubic, sampling,
                                      stencil, -9.0F, 9.0F, 5, unweighted},
                    test::ProblemCase{"chain_x2", 5, 4, 2, "gaussian", bicubic, chain, stencil,
                                      -2.5F, 2.5F, 5, unweighted},
                    test::ProblemCase{"chain_x3", 3, 4, 3, "gaussian", bilinear, chain, stencil,
                                      -2.5F, 2.5F, 5, unweighted},
                    test::ProblemCase{"sampling_crops", 6, 5, 2, "gaussian", bicubic, sampling,
                                      stencil, -2.5F, 2.5F, 5, unweighted, 1, 2},
                    test::ProblemCase{"chain_crops", 6, 5, 2, "gaussian", bicubic, chain, stencil,
                                      -2.5F, 2.5F, 5, unweighted, 1, 2},
                    test::ProblemCase{"chain_motion", 4, 3, 2, "motion:4,30", bicubic, chain,
                                      stencil, -9.0F, 9.0F, 5, unweighted}),
    [](const auto& test) { return std::string(test.param.name); });

// One view that is shifted by (u d, v d) everywhere, for both operators.
Problem shifted(OperatorForm form, double u, double v, float d) {
    Problem p = test::make_problem(
        {"shifted", 9, 8, 2, "gaussian", bicubic, form, stencil, d, d, 1, unweighted});
    p.observations[0].u = u;
    p.observations[0].v = v;
    return p;
}

// Whether the blur around low-resolution pixel (i, j) stays inside the image.
bool footprint_inside(const Problem& p, int i, int j) {
    const int r = p.psf.width() / 2;
    return p.scale * i >= r && p.scale * i + r < p.height && p.scale * j >= r &&
           p.scale * j + r < p.width;
}

struct Shift {
    double u;
    double v;
    float d;
};

class ConstantDisparity : public testing::TestWithParam<Shift> {};

// Blur and shift commute where the blur does not reach the border. There the chain continues the
// warped image, whereas the sampling operator reads the reference beyond the view.
TEST_P(ConstantDisparity, SamplingEqualsTheChainAwayFromTheBorder) {
    const auto [u, v, d] = GetParam();
    const Problem p = shifted(sampling, u, v, d);
    InPlaceOrder by_samples(p);
    InPlaceOrder by_chain(shifted(chain, u, v, d));
    test::RandomValues random(3);
    const auto values = random.vector(p.pixels(), 0.0F, 255.0F);
    const Doubles x(values.begin(), values.end());
    const Doubles s = by_samples.forward(x);
    const Doubles c = by_chain.forward(x);
    int compared = 0;
    for (int i = 0; i < p.height / p.scale; ++i)
        for (int j = 0; j < p.width / p.scale; ++j) {
            if (!footprint_inside(p, i, j)) continue;
            const auto at = std::size_t(i * p.width / p.scale + j);
            ASSERT_NEAR(s[at], c[at], 3e-4) << i << ", " << j;
            ++compared;
        }
    EXPECT_GE(compared, 30);
}

TEST_P(ConstantDisparity, AssembledStencilEqualsTheChainsNormalMatrix) {
    const auto [u, v, d] = GetParam();
    Problem p = shifted(sampling, u, v, d);
    Problem q = shifted(chain, u, v, d);
    test::RandomValues random(8);
    Image m(p.width / p.scale, p.height / p.scale);
    for (int i = 0; i < m.height; ++i)
        for (int j = 0; j < m.width; ++j)
            m.at(i, j) = footprint_inside(p, i, j) ? random.next(0.1F, 1.0F) : 0.0F;
    p.observations[0].weight = m;
    q.observations[0].weight = m;
    InPlaceOrder by_samples(p);
    InPlaceOrder by_chain(q);
    const Dense n = dense_of([&](auto& x) { return by_samples.normal(x); }, p.pixels(), p.pixels());
    const Dense c = dense_of([&](auto& x) { return by_chain.normal(x); }, p.pixels(), p.pixels());
    const double largest = *std::max_element(c.values.begin(), c.values.end());
    for (std::size_t i = 0; i < n.values.size(); ++i)  // coefficients have 11 bits
        ASSERT_NEAR(n.values[i], c.values[i], 2e-6 + std::ldexp(1.0, -11) * largest);
}

INSTANTIATE_TEST_SUITE_P(Shifts, ConstantDisparity,
                         testing::Values(Shift{0, 0, 1.0F}, Shift{1, 0, 0.7F}, Shift{0, -1, 1.35F},
                                         Shift{2, -1, 0.41F}, Shift{-3, 2, 2.2F}));

TEST(ConstantDisparity, SamplingEqualsTheChainAlongABorderParallelToTheShift) {
    // Shifted along x only: both operators continue the top and bottom rows in the same way.
    const Problem p = shifted(sampling, 1, 0, 0.7F);
    InPlaceOrder by_samples(p);
    InPlaceOrder by_chain(shifted(chain, 1, 0, 0.7F));
    test::RandomValues random(3);
    const auto values = random.vector(p.pixels(), 0.0F, 255.0F);
    const Doubles s = by_samples.forward({values.begin(), values.end()});
    const Doubles c = by_chain.forward({values.begin(), values.end()});
    const int low_width = p.width / p.scale;
    for (int i = 0; i < p.height / p.scale; ++i)
        for (int j = 1; j < low_width - 1; ++j)
            ASSERT_NEAR(s[std::size_t(i * low_width + j)], c[std::size_t(i * low_width + j)], 3e-4);
}

TEST(ConstantDisparity, WithoutAShiftSamplingEqualsTheChainEverywhere) {
    InPlaceOrder by_samples(shifted(sampling, 0, 0, 2.0F));
    InPlaceOrder by_chain(shifted(chain, 0, 0, 2.0F));
    test::RandomValues random(3);
    const auto values = random.vector(18 * 16, 0.0F, 255.0F);
    const Doubles s = by_samples.forward({values.begin(), values.end()});
    const Doubles c = by_chain.forward({values.begin(), values.end()});
    for (std::size_t i = 0; i < s.size(); ++i)
        ASSERT_NEAR(s[i], c[i], 1e-4);
}

}  // namespace
}  // namespace plenosr::cpu
