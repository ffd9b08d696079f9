#pragma once

#include <string>
#include <vector>

#include "backends/cpu/sampler.h"
#include "problem/problem.h"

namespace plenosr::bench {

// A synthetic scene with the features of real ones: slanted ground, curved and stepped objects,
// disparities of ±1.5 high-resolution pixels per step, views on a square grid around the reference.
struct Case {
    int scale = 4;
    int grid = 5;    // grid x grid views
    int radius = 1;  // of the prior's window
    int size = 512;  // high resolution, both sides
    int views() const { return grid * grid; }
};

Problem make_problem(const Case& c);
std::vector<float> start_image(const Case& c);  // initial image of the solver

// Positions of the samples of the sampling operator, in the order (view, y, x), without samples of
// weight 0, as in backends/cpu/sampling.cpp.
struct SamplePositions {
    std::vector<Position> positions;
    std::vector<float> weights;
};
SamplePositions sample_positions(const Problem& problem);

}  // namespace plenosr::bench
