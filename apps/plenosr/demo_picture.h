#pragma once

#include <string>
#include <vector>

#include "plenosr/image.h"

namespace plenosr::app {

// One column of the picture: a label, the image, and magnified crops below it.
struct Panel {
    std::string label;
    Image image;  // all panels have one size
};

struct Crop {
    int x = 0;  // top left
    int y = 0;
};

inline constexpr int crop_side = 48;  // pixels

// Panels side by side; in each the crops are framed, and below shown four times as large (or as
// the panel's width allows), with hard pixels.
Image side_by_side(const std::vector<Panel>& panels, const std::vector<Crop>& crops);

}  // namespace plenosr::app
