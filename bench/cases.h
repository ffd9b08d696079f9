#pragma once

#include <string>
#include <vector>

#include "backends/cpu/sampler.h"
#include "problem/problem.h"

namespace plenosr::bench {

// A made-up scene of the shape that real ones have: slanted ground, curved and stepped objects,
// disparities of ±1.5 high-resolution pixels per step, views on a square grid around the reference.
struct Case {
    int scale = 4;
    int grid = 5;    // grid x grid views
    int radius = 1;  // of the prior's window
    int size = 512;  // high resolution, both sides
    int views() const { return grid * grid; }
};

Problem make_problem(const Case& c);
std::vector<float> start_image(const Case& c);  // what the solver begins with

// Where each sample of the sampling operator lies, in (view, y, x); samples without weight are left
// out, as in backends/cpu/sampling.cpp.
struct SamplePositions {
    std::vector<Position> positions;
    std::vector<float> weights;
};
SamplePositions sample_positions(const Problem& problem);

}  // namespace plenosr::bench
