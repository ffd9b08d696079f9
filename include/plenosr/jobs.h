#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/all_views.h"
#include "plenosr/convert.h"
#include "plenosr/degrade.h"
#include "plenosr/devices.h"
#include "plenosr/disparity.h"
#include "plenosr/export.h"
#include "plenosr/forward_operator.h"
#include "plenosr/frames.h"
#include "plenosr/inspect.h"
#include "plenosr/light_field_source.h"
#include "plenosr/metrics.h"
#include "plenosr/noise.h"
#include "plenosr/options.h"
#include "plenosr/reconstruct.h"

namespace plenosr PLENOSR_EXPORT {

// What the commands of the program do between their arguments and their outputs, and the contents
// of their JSON reports (docs/cli.md). If they are cancelled, they throw Error(cancelled), except
// run_reconstruct() and run_frames(), whose report has a result. The program and the Python module
// are both made of this.

// `options` with scale, blur and phase as `plenosr degrade` recorded them. A blur that is not
// recorded is estimated (`auto`).
ReconstructOptions with_record(ReconstructOptions options,
                               const std::optional<DegradeOptions>& record);
SamplingGrid sampling_of(const ReconstructOptions& options);
// The options of the solver that frames have.
const std::vector<Option<ReconstructOptions>>& frames_solver_options();
// The image as a file stores it: rounded to the depth of the file and clipped. With the name of a
// file that is_lossy(): what remains after its compression.
Image as_written(Image image, PixelFormat format);
Image as_written(const Image& image, const std::filesystem::path& file,
                 const ImageEncoding& encoding);
// The value is one of the words "a|b|c"; else Error(invalid_option) with the name of the option.
void require_one_of(const std::string& name, const std::string& value, const std::string& words);
// A border of so many pixels leaves enough of the result to compare; else Error(invalid_option).
void require_border(int border, int width, int height);
// "8", "16", and "float" if it is allowed; Error(invalid_option) for others.
PixelFormat parse_bits(const std::string& bits, bool allow_float);
std::string bits_of(PixelFormat format);  // the inverse
// How a picture of this name is stored, by --bits (empty: as the name asks) and --quality. Error if
// they contradict one another.
ImageEncoding chosen_encoding(const std::filesystem::path& output, const std::string& bits,
                              std::optional<int> quality);
// Error(invalid_option) for a grid of PSFs if the light field is a part of its views (--crop).
void require_blur_of_part(const BlurSpec& blur, const LightFieldIndex& index);
// The layout of the light field if it is a folder that can be written, else `fallback`.
std::string folder_layout_of(const LightFieldIndex& index, const std::string& fallback);
// Of all commands that leave views out: a warning if these are more than a third; else nothing.
std::vector<std::string> lost_views(std::size_t left_out, std::size_t views);

// ---- one view -----------------------------------------------------------------------------------
// Which view is reconstructed, from which views, and its disparity.
struct ViewChoice {
    std::string view;                 // "R,C"; empty: the centre
    std::string views = "all";        // select_views()
    std::filesystem::path disparity;  // choose_disparity()
    std::string disparity_from = "auto";
    Image map;  // a map in memory, instead of both; empty: none
};

// The contents of the report of `plenosr reconstruct`.
struct ReconstructReport {
    std::string output;
    std::string bits;
    ReconstructOptions options;
    ViewPosition reference;
    std::vector<ViewPosition> views;  // that were asked for
    Box part;                         // OpenOptions::crop; width 0: all
    std::vector<std::string> notes;   // of the job; those of the reconstruction are in `result`
    DisparityChoice disparity;
    ReconstructResult result;
    Metadata metadata;               // of the reference, for the file of the result
    std::string film;                // the file of result.film; empty: not written
    double seconds = 0;              // without reading and writing
    std::optional<Quality> bicubic;  // of the enlarged reference, if a truth is given
    std::optional<Quality> initial;
    std::optional<Quality> final;
};

// Sets reference, views and disparity of the report, whose options are set. Throws if they do not
// exist or do not fit.
void choose_views(const LightFieldSource& source, const ViewChoice& choice, const ViewOrder& order,
                  ReconstructReport& report);

// Puts the views in order, reads and reconstructs. The report's options are set. result.seconds.io
// is the time of reading. A truth that is not empty has the size of the result; if there is an
// image, it is compared as the file report.output would store it.
void run_reconstruct(LightFieldSource& source, const ViewChoice& choice, const OpenOptions& open,
                     const Image& truth, const ImageEncoding& encoding, const Progress& progress,
                     ReconstructReport& report);

// The operator that run_reconstruct() would use for the first round. A disparity that is missing is
// estimated.
ForwardOperator make_operator(LightFieldSource& source, const ViewChoice& choice,
                              const OpenOptions& open, const Progress& progress,
                              ReconstructReport& report);

// The views that were asked for, without those that the disparity estimation rejected.
std::vector<ViewPosition> views_used(const ReconstructReport& report);
// The notes of the job, of the reconstruction and of the disparity estimation.
std::vector<std::string> all_notes(const ReconstructReport& report);
std::vector<std::string> warnings_of(const ReconstructReport& report);
std::string json_report(const ReconstructReport& report);
// The file beside the output in which the kept iterations are stored: a TIFF with a page for each.
std::filesystem::path film_file(const std::filesystem::path& output);
void write_film(const std::filesystem::path& file, const std::vector<KeptIteration>& film,
                PixelFormat format);
const char* name_of(Termination termination);             // "max_iterations"
std::string divergence(const ReconstructReport& report);  // the sentence for Termination::diverged

// ---- all views ----------------------------------------------------------------------------------
struct AllViewsChoice {
    std::string views = "all";
    std::filesystem::path disparity;  // a folder of maps; empty: none given
    std::string disparity_from = "auto";
    std::filesystem::path truth;  // a light field of full resolution; empty: none
    std::filesystem::path state;  // AllViewsOptions::state
};

// A map for each view. Views without one stay empty: reconstruct_all() derives their map from the
// nearest view that has one.
struct MapsOfViews {
    std::vector<Image> of_views;
    std::string from;
    bool complete = true;    // every view has a map of its own
    double agreement = 1;    // of estimates, with the map of the centre
    bool estimated = false;  // from views with parallax
    std::vector<ViewPosition> left_out;
    std::vector<std::string> notes;

