#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <vector>

#include "backends/cpu/simd_rows.h"
#include "cases/laws.h"

namespace plenosr::test {

// The engine's instruction sets that this machine supports.
inline std::vector<std::int64_t> instruction_sets() {
    std::vector<std::int64_t> list;
#if HWY_ARCH_X86
    for (const std::int64_t target : {std::int64_t(HWY_SSSE3), std::int64_t(HWY_AVX2)})
        if ((hwy::SupportedTargets() & target) != 0) list.push_back(target);
#else
    list.push_back(HWY_STATIC_TARGET);
#endif
    return list;
}

// Restricts vector functions to one instruction set while it lives.
class UseInstructionSet {
public:
    explicit UseInstructionSet(std::int64_t target) { choose(target); }
    ~UseInstructionSet() { choose(0); }
    UseInstructionSet(const UseInstructionSet&) = delete;
    UseInstructionSet& operator=(const UseInstructionSet&) = delete;

private:
    static void choose(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();  // Highway caches its choice
    }
};

// Runs law(length, random values) for all lengths 1 … 40 on each instruction set.
template <class Law>
void for_all_lengths(const Law& law) {
    for (const std::int64_t target : instruction_sets()) {
        const UseInstructionSet use(target);
        ASSERT_STREQ(cpu::simd_target(), hwy::TargetName(target));
        for (int n = 1; n <= 40; ++n) {
            SCOPED_TRACE(testing::Message() << cpu::simd_target() << ", length " << n);
            law(n, RandomValues(std::uint64_t(n)));
        }
    }
}

constexpr float guard = 12345.0F;  // placed behind every output; must not be overwritten

inline Values guarded(const Values& v) {
    Values g = v;
    g.push_back(guard);
    return g;
}

inline void expect_near(const Values& actual, const Values& expected, float tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
    ASSERT_EQ(actual.back(), guard) << "written past the end";
}

}  // namespace plenosr::test
