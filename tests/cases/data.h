#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace plenosr::test {

// A file or folder below $PLENOSR_DATA, which holds data that is too large for the repository.
// Empty if the variable is not set or nothing has that name.
inline std::filesystem::path data_path(const std::filesystem::path& path) {
    const char* root = std::getenv("PLENOSR_DATA");
    if (root == nullptr || !std::filesystem::exists(root / path)) return {};
    return root / path;
}

}  // namespace plenosr::test

// The first statement of a test that needs data. This is the only reason to skip a test, and the
// only place that may do so (./dev lint checks it).
#define SKIP_WITHOUT_DATA(path)                      \
    if (!::plenosr::test::data_path(path).empty()) { \
    } else                                           \
        GTEST_SKIP() << "needs PLENOSR_DATA with " << (path)