    // Only the maps of the input itself may keep the names of ground truth. Estimates, maps derived
    // from another view and maps of --disparity, which may be estimates, are named as estimates.
    bool are_ground_truth() const { return complete && (from == "lowres" || from == "full"); }
};

struct ViewQuality {
    Quality bicubic;
    Quality result;
};

// The contents of the report of `plenosr reconstruct --view all`.
struct AllViewsReport {
    std::string output;
    std::string format;  // of the light field that is written
    std::string bits;
    ReconstructOptions options;
    Box part;                        // OpenOptions::crop; width 0: all
    std::vector<std::string> notes;  // of the job
    MapsOfViews maps;
    AllViewsResult result;
    std::vector<std::optional<ViewQuality>> quality;
};

// The true views for an input, `scale` times as large.
LightFieldSource open_truths(const LightFieldIndex& input, const std::filesystem::path& truth,
                             const OpenOptions& opened, int scale);
void run_all_views(LightFieldSource& source, const AllViewsChoice& choice, const OpenOptions& open,
                   PixelFormat format, const Progress& progress, AllViewsReport& report);
// Writes the views, with the metadata of those of the input, and their maps to report.output in the
// layout report.format.
void write_all_views(const LightFieldIndex& input, const AllViewsReport& report, PixelFormat format,
                     const Progress& progress = {});
std::vector<std::string> all_notes(const AllViewsReport& report);
std::string json_report(const AllViewsReport& report);

// ---- frames -------------------------------------------------------------------------------------
// The contents of the report of `plenosr frames`.
struct FramesReport {
    ReconstructReport job;  // its views and disparity are not used
    FrameFiles files;       // or names of frames in memory
    std::vector<FrameReport> frames;
    FramesOptions options;
    bool single = false;                  // one frame is enlarged alone
    std::string motion_model;             // that the motions follow, or "given"
    Image moved;                          // weigh_by_motion(); empty: not looked for
    std::optional<Quality> interpolated;  // of interpolate_frames(), if a truth is given
    double registration_seconds = 0;
};

// Error(invalid_option) or Error(input) if the number of frames does not fit `single` or the
// reference.
void require_frames(std::size_t frames, const FramesOptions& options, bool single);
// Known motions may have any origin; the result is relative to the reference. Flows may leave the
// reference out. Error(input) if their number does not fit; `name` names them.
std::vector<FrameMotion> known_motions(std::vector<FrameMotion> motions, std::size_t frames,
                                       const FramesOptions& options, const std::string& name);

// Registers the frames, unless their motions are known, and reconstructs the reference. The options
// of the report are set. If the reference is an outlier, another frame is taken unless it was
// given.
void run_frames(std::vector<Image> frames, std::vector<FrameMotion> motions, bool reference_given,
                const Image& truth, const ImageEncoding& encoding, const Progress& progress,
                FramesReport& report);
std::string json_report(const FramesReport& report);

// ---- disparity ----------------------------------------------------------------------------------
// The contents of the report of `plenosr disparity`.
struct DisparityReport {
    std::string input;
    std::string output;
    DisparityOptions options;
    ViewPosition reference;
    Box part;                        // OpenOptions::crop; width 0: all
    std::size_t views = 0;           // that were asked for
    std::vector<std::string> notes;  // of the job
    bool every_view = false;         // with --all; else result.views is empty
    DisparityOfViews result;
};

// The map of choice.view, or of every view, from choice.views. The report's options and every_view
// are set.
void run_disparity(LightFieldSource& source, const ViewChoice& choice, const OpenOptions& open,
                   const Progress& progress, DisparityReport& report);
std::vector<std::string> all_notes(const DisparityReport& report);
std::string json_report(const DisparityReport& report);

// ---- noise --------------------------------------------------------------------------------------
// The contents of the report of `plenosr noise`.
struct NoiseJob {
    std::string input;
    std::string views = "all";  // select_views() around the centre
    std::string disparity_from = "auto";
    bool single = false;  // each view by itself, which needs no disparity
    ReconstructOptions options;
    std::size_t used = 0;  // number of views
    std::string from;      // of the disparity; empty: none was needed
    std::vector<std::string> notes;
    NoiseReport noise;
    double seconds = 0;
    Box part;  // OpenOptions::crop; width 0: all
};
// The options of a reconstruction that the comparison of views needs.
const std::vector<Option<ReconstructOptions>>& noise_options();
void run_noise(LightFieldSource& source, const OpenOptions& open, const Progress& progress,
               NoiseJob& job);
std::string json_report(const NoiseJob& job);

// ---- descriptions -------------------------------------------------------------------------------
struct MapRange {
    int width = 0;
    int height = 0;
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
    std::size_t not_finite = 0;
};

// The contents of the report of `plenosr info`.
struct LightFieldDescription {
    LightFieldIndex index;
    std::optional<MapRange> map;                   // of the centre view
    std::optional<std::vector<Finding>> findings;  // not set: not inspected
};
// Views in memory cannot be inspected.
LightFieldDescription describe(const LightFieldSource& source, bool inspect,
                               const Progress& progress = {});
std::string json_report(const LightFieldDescription& description);
const char* name_of(PixelFormat format);
const char* name_of(ColourSpace space);
// The options that the record of the light field holds. That of a simulated camera has neither
// blur nor noise.
std::vector<Option<DegradeOptions>> recorded_options(const LightFieldIndex& index);
// Every place of the grid, row by row, and whether the view exists.
void for_each_place(const LightFieldIndex& index,
                    const std::function<void(ViewPosition, bool)>& visit);

// ---- test data and conversion -------------------------------------------------------------------
// Error(invalid_option) if a blur was given, by --blur or --psf-grid, and a lens as well.
void require_one_blur(bool blur_given, const DegradeOptions& options);

// The contents of the report of `plenosr convert`.
struct ConvertReport {
    std::string input;
    std::string input_format;
    std::string output;
    ConvertOptions options;
    ConvertResult result;
    Box part;  // OpenOptions::crop; width 0: all
    std::vector<std::string> notes;
    double seconds = 0;
};
// Puts the views in order and converts. Output and options of the report are set.
void run_convert(LightFieldSource& source, const OpenOptions& open, const Progress& progress,
                 ConvertReport& report);
std::string json_report(const ConvertReport& report);

// ---- devices ------------------------------------------------------------------------------------
// The contents of the report of `plenosr devices`.
std::string json_report(const std::vector<DeviceDescription>& devices);

}  // namespace PLENOSR_EXPORT
