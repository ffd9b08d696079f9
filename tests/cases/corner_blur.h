#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "plenosr/psf.h"

namespace plenosr::test {

// A file with a grid of Gaussian PSFs whose sigma grows from 0.8 at the centre to 2.5 at the
// corners. The destructor deletes the file.
class CornerBlur {
public:
    CornerBlur()
        : file_(std::filesystem::temp_directory_path() /
                ("plenosr-corner-blur-" + std::to_string(::getpid()) + ".json")) {
        const std::string corner = R"("gaussian:2.5")";
        const std::string side = R"("gaussian:1.65")";
        const std::string ends = corner + "," + side + "," + corner;
        std::ofstream(file_) << R"({"plenosr_psf_grid":1,"rows":3,"cols":3,"psfs":[)" << ends << ","
                             << side << R"(,"gaussian:0.8",)" << side << "," << ends << "]}";
    }
    ~CornerBlur() {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
    }
    CornerBlur(const CornerBlur&) = delete;
    CornerBlur& operator=(const CornerBlur&) = delete;

    std::string text() const { return "psf-grid:" + file_.string(); }

private:
    std::filesystem::path file_;
};

}  // namespace plenosr::test
