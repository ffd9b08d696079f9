#pragma once

#include <ostream>

#include "plenosr/psf.h"
#include "problem/problem.h"

namespace plenosr::test {

// A small problem that is hard for operators: odd sizes, views on all sides, disparities that point
// outside the image.
struct ProblemCase {
    const char* name;
    int low_width = 17;
    int low_height = 13;
    int scale = 2;
    const char* blur = "gaussian";  // or "grid RxC": varied_psfs()
    Interpolation interpolation = Interpolation::bicubic;
    OperatorForm form = OperatorForm::sampling;
    NormalForm normal = NormalForm::stencil_f16;
    float disparity_low = -2.5F;  // high-resolution pixels per step
    float disparity_high = 2.5F;
    int views = 5;
    bool weighted = true;
    int channels = 1;
    // Greater than 0: the image is a tile. The views' crops start outside of it and are larger by
    // so many low-resolution pixels.
    int crop = 0;
    enum class Geometry { disparity, shifts, whole_shifts, displacement };
    Geometry geometry = Geometry::disparity;  // or shifted frames, or frames with any motion
};

inline std::ostream& operator<<(std::ostream& out, const ProblemCase& c) {
    return out << c.name;
}

// A grid of PSFs of many kinds and sizes, not yet spread over an image.
PsfGrid varied_psfs(int rows, int cols);

Problem make_problem(const ProblemCase& c, std::uint64_t seed = 7);
const std::vector<ProblemCase>& problem_cases();

}  // namespace plenosr::test
