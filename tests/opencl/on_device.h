#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "backends/opencl/device.h"
#include "backends/opencl/platforms.h"
#include "backends/opencl/tuning.h"

namespace plenosr::test {

// How kernels are compiled in the tests: every strategy, with vectors and with single floats.
struct Variant {
    opencl::Strategy strategy;
    int vector;
};

inline std::ostream& operator<<(std::ostream& out, const Variant& v) {
    return out << opencl::to_string(v.strategy) << v.vector;
}

// Almost all of the time goes into compiling kernels: each strategy has its own. By default some
// cases run in one strategy only; ./dev test-long opencl sets this variable and runs all of them.
inline bool all_variants() {
    return std::getenv("PLENOSR_TEST_ALL_VARIANTS") != nullptr;
}

// `quick` first, and the other strategies if all are wanted.
inline std::vector<opencl::Strategy> strategies(std::vector<opencl::Strategy> quick) {
    using enum opencl::Strategy;
    for (const opencl::Strategy s : {buffer, image, local})
        if (all_variants() && std::find(quick.begin(), quick.end(), s) == quick.end())
            quick.push_back(s);
    return quick;
}

inline const std::vector<Variant>& variants() {
    using enum opencl::Strategy;
    static const std::vector<Variant> all = {{buffer, 8}, {image, 4}, {local, 1}, {local, 8}};
    return all;
}

// Closes devices before the process ends, because drivers free their own data at exit.
class DevicesEnvironment : public testing::Environment {
public:
    std::map<std::pair<int, int>, std::unique_ptr<opencl::Device>> devices;
    void TearDown() override { devices.clear(); }
};

// The device under test: the first of the OpenCL implementation that the environment selects. There
// is one per variant and process, because programs take time to compile.
inline opencl::Device& device(Variant v) {
    static auto* kept = new DevicesEnvironment;  // gtest's, once added
    static const auto* added = testing::AddGlobalTestEnvironment(kept);
    EXPECT_NE(added, nullptr);
    auto& slot = kept->devices[{int(v.strategy), v.vector}];
    if (!slot) {
        const auto listed = opencl::listed_devices();
        if (listed.empty()) {
            ADD_FAILURE() << "there is no OpenCL device";
            std::abort();
        }
        const opencl::Tuning usual = opencl::default_tuning(listed.front().description);
        // With single floats as on a GPU: groups of many work-items.
        const opencl::Tuning tuning =
            v.vector == 1 ? opencl::Tuning{v.strategy, 1, 32, 16, 8, 4, 16, 4, 8, 4}
                          : opencl::Tuning{
                                v.strategy, v.vector, usual.group, usual.groups, 2, 2, 24, 3, 2, 1};
        slot = std::make_unique<opencl::Device>(listed.front().handle, tuning);
    }
    return *slot;
}

}  // namespace plenosr::test
