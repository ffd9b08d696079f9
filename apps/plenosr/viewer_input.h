#pragma once

#include <string>
#include <vector>

#include "bind_options.h"
#include "plenosr/viewer.h"

namespace plenosr::app {

// What `report` and `view` show: the flags that name it.
struct ViewerInput {
    std::string input;
    std::vector<std::string> results;
    std::string disparity;
    std::string confidence;
    std::string truth;
    bool lossless = false;
    BoundOptions<OpenOptions> open;

    void add_flags(Flags app);
    ViewerContent content(const Progress& progress) const;  // decodes no results
    std::vector<std::filesystem::path> files() const;       // all that are named
};

}  // namespace plenosr::app
