#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plenosr/inspect.h"

namespace plenosr::io {

// What is kept of a view that was looked at.
struct Look {
    ViewPosition position;
    std::string failure;  // empty: the view was read
    int width = 0;
    int height = 0;
    int channels = 0;
    double mean = 0;  // of the luma
    std::uint64_t hash = 0;
    Image small;  // luma
};

// Order, axes and sign: what neighbouring views and the disparity map say about each other.
void find_wrong_parallax(const LightFieldIndex& index, const std::vector<Look>& looks,
                         std::vector<Finding>& findings);

}  // namespace plenosr::io
