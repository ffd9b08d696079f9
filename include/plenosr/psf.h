#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// A point spread function in high-resolution pixels: odd width and height, centred, with sum 1.
struct Psf {
    Image kernel;
    bool operator==(const Psf&) const = default;
};

Psf gaussian_psf(double sigma);  // radius ceil(3 sigma), normalised
// An anti-aliased line segment; angle 0 is along x, positive angles are counter-clockwise.
Psf motion_psf(double length, double angle_degrees);
Psf disc_psf(double radius);  // defocus: each pixel has the area that the disc covers of it
// A square pixel of the camera behind a lens: a box of `width` pixels convolved with a Gaussian,
//   k(t) = 1/2 (erf((t + width/2) / (sqrt(2) sigma)) - erf((t - width/2) / (sqrt(2) sigma)))
// along each axis. sigma = 0 is the box alone; pixels that its edge cuts in half have half the
// weight.
Psf box_psf(double width, double sigma);
Psf identity_psf();
// Normalises the kernel. Error(input) for even sizes, values that are negative or not finite, and a
// sum of 0.
Psf psf_from_kernel(const Image& kernel);

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
//   gaussian | gaussian:SIGMA | box:SIGMA | motion:LENGTH,ANGLE | disc:RADIUS | psf:FILE |
//   psf-grid:FILE | none
struct BlurSpec {
    std::string text = "gaussian";
    bool operator==(const BlurSpec&) const = default;
};

// `gaussian` alone means sigma = 1/4 sqrt(scale^2 - 1). `box` has the width of `scale`. Throws
// Error(invalid_option) for an unknown text, Error(input) for a PSF file that cannot be read.
// make_psf() does not support psf-grid.
Psf make_psf(const BlurSpec& blur, int scale);
PsfGrid make_psf_grid(const BlurSpec& blur, int scale);
// The grid spread over an image of that size. Error(input) if a PSF is larger than the image; only
// the tails of a Gaussian, alone or with a box, may be.
PsfGrid make_psf_grid(const BlurSpec& blur, int scale, int width, int height);

// The FILE of psf:FILE or psf-grid:FILE, else empty.
std::string psf_file(const BlurSpec& blur);

}  // namespace plenosr
