#include "options/device_names.h"
#include "options/option_list.h"

namespace plenosr {

namespace {

// A denoiser of the user is shown as `function`, which only such a struct accepts.
Option<ReconstructOptions> denoiser_option(Option<ReconstructOptions> option) {
    const auto set = option.set;
    const auto show = option.show;
    option.set = [=](ReconstructOptions& o, const std::string& text) {
        if (!o.denoiser_function || text != "function") set(o, text);
    };
    option.show = [=](const ReconstructOptions& o) {
        return o.denoiser_function ? "function" : show(o);
    };
    return option;
}

}  // namespace

const std::vector<Option<ReconstructOptions>>& reconstruct_options() {
    using O = ReconstructOptions;
    static const std::vector<Option<O>> list = {
        basic(number("scale", "Z", &O::scale, between(2, 64),
                     "factor on the width and height of the result")),
        basic(blur_option(&O::blur, true)),
        psf_grid_option(&O::blur),
        phase_option(&O::phase),
        choice("data", &O::data,
               {{"auto", DataTerm::automatic},
                {"l1", DataTerm::l1},
                {"l2", DataTerm::l2},
                {"l1+l2", DataTerm::l1_l2},
                {"huber", DataTerm::huber},
                {"mixture", DataTerm::mixture},
                {"poisson-gauss", DataTerm::poisson_gauss}},
               "data term: l1 resists impulses, l2 suits Gaussian noise, l1+l2 is the sum of both; "
               "huber is l2 for small residuals and l1 for large ones; mixture is the likelihood "
               "of Gaussian noise with clipping and impulses; poisson-gauss is the likelihood of "
               "noise that grows with the brightness; auto is poisson-gauss if --gain or "
               "--read-noise is given, l1+l2 if --lambda1 or --lambda2 is given or the solver is "
               "not admm, otherwise mixture"),
        automatic_number("lambda1", "X", &O::lambda1, at_least(0.0),
                         "weight of the l1 data term; auto is 1"),
        automatic_number("lambda2", "X", &O::lambda2, at_least(0.0),
                         "weight of the l2 data term, per squared grey level; auto is 0.01"),
        automatic_number("gain", "X", &O::gain, at_least(0.0),
                         "grey levels per photon (255 / photons at white), for poisson-gauss: the "
                         "variance of the noise is gain * brightness + read-noise^2; auto "
                         "estimates it from the pictures"),
        automatic_number("read-noise", "X", &O::read_noise, at_least(0.0),
                         "standard deviation of the noise in dark areas, in grey levels, for "
                         "poisson-gauss; auto estimates it from the pictures"),
        choice("prior", &O::prior,
               {{"auto", Prior::automatic},
                {"first+second", Prior::first_second},
                {"weighted", Prior::weighted},
                {"nltv", Prior::nltv},
                {"bswtv", Prior::bswtv},
                {"btv", Prior::btv},
                {"tv", Prior::tv}},
               "smoothness prior: first+second penalises first and second differences, less at "
               "edges; weighted penalises first differences, less at edges and occlusions; nltv "
               "weights each difference by the similarity of the patches at its ends; bswtv by the "
               "bilateral covariance of the gradients; btv by distance alone; tv uses the direct "
               "neighbours; auto is first+second for huber, mixture and poisson-gauss, otherwise "
               "weighted"),
        basic(automatic_number("lambda", "X", &O::lambda, at_least(0.0),
                               "weight of the prior: larger values give smoother results; auto "
                               "depends on noise, blur, texture and samples per pixel (--explain "
                               "prints the value)")),
        automatic_number("window", "N", &O::window, between(1, 3),
                         "radius of the prior's window in pixels; auto is 1, the fastest and "
                         "usually the best"),
        denoiser_option(choice(
            "denoiser", &O::denoiser,
            {{"auto", Denoiser::automatic},
             {"none", Denoiser::none},
             {"bm3d", Denoiser::bm3d},
             {"nlm", Denoiser::nlm}},
            "denoiser after the solver: bm3d (block matching) or nlm (non-local means), each step "
            "combined with the data term; auto is bm3d for --data mixture if more than one grey "
            "level of noise remains in a pixel or the blur is wide (x3, x4, motion), otherwise "
            "none")),
        views_only(choice(
            "visibility", &O::visibility,
            {{"none", Visibility::none}, {"hard", Visibility::hard}, {"soft", Visibility::soft}},
            "weight of samples that the reference view cannot see: none is full "
            "weight, hard is zero, soft depends on the noise")),
        choice("interpolation", &O::interpolation,
               {{"bilinear", Interpolation::bilinear}, {"bicubic", Interpolation::bicubic}},
               "interpolation between pixels; bicubic gains 0.2 to 0.4 dB"),
        views_only(choice("operator", &O::operator_form,
                          {{"sampling", OperatorForm::sampling}, {"chain", OperatorForm::chain}},
                          "sampling blurs once for all views; chain warps, blurs and decimates "
                          "each view (slow; the general reference)")),
        choice("init", &O::init,
               {{"auto", Initial::automatic},
                {"bicubic", Initial::bicubic},
                {"median", Initial::median}},
               "initial image: bicubic is the enlarged reference, median the median of all "
               "registered pictures; auto is median for huber, mixture, poisson-gauss and for "
               "priors that compare patches (nltv, bswtv), otherwise bicubic"),
        choice("solver", &O::solver,
               {{"admm", Solver::admm},
                {"gd", Solver::gd},
                {"gd-ls", Solver::gd_ls},
                {"admm-paper", Solver::admm_paper}},
               "admm; for comparison gd (gradient descent with a fixed step), gd-ls (with a line "
               "search) and admm-paper (ADMM as published, cpu only, not with --visibility soft)"),
        automatic_number("iterations", "N", &O::iterations, between(0, 1000000),
                         "maximum number of solver iterations; auto is 8, for huber, mixture and "
                         "poisson-gauss 10, or 14 if the blur is wide"),
        automatic_number("cg", "N", &O::cg, between(1, 1000),
                         "conjugate-gradient steps in each admm iteration; auto is 2, 3 or 5, more "
                         "for a wider blur; for huber, mixture and poisson-gauss 6, or 12 if the "
                         "blur is wide for the scale, such as motion blur"),
        automatic_number("tolerance", "X", &O::tolerance, at_least(0.0),
                         "stop when the relative change of the image in one iteration is below "
                         "this; 0 is never; auto stops below 0.01 of the noise that remains in a "
                         "pixel (huber, mixture and poisson-gauss, without tiles), otherwise "
                         "never"),
        automatic_number("data-threshold", "X", &O::data_threshold, at_least(0.01),
                         "penalty of the l1 data term in admm, as lambda1 / X: residuals up to X "
                         "grey levels are set to zero in one iteration; auto is 20, less if there "
                         "is little noise and no impulses"),
        automatic_number("prior-threshold", "X", &O::prior_threshold, at_least(0.01),
                         "penalty of the prior in admm, as lambda / X: differences up to X grey "
                         "levels are set to zero in one iteration; auto is 8.6"),
        choice("reweight", &O::reweight, {{"on", true}, {"off", false}},
               "recompute the weights of the prior in every iteration (for huber, mixture and "
               "poisson-gauss in the first three)"),
        choice("self-check", &O::self_check, {{"on", true}, {"off", false}},
               "leave out some samples, predict them from the result and from the enlarged "
               "reference, and use the enlarged reference where the result is significantly worse"),
        choice("keep-weights", &O::weights, {{"on", true}, {"off", false}},
               "keep the weights of the prior and of the views' samples as maps; the page of "
               "--report shows them and turns this on"),
        number("keep-iterations", "N", &O::keep_iterations, between(0, 1000000),
               "keep the image of every Nth iteration, of 32 iterations at most: they play as a "
               "film in the page of --report; 0 keeps none"),
        views_only(automatic_number(
            "refine-disparity", "N", &O::refine_disparity, between(0, 16),
            "rounds that fit the disparity to the result and reconstruct again; auto is 1 for an "
            "estimated disparity at low noise, up to 5 if the blur is also wide (x3, x4, motion), "
            "and 1 for a given map of the size of the views if the blur is wide, otherwise 0")),
        {"estimates", "none|FILE",
         "use the noise, blur, texture and lambda of this file instead of measuring them, so that "
         "pictures that belong together are treated alike: the JSON report of another "
         "reconstruction, or what a job wrote (docs/distributed.md)",
         [](O& o, const std::string& text) { o.estimates = text == "none" ? "" : text; },
         [](const O& o) { return o.estimates.empty() ? std::string("none") : o.estimates; }},
        basic(choice("colour", &O::colour, {{"luma", Colour::luma}, {"rgb", Colour::rgb}},
                     "luma super-resolves the brightness and interpolates the colours; rgb "
                     "super-resolves all three channels")),
        basic(words("device", "cpu|opencl|opencl:INDEX|opencl:NAME-PART|auto|LIST", &O::device,
                    "where to compute: cpu, an OpenCL device (`plenosr devices` lists them) or "
                    "auto, the fastest GPU if there is one, otherwise cpu; devices separated by "
                    "commas share the image by tiles")),
        choice("strategy", &O::strategy,
               {{"auto", MemoryStrategy::automatic},
                {"buffer", MemoryStrategy::buffer},
                {"image", MemoryStrategy::image},
                {"local", MemoryStrategy::local}},
               "where OpenCL kernels read neighbourhoods from: buffers, Image2D objects or tiles "
               "in local memory; auto depends on the device"),
        choice("profile", &O::profile, {{"on", true}, {"off", false}},
               "measure every OpenCL kernel and print a table"),
        number("threads", "N", &O::threads, between(0, 4096),
               "number of CPU threads; 0 is one per core"),
        byte_count(
            "memory-limit", &O::memory_limit,
            "memory for the work in bytes, without the input and output images; larger "
            "images are processed in tiles; none is what this process may use (control groups, "
            "ulimit -v) and what the device has"),
        number("border", "N", &O::border, between(0, 65536),
               "pixels on each side of the result that PSNR and SSIM leave out, with --truth"),
        views_only(force_option(&O::force)),
    };
    return list;
}

namespace {

std::string shown(const ReconstructOptions& o, const std::string& name) {
    for (const Option<ReconstructOptions>& option : reconstruct_options())
        if (option.name == name) return option.show(o);
    return {};
}

}  // namespace

bool is_likelihood(DataTerm data) {
    return data == DataTerm::huber || data == DataTerm::mixture || data == DataTerm::poisson_gauss;
}

void ReconstructOptions::validate() const {
    validate_all(*this, reconstruct_options());
    if (blur.text != "auto") make_psf_grid(blur, sampling_grid(blur, phase, scale));
    device_names(device);
    if (!estimates.empty()) read_estimates(estimates);
    if (solver == Solver::admm_paper) {
        if (device_names(device) != std::vector<std::string>{"cpu"})
            refuse("device", device, "cpu for the solver admm-paper");
        if (visibility == Visibility::soft)
            refuse("visibility", shown(*this, "visibility"),
                   "none or hard for the solver admm-paper");
        const bool has_l1 =
            data == DataTerm::l1 || data == DataTerm::l1_l2 || data == DataTerm::automatic;
        if (!has_l1 || lambda1 == 0.0)
            refuse("data", shown(*this, "data"), "l1 or l1+l2 for the solver admm-paper");
    }
    const bool photons = data == DataTerm::poisson_gauss || data == DataTerm::automatic;
    if ((gain || read_noise) && !photons)
        refuse("data", shown(*this, "data"),
               "auto or poisson-gauss if gain or read-noise is given");
    const bool counts_photons = data == DataTerm::automatic && (gain || read_noise);
    if (is_likelihood(data) || counts_photons) {
        if (solver != Solver::admm)
            refuse("data", counts_photons ? "poisson-gauss" : shown(*this, "data"),
                   "l1, l2 or l1+l2 for solvers other than admm, or auto");
        return;
    }
    const double l1 = lambda1.value_or(1.0);
    const double l2 = lambda2.value_or(1.0);
    const bool has_l1 = data != DataTerm::l2 && l1 > 0;
    const bool has_l2 = data != DataTerm::l1 && l2 > 0;
    if (!has_l1 && !has_l2)
        throw Error(
            ErrorKind::invalid_option,
            fmt::format("data = {} has no weight with lambda1 = {} and lambda2 = {}; one of "
                        "them must be above 0",
                        shown(*this, "data"), l1, l2));
}

}  // namespace plenosr
