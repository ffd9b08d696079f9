#include "plenosr/forward_operator.h"

#include <gtest/gtest.h>

#include "cases/laws.h"
#include "cases/scenes.h"
#include "plenosr/error.h"

namespace plenosr::test {
namespace {

struct Case {
    DegradedScene scene;
    ForwardOperator a;

    explicit Case(ReconstructOptions options = {}, const std::string& name = "planes")
        : scene(degraded_scene(
              {.scene = name, .views = 3, .width = 47, .height = 38, .scale = 2, .impulse = 0})),
          a(scene.views, scene.centre, scene.full_disparity, options) {}
    Values forward(const Values& x) const {
        Values s(a.samples());
        a.forward(x, s);
        return s;
    }
    Values adjoint(const Values& s) const {
        Values x(a.pixels());
        a.adjoint(s, x);
        return x;
    }
};

ReconstructOptions in_form(OperatorForm form, int threads = 0) {
    ReconstructOptions options;
    options.operator_form = form;
    options.threads = threads;
    return options;
}

TEST(ForwardOperator, AdjointIsTheTransposeAndForwardIsLinear) {
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain}) {
        const Case c(in_form(form));
        const Map forward = [&](const Values& x) { return c.forward(x); };
        const Map adjoint = [&](const Values& s) { return c.adjoint(s); };
        EXPECT_LE(adjoint_error(forward, adjoint, c.a.pixels(), c.a.samples()), 1e-6);
        EXPECT_LE(linearity_error(forward, c.a.pixels()), 2e-6);
    }
}

TEST(ForwardOperator, NormalIsTheAdjointOfTheWeightedSamples) {
    const Case c;
    const Values x = RandomValues(4).vector(c.a.pixels());
    Values weighted = c.forward(x);
    for (std::size_t i = 0; i < weighted.size(); ++i)
        weighted[i] *= c.a.weights()[i];
    Values normal(c.a.pixels());
    c.a.normal(x, normal);
    EXPECT_LE(relative_difference(normal, c.adjoint(weighted)), 1e-6);
}

TEST(ForwardOperator, DiagonalApproximatesThatOfTheNormalOperator) {
    const Case c;
    Values diagonal(c.a.pixels());
    c.a.diagonal(diagonal);
    const std::size_t middle = c.a.pixels() / 2 + std::size_t(c.a.width()) / 2;
    double exact = 0;
    double estimated = 0;
    // The mean over a block: samples fall on pixels with different weights.
    for (const std::size_t offset :
         {std::size_t(0), std::size_t(1), std::size_t(c.a.width()), std::size_t(c.a.width()) + 1}) {
        Values unit(c.a.pixels(), 0.0F);
        unit[middle + offset] = 1;
        Values column(c.a.pixels());
        c.a.normal(unit, column);
        exact += double(column[middle + offset]);
        estimated += double(diagonal[middle + offset]);
    }
    EXPECT_NEAR(estimated / exact, 1, 0.5);
}

// The samples are in (view, y, x) order: the truth explains the data of every view.
TEST(ForwardOperator, TheTruthExplainsTheData) {
    const Case c({}, "flat");  // whole pixels of disparity: nothing is interpolated
    EXPECT_EQ(c.a.views(), 9);
    EXPECT_EQ(c.a.samples(), std::size_t(9 * c.a.low_width() * c.a.low_height()));
    const Values predicted = c.forward(crop(c.scene.truth, c.a.width(), c.a.height()).values);
    const std::span<const float> data = c.a.data();
    const std::size_t low = c.a.samples() / 9;
    for (std::size_t view = 0; view < 9; ++view) {
        double error = 0;
        double weight = 0;
        for (std::size_t i = view * low; i < (view + 1) * low; ++i) {
            error += double(c.a.weights()[i]) * std::abs(double(predicted[i]) - double(data[i]));
            weight += double(c.a.weights()[i]);
        }
        EXPECT_GT(weight, 0.5 * double(low));
        EXPECT_LT(error / weight, 1.5) << "view " << view;  // the noise is 1
    }
}

TEST(ForwardOperator, ThreadsDoNotChangeBits) {
    const Case one(in_form(OperatorForm::sampling, 1));
    const Case seven(in_form(OperatorForm::sampling, 7));
    const Values x = RandomValues(5).vector(one.a.pixels());
    const Values s = RandomValues(6).vector(one.a.samples());
    EXPECT_EQ(one.forward(x), seven.forward(x));
    EXPECT_EQ(one.adjoint(s), seven.adjoint(s));
}

TEST(ForwardOperator, RefusesOtherSizes) {
    const Case c;
    Values few(3);
    EXPECT_THROW(c.a.adjoint(few, few), Error);
    EXPECT_THROW(c.a.diagonal(few), Error);
    EXPECT_THROW(c.a.data(1), Error);
}

}  // namespace
}  // namespace plenosr::test
