#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "edge_spread.h"
#include "reconstruct_view.h"

namespace plenosr {

// `--blur auto`: the width of the blur from the pictures themselves. Some windows with texture are
// solved with Gaussians of one width after the other. The result that is nearest to the truth is
// the sparsest one, in the sense of
//   S = |grad x|_1 / (sqrt(n) |grad x|_2)
// Too narrow a blur leaves edges soft, too wide a one rings; both raise S. A blur that is assumed
// too wide costs far more than one that is too narrow, so the narrowest width is taken whose S is
// at most 3 % above the least one. Cameras have square pixels: the blur is then described as a
// square pixel behind a lens of the same total width, if that lens is not too sharp.
//
// Sparsity cannot distinguish a soft scene from a blurred one, and finds its blur too wide. But no
// edge is sharper than the blur: the sharpest ones (edge_spread.h) bound its width, less in squares
// the width that edges have without blur. Without sharp edges (soft scenes) nothing confirms a
// width: the geometric mean of it and the default is taken. If sparsity has no minimum (strong
// noise), the geometric mean of the default and the width that the edges allow is taken.

// Solves a window with these options and returns the result, one channel.
using SolveWindow = std::function<Image(const ReconstructOptions&, const Progress&)>;
// `edges`: the width of the sharpest edges in pixels of the pictures; empty: there are too few.
BlurEstimate estimate_blur(const std::vector<SolveWindow>& windows, std::optional<double> edges,
                           const ReconstructOptions& options, const Progress& progress);
// The estimate with a width that is no more than the edges allow; halfway to that if it is unknown.
BlurEstimate bounded_by_edges(BlurEstimate found, double edges, int scale);
// The estimate if there are too few sharp edges.
BlurEstimate without_edges(BlurEstimate found, int scale);
// The parts of a picture that are solved: those with the most texture.
std::vector<Box> blur_windows(const Image& picture);

// Of a light field.
BlurEstimate estimate_blur(const Engines& engines, const LightFieldView& light_field,
                           ViewPosition reference, const Image& disparity,
                           const ReconstructOptions& options, const Progress& progress);

// What to multiply the automatic lambda of a light field with if its blur was estimated. If the
// blur is not quite right, dots appear along edges. So the factor for wide blurs
// (lambda_factor_of_wide_blur) has no upper limit then; this is what is missing of
//   sqrt(E of the default blur / E of the blur)
double lambda_factor_of(const BlurEstimate& found, int scale);

// The sentence for a user.
std::string blur_note(const BlurEstimate& found);

inline bool is_automatic(const BlurSpec& blur) {
    return blur.text == "auto";
}

}  // namespace plenosr
