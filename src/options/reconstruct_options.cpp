#include "options/device_names.h"
#include "options/option_list.h"

namespace plenosr {

const std::vector<Option<ReconstructOptions>>& reconstruct_options() {
    using O = ReconstructOptions;
    static const std::vector<Option<O>> list = {
        number("scale", "Z", &O::scale, between(2, 64),
               "how many times more pixels along each axis"),
        blur_option(&O::blur),
        psf_grid_option(&O::blur),
        choice(
            "data", &O::data,
            {{"auto", DataTerm::automatic},
             {"l1", DataTerm::l1},
             {"l2", DataTerm::l2},
             {"l1+l2", DataTerm::l1_l2},
             {"huber", DataTerm::huber},
             {"mixture", DataTerm::mixture},
             {"poisson-gauss", DataTerm::poisson_gauss}},
            "data term: l1 resists impulses, l2 suits Gaussian noise, l1+l2 both at once; huber is "
            "l2 for small residuals and l1 for large ones; mixture tells impulses from clipped "
            "noise by their likelihood; poisson-gauss knows noise that grows with the brightness; "
            "auto is mixture, poisson-gauss where gain or read-noise are given, and l1+l2 where "
            "lambda1 or lambda2 are given or the solver is no admm"),
        automatic_number("lambda1", "X", &O::lambda1, at_least(0.0),
                         "weight of the l1 data term; auto: 1"),
        automatic_number("lambda2", "X", &O::lambda2, at_least(0.0),
                         "weight of the l2 data term, per squared grey level; auto: 0.01"),
        automatic_number("gain", "X", &O::gain, at_least(0.0),
                         "grey levels per photon, for poisson-gauss: the variance of the noise is "
                         "gain times brightness plus the square of read-noise; 255 / photons at "
                         "white; auto estimates it from the views"),
        automatic_number("read-noise", "X", &O::read_noise, at_least(0.0),
                         "standard deviation of the noise in the dark, in grey levels, for "
                         "poisson-gauss; auto estimates it from the views"),
        choice("prior", &O::prior,
               {{"auto", Prior::automatic},
                {"first+second", Prior::first_second},
                {"weighted", Prior::weighted},
                {"nltv", Prior::nltv},
                {"bswtv", Prior::bswtv},
                {"btv", Prior::btv},
                {"tv", Prior::tv}},
               "smoothness: first+second takes first and second differences and spares edges, "
               "weighted spares edges and occlusions, nltv weighs each difference by how alike the "
               "patches at its ends are, bswtv by the bilateral covariance of the gradients, btv "
               "weighs by distance alone, tv uses the "
               "direct neighbours; auto is first+second for the mixture, else weighted"),
        automatic_number("lambda", "X", &O::lambda, at_least(0.0),
                         "weight of the prior: more smooths more; auto takes it from the noise and "
                         "the number of samples per pixel"),
        automatic_number("window", "N", &O::window, between(1, 3),
                         "radius of the prior's window in pixels; auto is 1, the best and the "
                         "fastest as a rule"),
        choice("denoiser", &O::denoiser,
               {{"auto", Denoiser::automatic},
                {"none", Denoiser::none},
                {"bm3d", Denoiser::bm3d},
                {"nlm", Denoiser::nlm}},
               "a denoiser's view of the result, averaged with it: block matching or non-local "
               "means, in four steps that heed the views; auto is bm3d for the mixture where the "
               "noise is at least 5 or the blur wide (x3, x4, motion), else none"),
        choice("visibility", &O::visibility,
               {{"none", Visibility::none}, {"hard", Visibility::hard}, {"soft", Visibility::soft}},
               "how pixels that the reference view cannot see take part: fully, not at all, or "
               "with a weight that depends on the noise"),
        choice("interpolation", &O::interpolation,
               {{"bilinear", Interpolation::bilinear}, {"bicubic", Interpolation::bicubic}},
               "between pixels; bicubic gains 0.2 to 0.4 dB"),
        choice(
            "operator", &O::operator_form,
            {{"sampling", OperatorForm::sampling}, {"chain", OperatorForm::chain}},
            "sampling blurs once for all views; chain warps, blurs and decimates each (slow, the "
            "general reference)"),
        choice("init", &O::init,
               {{"auto", Initial::automatic},
                {"bicubic", Initial::bicubic},
                {"median", Initial::median}},
               "the image to start from: the enlarged reference view, or the median of all views; "
               "auto is median for the mixture, else bicubic"),
        choice("solver", &O::solver,
               {{"admm", Solver::admm},
                {"gd", Solver::gd},
                {"gd-ls", Solver::gd_ls},
                {"admm-paper", Solver::admm_paper}},
               "admm; for comparison: gradient descent with a fixed step or a line search, and "
               "admm as it was published (on the cpu, with --visibility none)"),
        automatic_number("iterations", "N", &O::iterations, between(0, 1000000),
                         "of the solver, at most; auto takes 8, for the mixture 10 or, with a wide "
                         "blur, 14"),
        automatic_number("cg", "N", &O::cg, between(1, 1000),
                         "conjugate-gradient steps in each admm iteration; auto takes 2, 3 or 5, "
                         "more for a wider blur; for the mixture 6, or 12 where the blur is wide "
                         "for the scale, as that of motion is"),
        automatic_number("tolerance", "X", &O::tolerance, at_least(0.0),
                         "stop when an iteration changes the image by less than this, relative; 0: "
                         "never; auto: by less than 0.01 of the noise that is left in a pixel of "
                         "the result, for likelihoods without tiles, else 0"),
        automatic_number("data-threshold", "X", &O::data_threshold, at_least(0.01),
                         "residual in grey levels up to which an admm iteration takes a sample for "
                         "explained by the l1 data term: its penalty is lambda1 over this; auto: "
                         "20, less without impulses and at little noise"),
        automatic_number("prior-threshold", "X", &O::prior_threshold, at_least(0.01),
                         "difference in grey levels up to which an admm iteration takes two pixels "
                         "for equal: the prior's penalty is lambda over this; auto: 8.6"),
        choice(
            "reweight", &O::reweight, {{"on", true}, {"off", false}},
            "recompute the prior's weights from the image in every iteration (for the mixture in "
            "the first three)"),
        automatic_number(
            "refine-disparity", "N", &O::refine_disparity, between(0, 16),
            "rounds in which the disparity is fitted to the result, and the result "
            "made again; auto does one at low noise where the disparity was estimated, up to five "
            "with a wide blur (x3, x4, motion), and one there where it was given at the views' "
            "size"),
        choice("colour", &O::colour, {{"luma", Colour::luma}, {"rgb", Colour::rgb}},
               "luma solves for brightness and interpolates the colours; rgb solves all three"),
        words("device", "cpu|opencl|opencl:INDEX|opencl:NAME-PART|auto|LIST", &O::device,
              "where to compute: the native engine, an OpenCL device (`plenosr devices` lists "
              "them), or the fastest GPU if there is one (auto); several devices, with commas, "
              "share the image by tiles"),
        choice("strategy", &O::strategy,
               {{"auto", MemoryStrategy::automatic},
                {"buffer", MemoryStrategy::buffer},
                {"image", MemoryStrategy::image},
                {"local", MemoryStrategy::local}},
               "where OpenCL kernels read neighbourhoods from: buffers, Image2D objects or tiles "
               "in local memory; auto takes what suits the device"),
        choice("profile", &O::profile, {{"on", true}, {"off", false}},
               "measure every OpenCL kernel and print the table"),
        number("threads", "N", &O::threads, between(0, 4096), "0: one per core"),
        byte_count("memory-limit", &O::memory_limit,
                   "bytes of memory for the work, in tiles where need be; input and output images "
                   "are not counted; none: what the device has"),
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
    make_psf_grid(blur, scale);
    device_names(device);
    if (solver == Solver::admm_paper) {
        if (device_names(device) != std::vector<std::string>{"cpu"})
            refuse("device", device, "cpu for the solver admm-paper");
        if (visibility == Visibility::soft)
            refuse("visibility", shown(*this, "visibility"),
                   "none or hard for the solver admm-paper, whose samples count fully or not");
        const bool has_l1 =
            data == DataTerm::l1 || data == DataTerm::l1_l2 || data == DataTerm::automatic;
        if (!has_l1 || lambda1 == 0.0)
            refuse("data", shown(*this, "data"), "l1 or l1+l2 for the solver admm-paper");
    }
    const bool photons = data == DataTerm::poisson_gauss || data == DataTerm::automatic;
    if ((gain || read_noise) && !photons)
        refuse("data", shown(*this, "data"), "poisson-gauss where gain or read-noise is given");
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
        throw Error(ErrorKind::invalid_option,
                    fmt::format("the data term has no weight: lambda1 = {} and lambda2 = {} must "
                                "not both vanish for the chosen data term",
                                l1, l2));
}

}  // namespace plenosr
