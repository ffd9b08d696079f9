#pragma once

#include <string>
#include <vector>

#include "experiment/lab.h"

namespace plenosr::app {

struct Experiment {
    std::string name;
    std::string title;
    std::string paper;  // the item that it repeats
    void (*run)(Lab&);
};

// In the order of the paper.
const std::vector<Experiment>& experiments();

// One file each.
void run_weights(Lab& lab);
void run_iterations(Lab& lab);
void run_data_terms(Lab& lab);
void run_inputs(Lab& lab);
void run_solvers(Lab& lab);
void run_motion_blur(Lab& lab);
void run_noise_table(Lab& lab);
void run_frames_table(Lab& lab);
void run_strategies(Lab& lab);
void run_platforms(Lab& lab);

// PSNR of the models by iteration beside the paper's (iteration, dB), the first of them its start.
void show_by_iteration(Lab& lab, const std::string& what, const Degraded& low,
                       const std::vector<std::pair<int, double>>& paper);

// A sentence on how far ours is above or below the paper's number; `where`: "after 5 iterations".
std::string beside_paper(const std::string& model, const std::string& where, double ours,
                         double paper);

}  // namespace plenosr::app
