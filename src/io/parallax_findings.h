#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plenosr/inspect.h"

namespace plenosr::io {

// What inspect_light_field() keeps of a view.
struct ViewSummary {
    ViewPosition position;
    std::string failure;  // empty if the view could be read
    int width = 0;
    int height = 0;
    int channels = 0;
    double mean = 0;  // of the luma, 8-bit units
    std::uint64_t hash = 0;
    Image reduced;  // luma
};

// Compares the parallax of neighbouring views with that of the other views and with the disparity
// map: swapped views ("order"), exchanged axes ("axes"), an inverted map ("sign").
void find_wrong_parallax(const LightFieldIndex& index, const std::vector<ViewSummary>& views,
                         std::vector<Finding>& findings);

}  // namespace plenosr::io
