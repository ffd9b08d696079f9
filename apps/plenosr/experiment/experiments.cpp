#include "experiment/experiments.h"

#include <fmt/format.h>

namespace plenosr::app {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> list = {
        {"weights", "Weights of the prior", "the regularisation weights at iterations 1 and 10",
         run_weights},
        {"iterations", "Quality by iteration",
         "x4 super-resolution of dishes, 17 views, noise 1/1: 21.72, 24.96 and 29.53 dB at the "
         "start and after iterations 1 and 5",
         run_iterations},
        {"data-terms", "Data terms", "l1, l2 and l1+l2 on medieval2, x2, noise 10/1",
         run_data_terms},
        {"inputs", "Number of views",
         "x4 super-resolution of vinyl from 3 to 49 views: 27.55 to 32.09 dB", run_inputs},
        {"solvers", "Solvers", "cost against computation units, x2, vinyl", run_solvers},
        {"motion-blur", "Motion blur",
         "x2 super-resolution of vinyl in motion blur at 45 degrees: 26.86, 30.27 and 35.43 dB at "
         "the start and after iterations 1 and 10",
         run_motion_blur},
        {"noise-table", "Mixed noise", "PSNR and SSIM at four kinds of noise, x2, five scenes",
         run_noise_table},
        {"frames-table", "Several frames",
         "multi-frame super-resolution, x2 and x3: gains over interpolation, time",
         run_frames_table},
        {"strategies", "Memory strategies",
         "time of input and output, z/w-step and x-step with buffers, images and local memory",
         run_strategies},
        {"platforms", "Devices", "time of one ADMM iteration for 9 to 81 views, by device",
         run_platforms},
        {"clean-table", "The clean protocol of the field",
         "not in the paper: clean views reduced by MATLAB's bicubic, x2 and x4, beside published "
         "networks",
         run_clean_table},
    };
    return list;
}

std::string beside_paper(const std::string& model, const std::string& where, double ours,
                         double paper) {
    const double lead = ours - paper;
    return fmt::format("{}, {}: {:.2f} dB, {:.2f} dB {} the paper's {:.2f}.", model, where, ours,
                       lead < 0 ? -lead : lead, lead < 0 ? "BELOW" : "above", paper);
}

}  // namespace plenosr::app
