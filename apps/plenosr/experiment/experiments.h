#pragma once

#include <string>
#include <vector>

#include "experiment/lab.h"

namespace plenosr::app {

struct Experiment {
    std::string name;
    std::string title;
    std::string paper;  // the figure or table of the paper
    void (*run)(Lab&);
};

// In the order of the paper, then others.
const std::vector<Experiment>& experiments();

// Each is in a file of its name.
void run_weights(Lab& lab);
void run_iterations(Lab& lab);
void run_data_terms(Lab& lab);
void run_inputs(Lab& lab);
void run_solvers(Lab& lab);
void run_motion_blur(Lab& lab);
void run_noise_table(Lab& lab);
void run_frames_table(Lab& lab);
void run_clean_table(Lab& lab);
void run_strategies(Lab& lab);
void run_platforms(Lab& lab);

// Plots the PSNR of the models by iteration beside the values of the paper (iteration, dB); the
// first of these is the initial image.
void show_by_iteration(Lab& lab, const std::string& what, const Degraded& low,
                       const std::vector<std::pair<int, double>>& paper);

// "MODEL, WHERE: 30.1 dB, 0.5 dB above the paper's 29.6."
std::string beside_paper(const std::string& model, const std::string& where, double ours,
                         double paper);

}  // namespace plenosr::app
