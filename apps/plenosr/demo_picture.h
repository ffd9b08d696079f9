#pragma once

#include <string>
#include <vector>

#include "plenosr/image.h"

namespace plenosr::app {

// One column of the picture: a label, the image, and magnified crops below it.
struct Panel {
    std::string label;
    Image image;  // the same size in all panels
};

struct Crop {
    int x = 0;  // top left
    int y = 0;
};

inline constexpr int crop_side = 48;  // pixels

// Panels side by side. Frames mark the crops in each, and below it they are shown four times as
// large, without interpolation.
Image side_by_side(const std::vector<Panel>& panels, const std::vector<Crop>& crops);

}  // namespace plenosr::app
