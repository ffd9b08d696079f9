#include "problem/model.h"

#include "problem/prior.h"

namespace plenosr {
namespace {

// l1 + l2: the weights of a prototype on scenes of the 4D Light Field Benchmark.
constexpr double default_lambda1 = 1.0;
constexpr double default_lambda2 = 0.01;
constexpr int default_window = 1;  // radius; 2 lost 0.4 to 0.5 dB in the prototype

// Conjugate-gradient steps per iteration. For l1 and l2 two steps reach the quality of five at x2,
// in less than half of the work; at x4 they lose 0.2 dB.
constexpr int cg_steps_x2 = 2;
constexpr int cg_steps_x3 = 3;
constexpr int cg_steps_x4 = 5;
constexpr double x4_blur_energy = 0.12;  // between the default blurs of x3 and x4
// The mixture gains 0.2 to 0.9 dB by more steps in strong noise, and 0.5 dB by still more if the
// blur is wide for its scale, as motion blur is.
constexpr int mixture_cg_steps = 6;
constexpr int mixture_cg_steps_wide = 12;
constexpr double wide_energy_of_scale = 0.8;  // E scale^2; a Gaussian has 2.4 at x2 and 1.4 at x4

// Iterations, from the PSNR by iteration (docs/results.md): more gain nothing.
constexpr int default_iterations = 8;
constexpr int mixture_iterations = 10;
constexpr int mixture_iterations_wide = 14;

}  // namespace

double blur_energy(const PsfGrid& psf) {
    double energy = 0;
    for (const Psf& node : psf.nodes)
        for (const float k : node.kernel.values)
            energy += double(k) * double(k);
    return energy / double(psf.nodes.size());
}

ReconstructOptions chosen_model(const ReconstructOptions& given, const PsfGrid& psf) {
    ReconstructOptions o = given;
    o.phase = phase_spec({o.scale, psf.phase});
    if (o.data == DataTerm::automatic) {
        // Given weights belong to l1+l2; gradient descent, a baseline, has no mixture.
        const bool plain = o.lambda1 || o.lambda2 || o.solver != Solver::admm;
        o.data = o.gain || o.read_noise ? DataTerm::poisson_gauss
                 : plain                ? DataTerm::l1_l2
                                        : DataTerm::mixture;
    }
    const bool mixture = is_likelihood(o.data);
    if (o.prior == Prior::automatic) o.prior = mixture ? Prior::first_second : Prior::weighted;
    // The expectation step and patch weights need an initial estimate near the truth.
    const bool near = mixture || prior_weights(o.prior).patch;
    if (o.init == Initial::automatic) o.init = near ? Initial::median : Initial::bicubic;
    // Levels, tiles and memory are those of BM3D.
    if (o.denoiser_function) o.denoiser = Denoiser::bm3d;
    // A denoiser needs the mixture's estimates. Whether the noise justifies it is decided later.
    if (o.denoiser == Denoiser::automatic && o.data != DataTerm::mixture)
        o.denoiser = Denoiser::none;
    if (!o.tolerance) o.tolerance = 0.0;
    if (!o.window) o.window = default_window;
    if (!o.lambda1) o.lambda1 = default_lambda1;
    if (!o.lambda2) o.lambda2 = default_lambda2;
    const double energy = blur_energy(psf);
    if (!o.cg && mixture)
        o.cg = energy * o.scale * o.scale < wide_energy_of_scale ? mixture_cg_steps_wide
                                                                 : mixture_cg_steps;
    else if (!o.cg)
        o.cg = energy > wide_blur_energy ? cg_steps_x2
               : energy > x4_blur_energy ? cg_steps_x3
                                         : cg_steps_x4;
    if (!o.iterations)
        o.iterations = !mixture                    ? default_iterations
                       : energy > wide_blur_energy ? mixture_iterations
                                                   : mixture_iterations_wide;
    return o;
}

}  // namespace plenosr
