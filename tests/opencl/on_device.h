#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>

#include "backends/opencl/device.h"
#include "backends/opencl/platforms.h"
#include "backends/opencl/tuning.h"

namespace plenosr::test {

// How kernels are compiled in the tests: every strategy, and a vector width of both kinds.
struct Variant {
    opencl::Strategy strategy;
    int vector;
};

inline std::ostream& operator<<(std::ostream& out, const Variant& v) {
    return out << opencl::to_string(v.strategy) << v.vector;
}

inline const std::vector<Variant>& variants() {
    using enum opencl::Strategy;
    static const std::vector<Variant> all = {{buffer, 8}, {image, 4}, {local, 1}, {local, 8}};
    return all;
}

// Devices go before the process ends: implementations free what they need at exit, too.
class DevicesEnvironment : public testing::Environment {
public:
    std::map<std::pair<int, int>, std::unique_ptr<opencl::Device>> devices;
    void TearDown() override { devices.clear(); }
};

// The device under test: the first one of the implementation that the environment leaves visible.
// One per variant and process, since programs take time to compile.
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
        opencl::Tuning tuning = opencl::default_tuning(listed.front().description);
        tuning.strategy = v.strategy;
        tuning.vector = v.vector;
        if (v.vector == 1) {  // as on a GPU: groups of many work-items
            tuning.group = 32;
            tuning.groups = 16;
            tuning.tile_width = 8;
            tuning.tile_height = 4;
            tuning.cell_width = 16;
            tuning.cell_height = 4;
            tuning.local_width = 8;
            tuning.local_height = 4;
        } else {
            tuning.tile_width = 2;
            tuning.tile_height = 2;
            tuning.cell_width = 24;
            tuning.cell_height = 3;
            tuning.local_width = 2;
            tuning.local_height = 1;
        }
        slot = std::make_unique<opencl::Device>(listed.front().handle, tuning);
    }
    return *slot;
}

}  // namespace plenosr::test
