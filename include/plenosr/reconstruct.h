#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
#include "plenosr/estimates.h"
#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/profile.h"
#include "plenosr/progress.h"
#include "plenosr/psf.h"

namespace plenosr PLENOSR_EXPORT {

enum class DataTerm { automatic, l1, l2, l1_l2, huber, mixture, poisson_gauss };
// huber, mixture and poisson_gauss: minus the logarithm of a likelihood.
bool is_likelihood(DataTerm data);
enum class Prior { automatic, first_second, weighted, nltv, bswtv, btv, tv };
enum class Denoiser { automatic, none, bm3d, nlm };
// A denoiser of the user: the image of white Gaussian noise of standard deviation sigma, in grey
// levels, without the noise. It has one channel, or three if three are solved for, and its result
// must have the same size. It is called by the thread of a device; tiles are denoised one by one.
using DenoiserFunction = std::function<Image(const Image& image, double sigma)>;
enum class Visibility { none, hard, soft };
enum class Interpolation { bilinear, bicubic };
enum class OperatorForm { sampling, chain };
enum class Initial { automatic, bicubic, median };
// admm_paper: ADMM as it was published, for comparison: one penalty, the weights inside the split,
// no relaxation, no preconditioner. On the native engine alone.
enum class Solver { admm, gd, gd_ls, admm_paper };
// Where OpenCL kernels read neighbourhoods from: buffers, Image2D objects, tiles in local memory.
enum class MemoryStrategy { automatic, buffer, image, local };

// Minimises over the high-resolution reference view x
//   lambda1 sum m |A x - y| + lambda2 sum m (A x - y)^2 + lambda sum_d w_d e |S_d x|
// or, with the data terms `mixture`, `poisson_gauss` and `huber`, minus the logarithm of a
// likelihood that knows noise, clipping and impulses (docs/mathematics.md). What is automatic or
// not set is chosen from the views, the blur and the other options; ReconstructResult says how.
// Every option has a default, a unit and a reason: reconstruct_options() in plenosr/options.h lists
// them all, and the program's
// --help is made from that list.
struct ReconstructOptions {
    int scale = 2;
    BlurSpec blur;
    PhaseSpec phase;  // where the pixels of the views lie on the grid of the result
    DataTerm data = DataTerm::automatic;
    std::optional<double> lambda1;
    std::optional<double> lambda2;
    std::optional<double> gain;        // grey levels per photon, for poisson_gauss
    std::optional<double> read_noise;  // grey levels, for poisson_gauss
    Prior prior = Prior::automatic;
    std::optional<double> lambda;
    std::optional<int> window;
    Denoiser denoiser = Denoiser::automatic;
    DenoiserFunction denoiser_function;  // used instead of `denoiser` if it is set
    Visibility visibility = Visibility::soft;
    Interpolation interpolation = Interpolation::bicubic;
    OperatorForm operator_form = OperatorForm::sampling;
    Initial init = Initial::automatic;
    Solver solver = Solver::admm;
    std::optional<int> iterations;
    std::optional<int> cg;
    std::optional<double> tolerance;
    // Penalties of admm as thresholds, in grey levels.
    std::optional<double> data_threshold;
    std::optional<double> prior_threshold;
    bool reweight = true;
    bool self_check = true;               // fills in ReconstructResult::self_check
    int keep_iterations = 0;              // every Nth iteration is kept in ReconstructResult::film
    std::optional<int> refine_disparity;  // rounds; not set: by noise, scale and map
    std::string
        estimates;  // a file of estimates (estimates.h), used instead of measuring; empty: none
    Colour colour = Colour::luma;
    std::string device = "cpu";
    std::shared_ptr<DevicePool> devices;  // kept for later calls; not set: none are
    MemoryStrategy strategy = MemoryStrategy::automatic;
    bool profile = false;  // measure each OpenCL kernel
    bool weights = false;  // keep the weights of prior and samples in the result
    int threads = 0;
    std::size_t memory_limit = 0;  // bytes; 0: what this process may use and the devices have
    int border = 0;                // pixels on each side that PSNR and SSIM leave out
    bool force = false;            // go on if most views do not fit: too_many_left_out()

