#include "problem/model.h"

#include "problem/prior.h"

namespace plenosr {

double blur_energy(const PsfGrid& psf) {
    double energy = 0;
    for (const Psf& node : psf.nodes)
        for (const float k : node.kernel.values)
            energy += double(k) * double(k);
    return energy / double(psf.nodes.size());
}

ReconstructOptions chosen_model(const ReconstructOptions& given, const PsfGrid& psf) {
    ReconstructOptions o = given;
    if (o.data == DataTerm::automatic) {
        // Weights that were given belong to l1+l2; gradient descent is there to be compared with.
        const bool plain = o.lambda1 || o.lambda2 || o.solver != Solver::admm;
        o.data = o.gain || o.read_noise ? DataTerm::poisson_gauss
                 : plain                ? DataTerm::l1_l2
                                        : DataTerm::mixture;
    }
    const bool mixture = is_likelihood(o.data);
    if (o.prior == Prior::automatic) o.prior = mixture ? Prior::first_second : Prior::weighted;
    // The expectation step and the similarity of patches need a start that is near the truth.
    const bool near = mixture || prior_weights(o.prior).patch;
    if (o.init == Initial::automatic) o.init = near ? Initial::median : Initial::bicubic;
    // Whether the noise is worth a denoiser is seen later; it needs the mixture's estimates.
    if (o.denoiser == Denoiser::automatic && o.data != DataTerm::mixture)
        o.denoiser = Denoiser::none;
    if (!o.tolerance) o.tolerance = 0.0;
    if (!o.window) o.window = 1;
    if (!o.lambda1) o.lambda1 = 1.0;
    if (!o.lambda2) o.lambda2 = 0.01;
    const double energy = blur_energy(psf);
    // At x2 two conjugate-gradient steps reach the quality of five in under half of the work; at x4
    // they lose 0.2 dB. The mixture gains 0.2 to 0.9 dB by more of them where noise is strong, and
    // 0.5 dB by still more where the blur is wide for the scale, as that of motion is.
    const bool wide = energy * o.scale * o.scale < 0.8;  // Gaussian: x2 2.4, x4 1.4
    if (!o.cg) o.cg = mixture ? (wide ? 12 : 6) : energy > 0.4 ? 2 : energy > 0.12 ? 3 : 5;
    if (!o.iterations) o.iterations = mixture ? (energy > 0.4 ? 10 : 14) : 8;
    return o;
}

}  // namespace plenosr
