#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// What a reconstruction measured in its pictures and chose from that. Pictures that belong
// together, such as the steps of a video, are reconstructed with the same estimates, so that noise
// and sharpness do not flicker: ReconstructOptions::estimates. Grey levels, at full precision.
struct Estimates {
    int scale = 2;        // that they hold for
    bool frames = false;  // of frames, not of views
    std::string blur;     // as it was used; empty: its file is not told
    double noise = 1;     // of all residuals, model error included
    double sensor_noise = 0;
    double quietest_noise = 0;
    double impulses = 0;  // fraction of the samples
    double gain = 0;      // of noise that grows with the brightness, and the rest of it
    double read_noise = 0;
    double texture = 0;  // of the scene, two measures of it
    double detail = 0;
    double mean_weight = 1;  // of the prior
    double lambda = 0;
    bool operator==(const Estimates&) const = default;
};

// A JSON file with the object "estimates": the report of a reconstruction, or what the task
// `reduce` of a job wrote. Error(input)
Estimates read_estimates(const std::filesystem::path& file);
Estimates parse_estimates(const std::filesystem::path& file, const std::string& text);
std::string format_estimates(const Estimates& estimates);  // such a file

// The median of each number (of two, the lower one, so that equal texts give equal bits), and the
// blur of the median noise. Error(input) if they differ in scale or kind, or if there are none.
Estimates median_of(std::vector<Estimates> all);

}  // namespace PLENOSR_EXPORT
