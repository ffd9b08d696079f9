#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/motion.h"
#include "plenosr/reconstruct.h"

namespace plenosr {

// ---- several frames of one scene ----------------------------------------------------------------
// Frames are pictures of one size, taken by a camera that moved a little: a burst, a piece of a
// video. One of them is the reference, whose place the result takes.

// What a frame's motion may be; each contains the one before it.
enum class Registration { translation, affine, homography, flow };

// Every option has a default, a unit and a reason: frames_options() in plenosr/options.h.
struct FramesOptions {
    Registration registration = Registration::translation;
    int reference = 0;         // which frame, counted from 0
    bool photometric = false;  // bring every frame to the reference's gain and offset

    void validate() const;  // throws Error(invalid_option)
};

// What is known of one frame with respect to the reference: reference = gain frame + offset.
struct FrameReport {
    FrameMotion motion;
    double gain = 1;
    double offset = 0;    // grey levels
    double residual = 0;  // robust standard deviation of the registered, smoothed difference
    double overlap = 1;   // share of its pixels that lie in the reference
    double weight = 1;    // what its samples count: below 1 where the frame is distrusted
    std::string doubt;    // why, in words; empty where it is trusted
};

// Registers every frame to the reference: impulses repaired, frames smoothed, phase correlation,
// then Gauss-Newton from coarse to fine with Tukey's weights; four frames or more whose
// shifts lie evenly are registered once more, each to all others together; flow adds a dense
// field to an affine motion. Frames that do not fit are given a weight below 1 and a doubt.
std::vector<FrameReport> register_frames(const std::vector<Image>& frames,
                                         const FramesOptions& options,
                                         const Progress& progress = {});

// The same report for motions that are known.
std::vector<FrameReport> examine_frames(const std::vector<Image>& frames,
                                        const std::vector<FrameMotion>& motions,
                                        const FramesOptions& options,
                                        const Progress& progress = {});

// Whether the reference itself is the frame that does not belong, or is far worse than the others:
// most frames differ from it much more than from one another. Some frames are registered to others
// for this; of fewer than three nothing can be said.
struct ReferenceCheck {
    int better = -1;     // a frame to take instead; -1: no doubt
    std::string reason;  // in words
};
ReferenceCheck check_reference(const std::vector<Image>& frames,
                               const std::vector<FrameReport>& reports,
                               const FramesOptions& options, const Progress& progress = {});

// The super-resolved reference frame. The frames' gains and offsets are applied if
// options.photometric says so. `solve` as for reconstruct(); its operator is always `sampling`.
ReconstructResult reconstruct_frames(std::vector<Image> frames,
                                     const std::vector<FrameReport>& reports,
                                     const FramesOptions& options, const ReconstructOptions& solve,
                                     const Progress& progress = {}, const Image* truth = nullptr);

// What that would take in memory and tiles, for frames of this size: nothing is computed.
std::vector<TilesReport> plan_frames(int width, int height, int channels,
                                     const std::vector<FrameMotion>& motions,
                                     const ReconstructOptions& solve);

// Every sample where it lies on the fine grid (the mean, if several do), bicubic in the gaps: what
// a reconstruction has to be better than.
Image interpolate_frames(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                         int reference, int scale);

// ---- files --------------------------------------------------------------------------------------
// A picture each, in order; a folder (its pictures by name, or what its lightfield.json lists) or
// a TIFF of several pages stands for all it holds. `degradation` is a folder's record.
struct FrameFiles {
    struct Entry {
        std::filesystem::path file;
        int page = 0;
    };
    std::vector<Entry> frames;
    std::optional<DegradeOptions> degradation;
};
FrameFiles list_frames(const std::vector<std::filesystem::path>& paths);
// Error(input) unless they are alike: one size, one number of channels, finite.
std::vector<Image> read_frames(const FrameFiles& files, const Progress& progress = {});

// One line "dx dy" per frame (text, # begins a comment), or a lightfield.json of `degrade
// --frames`: pixel (x, y) of the frame shows the place (x + dx, y + dy).
std::vector<Place> read_shifts(const std::filesystem::path& file);

// ---- test sets ----------------------------------------------------------------------------------
// scale x scale shifts of 1/scale pixel, row by row from (0, 0).
std::vector<Place> grid_shifts(int scale);

// Shifted, blurred, decimated, noisy frames of a photo. Their positions (row, column) are the
// shifts (dy, dx) in pixels of the frames: a light field of a flat scene of disparity 1. Shifts
// that are no whole number of the photo's pixels are interpolated by a windowed sinc.
LightField degrade_frames(const Image& photo, const std::vector<Place>& shifts,
                          const DegradeOptions& options, const Progress& progress = {});

}  // namespace plenosr
