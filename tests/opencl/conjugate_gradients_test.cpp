// Conjugate gradients on a device: its scalars stay there, and they keep their values.
#include <gtest/gtest.h>

#include "backends/cpu/backend.h"
#include "backends/opencl/backend.h"
#include "cases/laws.h"
#include "cases/problems.h"
#include "opencl/on_device.h"
#include "solver/cg.h"

namespace plenosr {
namespace {

constexpr test::Variant variant{opencl::Strategy::buffer, 8};

Problem problem() {
    return test::make_problem({"cg", 15, 12, 2, "gaussian", Interpolation::bicubic,
                               OperatorForm::sampling, NormalForm::direct, -1, 1, 4, false});
}

template <class B>
test::Values solved(B& b, const test::Values& right_side, int steps, double tolerance,
                    double ridge) {
    CgWorkspace<B> workspace(b);
    b.inverse_diagonal(1.0, 0.05, ridge, workspace.inverse_diagonal);
    auto r = b.upload(right_side);
    auto x = b.upload(test::Values(right_side.size(), 0.0F));
    conjugate_gradients(b, 1.0, 0.05, steps, tolerance, workspace, r, x, ridge);
    return b.download(x);
}

TEST(ScalarsOnADevice, KeepTheirValuesWhileTheyAreReferredTo) {
    opencl::Backend b(test::device(variant), problem());
    test::RandomValues random(2);
    const auto x = b.upload(random.vector(b.image_size()));
    const auto first = b.dot(x, x);
    const double value = b.value(first);
    std::vector<opencl::Scalar> others;
    for (int i = 2; i < 40; ++i) {
        const auto y = b.upload(test::Values(b.image_size(), float(i)));
        others.push_back(b.dot(y, y));
        EXPECT_EQ(b.value(first), value) << i;
    }
    for (std::size_t i = 0; i < others.size(); ++i)
        EXPECT_NEAR(b.value(others[i]), double((i + 2) * (i + 2) * b.image_size()), 1e-2);
}

TEST(ScalarsOnADevice, MemoryIsUsedAgainOnceNothingRefersToIt) {
    opencl::Device& device = test::device(variant);
    opencl::Backend b(device, problem());
    const auto x = b.new_image();
    const std::size_t before = device.memory().live;
    for (int i = 0; i < 100; ++i)
        b.value(b.dot(x, x));
    EXPECT_EQ(device.memory().live, before);
}

// The floor that ends the iteration is a multiple of the first residual: after any number of steps.
TEST(ConjugateGradientsOnADevice, StopAtTheToleranceAsTheNativeEngineDoes) {
    opencl::Backend b(test::device(variant), problem());
    cpu::Backend native(problem(), 1);
    test::RandomValues random(3);
    const test::Values right_side = random.vector(b.image_size());
    for (const double ridge : {0.0, 0.01}) {
        const test::Values expected = solved(native, right_side, 40, 0.1, ridge);
        const test::Values exact = solved(native, right_side, 200, 1e-7, ridge);
        ASSERT_GE(test::relative_difference(expected, exact), 0.01)
            << "the tolerance has no effect";
        const test::Values found = solved(b, right_side, 40, 0.1, ridge);
        EXPECT_LE(test::relative_difference(found, expected), 1e-4) << ridge;
    }
}

}  // namespace
}  // namespace plenosr
