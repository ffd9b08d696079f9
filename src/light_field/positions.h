#pragma once

#include <algorithm>
#include <vector>

#include "plenosr/light_field.h"

namespace plenosr {

inline bool contains(const std::vector<ViewPosition>& positions, ViewPosition position) {
    return std::find(positions.begin(), positions.end(), position) != positions.end();
}

}  // namespace plenosr