    void validate() const;  // throws Error(invalid_option): field, value, rule
};

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

// One row of the table that a solver leaves behind. Row 0 is the initial image.
struct IterationReport {
    int iteration = 0;
    double cost = 0;  // = data + prior
    double data = 0;
    double prior = 0;
    double primal_residual = 0;  // ADMM: |Fx - z|, else 0
    double dual_residual = 0;    // ADMM: |z - z_old| times the penalties; gd: |gradient|
    double units = 0;            // computation units so far: a CG step 2, a gradient 1, a cost 1
    double seconds = 0;          // since the solver started, reporting excluded
    double psnr = not_measured;  // where a truth is given
    double ssim = not_measured;
};

struct StageSeconds {
    double io = 0;     // filled in by who does the reading and writing
    double setup = 0;  // geometry, weights, assembly, initial image
    double build = 0;  // compiling OpenCL kernels, or loading them from the cache; part of setup
    double zw_step = 0;
    double x_step = 0;
};

// How the image was, or would be, cut into tiles, and what memory that was estimated to take: of
// the devices and of the pipeline that feeds them, without the input and output images.
struct TilesReport {
    int count = 1;
    int width = 0;  // of a tile with its overlap, in pixels of the result
    int height = 0;
    int overlap = 0;                  // on each inner side
    std::string normal;               // "stencil" or "direct": how A'MA is applied
    std::size_t memory_estimate = 0;  // bytes, all devices together
    std::string device;
};

// What `blur = auto` found. Widths are standard deviations in pixels of the result.
struct BlurEstimate {
    BlurSpec blur;     // as it was used
    double sigma = 0;  // its width
    double least = 0;  // widths that explain the pictures about as well; both 0: they cannot be
    double most = 0;   // distinguished, and the default was used
    double edges = 0;  // the width that the sharpest edges allow; 0: there are too few edges
    bool edges_alone = false;  // only the edges tell a width: halfway to it from the default
};

// How well samples that were left out are predicted, by the result and by the enlarged reference
// alone, in regions of at least 32 x 32 low-resolution pixels (docs/mathematics.md).
struct SelfCheck {
    std::string skipped;     // why there was no check; empty: there was one
    int regions = 0;         // that have enough samples
    int better = 0;          // of them, predicted better by the result, before any fallback
    int worse = 0;           // of them, predicted significantly worse: they fell back
    double rms = 0;          // robust, grey levels: of the result's predictions
    double rms_bicubic = 0;  // and of those of the enlarged reference
    double fallback = 0;     // share of the picture that is the enlarged reference instead
    Image gains;             // a pixel for each region: rms_bicubic - rms there; NaN: unknown
    double seconds = 0;      // that it took
};

// The solver's image after an iteration.
struct KeptIteration {
    int iteration = 0;  // as in IterationReport
    Image image;        // smaller than the result if this is large (docs/viewer.md)
};

struct ReconstructResult {
    std::size_t device_memory_peak = 0;  // bytes of memory objects on OpenCL devices
    std::vector<std::string> notes;      // what a user should know, e.g. a strategy that fell back
    std::vector<DeviceProfile> profile;  // per OpenCL device, if asked for
    Image image;                         // the super-resolved reference view
    Image initial;                       // the image that the solver started from
    Image weights;  // e of the prior at the end (of the first direction, where there are several)
    Image trust;    // factor on the weights of the other views' samples at each pixel of the result
    std::vector<IterationReport> iterations;
    std::vector<KeptIteration> film;  // of these, in their order, for keep_iterations
    Termination termination = Termination::not_run;
    std::string message = "reconstruct() was not called.";
    StageSeconds seconds;
    double wall_seconds = 0;
    double noise = 0;                      // estimated standard deviation, model error included
    double sensor_noise = 0;               // the same without model error
    double impulses = 0;                   // estimated fraction of the samples
    ReconstructOptions chosen;             // the options with nothing left open
    std::vector<std::string> explanation;  // what was estimated, chosen, and why: sentences
    double lambda = 0;                     // the prior's weight that was used
    int cg = 0;                            // the conjugate-gradient steps that were used
    std::size_t samples = 0;               // observations that take part
    std::size_t operator_bytes = 0;        // memory of the operators
    std::string device;
    TilesReport tiles;
    std::size_t memory_peak = 0;               // bytes, counted as in tiles.memory_estimate
    std::optional<DisparityResult> estimated;  // where no disparity was given
    std::optional<BlurEstimate> blur;          // for blur = auto
    std::optional<SelfCheck> self_check;       // unless it is off
    std::optional<Estimates> estimates;        // what was measured, or given
    Image refined_disparity;  // at full size, as the last round used it; empty: none was refined
    int refinements = 0;      // rounds that were done
};

// `disparity` is the reference view's map, at low-resolution or full size (its size decides which).
// `truth`, if given, is only looked at to fill in PSNR and SSIM.
ReconstructResult reconstruct(const LightFieldView& light_field, ViewPosition reference,
                              const Image& disparity, const ReconstructOptions& options,
                              const Progress& progress = {}, const Image* truth = nullptr);
// The same with the disparity estimated from the views.
ReconstructResult reconstruct(const LightFieldView& light_field, ViewPosition reference,
                              const ReconstructOptions& options, const Progress& progress = {},
                              const Image* truth = nullptr);

// How the disparity is estimated there.
DisparityOptions matching_options(const ReconstructOptions& options);

// The view enlarged bicubically, its pixel i at scale i + phase.
Image enlarge_view(const ImageView& view, const SamplingGrid& sampling);

// What reconstruct() would do with views of this size, for each device: nothing is computed and
// nothing large is allocated.
struct LightFieldSize {
    int width = 0;
    int height = 0;
    int channels = 1;
    std::vector<ViewPosition> views;
};
std::vector<TilesReport> plan_reconstruct(const LightFieldSize& size, ViewPosition reference,
                                          const Image& disparity,
                                          const ReconstructOptions& options);

}  // namespace PLENOSR_EXPORT
