#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/sampling.h"

namespace plenosr PLENOSR_EXPORT {

// A point spread function in high-resolution pixels: odd width and height, with sum 1; values may
// be negative. Without a phase it is centred on its middle tap. With a phase p its taps are k(t +
// p): the blurred picture has at pixel n the value that belongs to the place n + p, so that the
// samples at scale i + p are those of every scale-th pixel.
struct Psf {
    Image kernel;
    bool operator==(const Psf&) const = default;
};

Psf gaussian_psf(double sigma, double phase = 0);  // radius ceil(3 sigma), normalised
// An anti-aliased line segment; angle 0 is along x, positive angles are counter-clockwise.
Psf motion_psf(double length, double angle_degrees);
// Defocus: each pixel has the area that the disc covers of it.
Psf disc_psf(double radius, double phase = 0);
// A square pixel of the camera behind a lens: a box of `width` pixels convolved with a Gaussian,
//   k(t) = 1/2 (erf((t + width/2) / (sqrt(2) sigma)) - erf((t - width/2) / (sqrt(2) sigma)))
// along each axis. sigma = 0 is the box alone; pixels that its edge cuts in half have half the
// weight.
Psf box_psf(double width, double sigma, double phase = 0);
Psf identity_psf();
// MATLAB's imresize(…, 'bicubic') by 1 / scale: Keys' cubic stretched by the scale, normalised.
Psf bicubic_psf(int scale, double phase);
// Normalises the kernel. Its middle is the centre; taps that a phase moves between pixels are
// interpolated bicubically. Error(input) for values that are not finite, a sum that is not
// positive, and even sizes unless the phase is an odd multiple of 1/2.
Psf psf_from_kernel(const Image& kernel, double phase = 0);

// PSFs that change over the image: rows x cols nodes at equal distances, with the outer nodes on
// the outer pixels of the image. The PSF of a pixel is interpolated bilinearly between nodes. A
// single node means one PSF everywhere.
struct PsfGrid {
    int rows = 1;
    int cols = 1;
    std::vector<Psf> nodes{1};  // row by row, all of one size
    // The position of node (0, 0) and the distance of nodes, in pixels; set by spread_over().
    double x0 = 0;
    double y0 = 0;
    double step_x = 0;
    double step_y = 0;
    double phase = 0;  // of all nodes, see Psf

    PsfGrid() = default;
    PsfGrid(Psf psf) : nodes{std::move(psf)} {}  // NOLINT(google-explicit-constructor)
    // Smaller kernels are padded with zeros.
    PsfGrid(int grid_rows, int grid_cols, std::vector<Psf> psfs);
    bool operator==(const PsfGrid&) const = default;

    bool uniform() const { return nodes.size() == 1; }
    int width() const { return nodes.front().kernel.width; }  // of each PSF
    int height() const { return nodes.front().kernel.height; }
    const Image& kernel(int row, int col) const {
        return nodes[std::size_t(row) * std::size_t(cols) + std::size_t(col)].kernel;
    }

    // The grid spread over an image of width x height, in coordinates of the part of the image that
    // begins at (left, top).
    PsfGrid spread_over(int width, int height, int left = 0, int top = 0) const;

    // Interpolation: node `first` has the weight 1 - part, node first + 1 the weight part.
    struct Between {
        int first = 0;
        double part = 0;
    };
    Between across(double x) const { return between(x - x0, step_x, cols); }
    Between down(double y) const { return between(y - y0, step_y, rows); }

private:
    static Between between(double distance, double step, int count);
};

// The text of a `--blur` option; its PSF depends on the scale.
//   gaussian | gaussian:SIGMA | box:SIGMA | bicubic | motion:LENGTH,ANGLE | disc:RADIUS | psf:FILE
//   | psf-grid:FILE | none
struct BlurSpec {
    std::string text = "gaussian";
    bool operator==(const BlurSpec&) const = default;
};

// The text of a `--phase` option: corner, centre or a number of high-resolution pixels (see
// SamplingGrid). Empty: the centre for the blur `bicubic`, which the field's reduction has, else
// the corner.
struct PhaseSpec {
    std::string text;
    bool operator==(const PhaseSpec&) const = default;
};
// Throws Error(invalid_option) for another text, or a number that is not within +-scale.
SamplingGrid sampling_grid(const BlurSpec& blur, const PhaseSpec& phase, int scale);
// The text of a phase: "corner", "centre" or a number.
PhaseSpec phase_spec(const SamplingGrid& sampling);

// `gaussian` alone means sigma = 1/4 sqrt(scale^2 - 1). `box` has the width of `scale`. Throws
// Error(invalid_option) for an unknown text, Error(input) for a PSF file that cannot be read.
// make_psf() does not support psf-grid.
Psf make_psf(const BlurSpec& blur, const SamplingGrid& sampling);
PsfGrid make_psf_grid(const BlurSpec& blur, const SamplingGrid& sampling);
// The grid spread over an image of that size. Error(input) if a PSF is larger than the image; only
// the tails of a Gaussian, alone or with a box, and of `bicubic` may be.
PsfGrid make_psf_grid(const BlurSpec& blur, const SamplingGrid& sampling, int width, int height);

// The FILE of psf:FILE or psf-grid:FILE, else empty.
std::string psf_file(const BlurSpec& blur);
// True for psf-grid:FILE, whose nodes are spread over a whole view.
bool is_psf_grid(const BlurSpec& blur);

}  // namespace PLENOSR_EXPORT
