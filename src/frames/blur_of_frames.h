#pragma once

#include "estimate_blur.h"
#include "frames/lambda_trial.h"

namespace plenosr {

// `--blur auto` for frames (estimate_blur.h). `sample_weights` as in frames_setup().
BlurEstimate estimate_blur_of_frames(const Engines& engines, const TrialFrames& trial,
                                     const std::vector<const Image*>& sample_weights,
                                     const ReconstructOptions& options, const EarlierResults& known,
                                     const Progress& progress);

// The motion between parts of a frame and of the reference, where `frame` and `reference` are the
// top-left corners of the parts: p -> M(p + frame) - reference.
FrameMotion motion_of_parts(const FrameMotion& motion, const Box& frame, const Box& reference);

}  // namespace plenosr
