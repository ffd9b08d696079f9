#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// A point spread function: odd width and height, centred, sums to 1. In high-resolution pixels.
struct Psf {
    Image kernel;
    bool operator==(const Psf&) const = default;
};

Psf gaussian_psf(double sigma);                       // radius ceil(3 sigma), normalised
Psf motion_psf(double length, double angle_degrees);  // a line segment, anti-aliased; 0 = along x,
                                                      // counter-clockwise
Psf disc_psf(double radius);  // each pixel as much as the disc covers of it: out of focus
Psf identity_psf();
// Normalised; refuses even sizes, values that are negative or not finite, and a sum of 0.
Psf psf_from_kernel(const Image& kernel);

// PSFs that change over the image: rows x cols nodes, spread evenly, the outer ones on the image's
// outer pixels. The PSF of a pixel is interpolated bilinearly between the nodes around it. One node
// is one PSF everywhere.
struct PsfGrid {
    int rows = 1;
    int cols = 1;
    std::vector<Psf> nodes{1};  // row by row, all of one size
    // Where node (0, 0) lies in the image, and how far the nodes are apart: see spread_over().
    double x0 = 0;
    double y0 = 0;
    double step_x = 0;
    double step_y = 0;

    PsfGrid() = default;
    PsfGrid(Psf psf) : nodes{std::move(psf)} {}  // NOLINT(google-explicit-constructor)
    // Kernels of different sizes get zeros around them.
    PsfGrid(int grid_rows, int grid_cols, std::vector<Psf> psfs);
    bool operator==(const PsfGrid&) const = default;

    bool uniform() const { return nodes.size() == 1; }
    int width() const { return nodes.front().kernel.width; }  // of each PSF
    int height() const { return nodes.front().kernel.height; }
    const Image& kernel(int row, int col) const {
        return nodes[std::size_t(row) * std::size_t(cols) + std::size_t(col)].kernel;
    }

    // The grid over an image of width x height, of which a part is looked at whose pixel (0, 0) is
    // the image's (left, top).
    PsfGrid spread_over(int width, int height, int left = 0, int top = 0) const;

    // A column x lies between the nodes `first`, which has the weight 1 - part, and first + 1.
    struct Between {
        int first = 0;
        double part = 0;
    };
    Between across(double x) const { return between(x - x0, step_x, cols); }
    Between down(double y) const { return between(y - y0, step_y, rows); }

private:
    static Between between(double distance, double step, int count);
};

// What a `--blur` option says, before it is known at which scale.
//   gaussian | gaussian:SIGMA | motion:LENGTH,ANGLE | disc:RADIUS | psf:FILE | psf-grid:FILE | none
struct BlurSpec {
    std::string text = "gaussian";
    bool operator==(const BlurSpec&) const = default;
};

// `gaussian` alone means sigma = 1/4 sqrt(scale^2 - 1). Throws Error(invalid_option) for what it
// does not know, Error(input) for a PSF file that cannot be read. make_psf() knows no psf-grid.
Psf make_psf(const BlurSpec& blur, int scale);
PsfGrid make_psf_grid(const BlurSpec& blur, int scale);
// … spread over an image of that size; refuses a PSF that is larger than the image. (A Gaussian's
// tails may be.)
PsfGrid make_psf_grid(const BlurSpec& blur, int scale, int width, int height);

// The file that psf:FILE or psf-grid:FILE names, else empty.
std::string psf_file(const BlurSpec& blur);

}  // namespace plenosr
