// Whole operators on one instruction set against the same on another.
#include <gtest/gtest.h>

#include "backends/cpu/data_operator.h"
#include "cases/instruction_sets.h"
#include "cases/problems.h"

namespace plenosr::cpu {
namespace {

using test::Values;

class SimdOperators : public testing::TestWithParam<test::ProblemCase> {};

TEST_P(SimdOperators, AllInstructionSetsAgree) {
    const Problem problem = test::make_problem(GetParam());
    test::RandomValues random(9);
    const Values x = random.vector(problem.pixels());
    Values samples;
    std::vector<std::vector<Values>> results;
    for (const std::int64_t target : test::instruction_sets()) {
        const test::UseInstructionSet use(target);
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
