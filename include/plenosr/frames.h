#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/export.h"
#include "plenosr/motion.h"
#include "plenosr/reconstruct.h"

namespace plenosr PLENOSR_EXPORT {

// ---- several frames of one scene ----------------------------------------------------------------
// Frames are pictures of one size, taken by a camera that moved a little: a burst, or a part of a
// video. One of them is the reference; the result shows its view.

// Models of a frame's motion; each contains the one before it. `automatic` is the simplest one that
// explains the frames.
enum class Registration { automatic, translation, similarity, affine, homography, flow };
// Whether gain, offset and shading of the frames are removed: `automatic` where they are
// significant.
enum class Photometric { automatic, on, off };

// Every option has a default, a unit and a reason: frames_options() in plenosr/options.h.
struct FramesOptions {
    Registration registration = Registration::automatic;
    int reference = 0;  // a frame, counted from 0; sharpest_frame: see rank_by_sharpness()
    Photometric photometric = Photometric::automatic;
    bool motion = true;       // down-weight samples that do not show what the reference shows
    std::optional<int> best;  // use only so many frames; empty: all
    bool clipped = true;      // as LightField::clipped
    static constexpr int sharpest_frame = -1;

    void validate() const;  // throws Error(invalid_option)
};

// How one frame relates to the reference: reference = (gain + shading) frame + offset.
struct FrameReport {
    FrameMotion motion;
    Registration model = Registration::translation;  // of the motion
    double gain = 1;
    double offset = 0;  // grey levels
    // s0 u + s1 v + s2 u^2 + s3 u v + s4 v^2, where (u, v) is -1 to 1 over the frame's width,
    // height
    std::array<double, 5> shading = {};
    bool equalised = false;  // gain, offset and shading are significant
    double sharpness = 0;    // gradients of the frame, relative to those of the reduced frame
    double residual = 0;     // robust standard deviation of the registered, smoothed difference
    double overlap = 1;      // fraction of its pixels that lie in the reference
    double weight = 1;       // weight of its samples: below 1 if the frame is an outlier
    std::string weight_reason = {};  // why the weight is below 1; empty if it is 1
    Image weights = {};  // of its samples, beside `weight`: 0 to 1, of the frame's size; empty: 1
};

// The sharpness of the frames, and their order by it, sharpest first.
struct FrameRanks {
    std::vector<double> sharpness;
    std::vector<int> order;
};
FrameRanks rank_by_sharpness(const std::vector<Image>& frames, const FramesOptions& options);

// Leaves out (weight 0, with a reason) all but the `count` best frames, the reference among them:
// those of the largest weight, and of these the sharpest.
void keep_best(std::vector<FrameReport>& reports, int reference, int count);

// Registers every frame to the reference: impulses are repaired, frames are smoothed; phase
// correlation, then Gauss-Newton from coarse to fine with Tukey's weights. Four or more frames
// whose shifts lie on a lattice are registered once more, each to all others together. Flow
// adds a dense field to an affine motion. Frames that do not fit get a weight below 1 and a reason.
std::vector<FrameReport> register_frames(const std::vector<Image>& frames,
                                         const FramesOptions& options,
                                         const Progress& progress = {});

// The same report for known motions.
std::vector<FrameReport> examine_frames(const std::vector<Image>& frames,
                                        const std::vector<FrameMotion>& motions,
                                        const FramesOptions& options,
                                        const Progress& progress = {});

// Checks whether the reference itself is the outlier: most frames differ from it much more than
// from one another. Some frames are registered to others for this. Needs at least three frames.
struct ReferenceCheck {
    int better = -1;     // a frame that suits better as the reference; -1: the reference is fine
    std::string reason;  // why
};
ReferenceCheck check_reference(const std::vector<Image>& frames,
                               const std::vector<FrameReport>& reports,
                               const FramesOptions& options, const Progress& progress = {});

// Finds where something moved, and fills in `weights` of the reports. A sample is left out if it
// does not show what the reference shows there, by more than noise and aliases explain, and if a
// quick result from all samples (options `solve`) does not explain it either. Returns the mean of
// 1 - weight over the frames at each pixel of the reference: 0 is still, 1 is a place that the
// reference alone shows.
Image weigh_by_motion(const std::vector<Image>& frames, std::vector<FrameReport>& reports,
                      const FramesOptions& options, const ReconstructOptions& solve,
                      const Progress& progress = {});

// The super-resolved reference frame. The gains and offsets of the frames are applied as
// options.photometric says. `solve` as for reconstruct(); its operator must be `sampling`.
ReconstructResult reconstruct_frames(std::vector<Image> frames,
                                     const std::vector<FrameReport>& reports,
                                     const FramesOptions& options, const ReconstructOptions& solve,
                                     const Progress& progress = {}, const Image* truth = nullptr);

// The memory and tiles that this would take for frames of this size. Nothing is computed.
std::vector<TilesReport> plan_frames(int width, int height, int channels,
                                     const std::vector<FrameMotion>& motions,
                                     const ReconstructOptions& solve);

// Puts every sample on the nearest pixel of the high-resolution grid (their mean if there are
// several) and interpolates the gaps bicubically: the baseline of a reconstruction.
Image interpolate_frames(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                         int reference, const SamplingGrid& sampling);

// ---- files --------------------------------------------------------------------------------------
// One picture per path, in order. A folder stands for its pictures by name, or for those that its
// lightfield.json lists; a TIFF of several pages for all of them. `degradation` is a folder's
// record.
struct FrameFiles {
    struct Entry {
        std::filesystem::path file;
        int page = 0;
    };
    std::vector<Entry> frames;
    std::optional<DegradeOptions> degradation;
    bool clipped =
        true;  // false for float files without such a record; then shows_clipping() decides
    std::vector<std::string> notes;  // on paths that are left out
    bool in_memory = false;          // there are no files, and so no metadata
};
// Among several paths, files that are no pictures by name and content are left out with a note, and
// so are folders without pictures.
FrameFiles list_frames(const std::vector<std::filesystem::path>& paths);
// Throws Error(input) unless all have the same size and number of channels, and finite values.
std::vector<Image> read_frames(const FrameFiles& files, const Progress& progress = {});

// A text file with one line "dx dy" per frame (# begins a comment), or a lightfield.json of
// `degrade
// --frames`. Pixel (x, y) of the frame shows the place (x + dx, y + dy) of the reference.
std::vector<Place> read_shifts(const std::filesystem::path& file);

// Motions of frames of this size to a common reference, from files of this or other programs:
// * a text file with 2 (shift), 6 (affine) or 9 (homography) numbers per line and frame, or with
//   matrices of two or three lines of three numbers;
// * a lightfield.json of `degrade --frames`;
// * an NPY array [frame, 2], [frame, 2, 3] or [frame, 3, 3] of the same numbers, or a flow
//   [y, x, 2] or [frame, y, x, 2];
// * a flow as a Middlebury .flo file or a two-channel EXR: (right, down) in pixels;
// * a folder with one such file per frame, in the order of their names.
// Error(input) if a flow has another size, or if a motion is not one of a camera.
std::vector<FrameMotion> read_motions(const std::filesystem::path& path, int width, int height);

// ---- test sets ----------------------------------------------------------------------------------
// scale x scale shifts of 1/scale pixel, row by row from (0, 0).
std::vector<Place> grid_shifts(int scale);

// Shifted, blurred, decimated, noisy frames of a photo. Their positions (row, column) are the
// shifts (dy, dx) in pixels of the frames: a light field of a flat scene with disparity 1. Shifts
// by fractions of the photo's pixels are interpolated by a windowed sinc. With options.camera the
// first frame is the reference; jitter is in pixels of the frames, and vignetting, which is the
// same in every frame, is left out.
LightField degrade_frames(const Image& photo, const std::vector<Place>& shifts,
                          const DegradeOptions& options, const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
