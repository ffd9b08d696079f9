#include "plenosr/psf.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "light_field/cubic_kernel.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Limits in high-resolution pixels. Chosen by reasoning, not tuned: blurs beyond them leave nothing
// to restore, and a typing mistake must not fill the memory. Kernels stay below largest_psf_radius.
constexpr double max_sigma = 50;
constexpr double max_length = 255;
constexpr double max_radius = 125;
constexpr double max_box = 150;

Psf normalised(Image kernel) {
    double sum = 0;
    for (float value : kernel.values)
        sum += value;
    for (float& value : kernel.values)
        value = float(value / sum);
    return {std::move(kernel)};
}

// Along one axis of a kernel whose middle is its centre: tap j lies at the place
// j - (size - 1) / 2 - phase of the new one.
class MovedTaps {
public:
    MovedTaps(int size, double phase)
        : first_(-(size - 1) / 2.0 - phase), exact_(std::abs(first_ - std::round(first_)) < 1e-9) {
        if (exact_) first_ = std::round(first_);
        const double reach = exact_ ? 0 : 2;  // of the interpolation
        const double most = std::max(std::abs(first_ - reach), std::abs(first_ + size - 1 + reach));
        radius_ = int(exact_ ? most : std::floor(most));
    }
    int radius() const { return radius_; }
    // The part of tap j that tap t of the new kernel has, t from -radius() to radius().
    double weight(int j, int t) const {
        const double distance = t - (first_ + j);
        return exact_ ? (distance == 0 ? 1.0 : 0.0) : cubic_kernel(distance);
    }

private:
    double first_;
    bool exact_;
    int radius_ = 0;
};

// out(t) = sum_j weight(j, t) kernel(j), along x and y.
Image moved(const Image& kernel, double phase) {
    const MovedTaps across(kernel.width, phase);
    const MovedTaps down(kernel.height, phase);
    Image result(2 * across.radius() + 1, 2 * down.radius() + 1);
    for (int ty = -down.radius(); ty <= down.radius(); ++ty)
        for (int tx = -across.radius(); tx <= across.radius(); ++tx) {
            double sum = 0;
            for (int y = 0; y < kernel.height; ++y) {
                const double weight = down.weight(y, ty);
                if (weight == 0) continue;
                for (int x = 0; x < kernel.width; ++x)
                    sum += weight * across.weight(x, tx) * double(kernel.at(y, x));
            }
            result.at(ty + down.radius(), tx + across.radius()) = float(sum);
        }
    return result;
}

}  // namespace

Psf identity_psf() {
    return {Image(1, 1, 1, 1.0F)};
}

Psf gaussian_psf(double sigma, double phase) {
    if (!(sigma > 0 && sigma <= max_sigma))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("Gaussian blur: sigma = {} must be above 0 and at most {} pixels.",
                                sigma, max_sigma));
    const double reach = std::ceil(3 * sigma);
    const int radius = int(std::ceil(reach + std::abs(phase)));
    Image kernel(2 * radius + 1, 2 * radius + 1);
    for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i) {
            const double x = i + phase;
            const double y = j + phase;
            if (std::abs(x) > reach || std::abs(y) > reach) continue;
            kernel.at(j + radius, i + radius) =
                float(std::exp(-(x * x + y * y) / (2 * sigma * sigma)));
        }
    return normalised(std::move(kernel));
}

Psf box_psf(double width, double sigma, double phase) {
    if (!(sigma >= 0 && sigma <= max_sigma))
        throw Error(
            ErrorKind::invalid_option,
            fmt::format("Box blur: sigma = {} must be between 0 and {} pixels.", sigma, max_sigma));
    if (!(width >= 1 && width <= max_box))
        throw Error(
            ErrorKind::invalid_option,
            fmt::format("Box blur: width = {} must be between 1 and {} pixels.", width, max_box));
    // The integral of the Gaussian up to t; for sigma = 0 a step with the value 0 in the middle.
    const auto up_to = [&](double t) {
        if (sigma > 0) return std::erf(t / (std::numbers::sqrt2 * sigma));
        return t > 0 ? 1.0 : t < 0 ? -1.0 : 0.0;
    };
    const int radius = int(std::ceil(width / 2 + 3 * sigma + std::abs(phase)));
    std::vector<double> line;
    for (int i = -radius; i <= radius; ++i) {
        const double t = i + phase;
        line.push_back(up_to(t + width / 2) - up_to(t - width / 2));
    }
    Image kernel(2 * radius + 1, 2 * radius + 1);
    for (int y = 0; y < kernel.height; ++y)
        for (int x = 0; x < kernel.width; ++x)
            kernel.at(y, x) = float(line[std::size_t(y)] * line[std::size_t(x)]);
    return normalised(std::move(kernel));
}

// k(t) = 1/L ∫ tent(t_x - s cos a) tent(t_y + s sin a) ds,  s from -L/2 to L/2:
// B x is the mean of the bilinearly interpolated x along the line. (The sign of sin a is positive
// because y points down.) Between crossings of pixel rows and columns the integrand is quadratic,
// so Simpson's rule on these pieces is exact.
Psf motion_psf(double length, double angle_degrees) {
    if (!(length > 0 && length <= max_length))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("Motion blur: length = {} must be above 0 and at most {} pixels.",
                                length, max_length));
    if (!std::isfinite(angle_degrees))
        throw Error(
            ErrorKind::invalid_option,
            fmt::format("Motion blur: angle = {} must be a number of degrees.", angle_degrees));
    const double angle = std::remainder(angle_degrees, 360.0) * std::numbers::pi / 180;
    const double dx = std::cos(angle);
    const double dy = -std::sin(angle);
    const double half = length / 2;
    const int radius = int(std::ceil(half * std::max(std::abs(dx), std::abs(dy))));

    std::vector<double> knots{-half, half};
    for (double step : {std::abs(dx), std::abs(dy)})
        for (int k = -radius; k <= radius; ++k)
            if (std::abs(k) < half * step) knots.push_back(k / step);
    std::sort(knots.begin(), knots.end());

    const int size = 2 * radius + 1;
    std::vector<double> kernel(std::size_t(size) * std::size_t(size));
    const auto splat = [&](double s, double weight) {
        const double x = std::clamp(s * dx + radius, 0.0, double(size - 1));
        const double y = std::clamp(s * dy + radius, 0.0, double(size - 1));
        const int x0 = std::min(int(x), std::max(size - 2, 0));
        const int y0 = std::min(int(y), std::max(size - 2, 0));
        for (int j = 0; j <= 1; ++j)
            for (int i = 0; i <= 1; ++i)
                kernel[std::size_t((y0 + j) * size + x0 + i)] +=
                    weight * (1 - std::abs(x - x0 - i)) * (1 - std::abs(y - y0 - j));
    };
    for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
        const double width = knots[k + 1] - knots[k];
        splat(knots[k], width / 6);
        splat((knots[k] + knots[k + 1]) / 2, width * 4 / 6);
        splat(knots[k + 1], width / 6);
    }

    // k(t) = k(-t) holds in the formula; enforce it against rounding.
    Image symmetric(size, size);
    for (std::size_t i = 0; i < kernel.size(); ++i)
        symmetric.values[i] = float((kernel[i] + kernel[kernel.size() - 1 - i]) / 2);
    return normalised(std::move(symmetric));
}

// The signed area of the disc in [0, x] x [0, y] is
//   A = int_0^x min(y, sqrt(R^2 - s^2)) ds,   int sqrt = (s sqrt(R^2 - s^2) + R^2 asin(s/R)) / 2.
// The area within a pixel is A at its four corners with the signs + - - +.
Psf disc_psf(double radius, double phase) {
    if (!(radius > 0 && radius <= max_radius))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("Disc blur: radius = {} must be above 0 and at most {} pixels.",
                                radius, max_radius));
    const auto root = [&](double s) { return std::sqrt(std::max(0.0, radius * radius - s * s)); };
    const auto area = [&](double x, double y) {
        const double sign = (x < 0 ? -1.0 : 1.0) * (y < 0 ? -1.0 : 1.0);
        const double across = std::min(std::abs(x), radius);
        const double up = std::min(std::abs(y), radius);
        const double flat = std::min(across, root(up));  // up to here y is below the circle
        const auto integral = [&](double s) {
            return (s * root(s) + radius * radius * std::asin(s / radius)) / 2;
        };
        return sign * (up * flat + integral(across) - integral(flat));
    };
    const int n = std::max(0, int(std::ceil(radius - 0.5 + std::abs(phase))));
    Image kernel(2 * n + 1, 2 * n + 1);
    for (int j = -n; j <= n; ++j)
        for (int i = -n; i <= n; ++i) {
            const double x = i + phase;
            const double y = j + phase;
            kernel.at(j + n, i + n) =
                float(std::max(0.0, area(x + 0.5, y + 0.5) - area(x - 0.5, y + 0.5) -
                                        area(x + 0.5, y - 0.5) + area(x - 0.5, y - 0.5)));
        }
    return normalised(std::move(kernel));
}

// k(t) = cubic_kernel(t / scale), Keys' cubic with a = -1/2, for each axis.
Psf bicubic_psf(int scale, double phase) {
    constexpr int largest_scale = 64;
    if (scale < 1 || scale > largest_scale)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("Bicubic blur: scale = {} must be between 1 and {}.", scale,
                                largest_scale));
    const int radius = int(std::ceil(2 * scale + std::abs(phase))) - 1;
    std::vector<double> row;
    for (int t = -radius; t <= radius; ++t)
        row.push_back(cubic_kernel((t + phase) / scale));
    double sum = 0;
    for (const double value : row)
        sum += value;
    const int size = 2 * radius + 1;
    Image kernel(size, size);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            kernel.at(y, x) = float(row[std::size_t(y)] / sum * (row[std::size_t(x)] / sum));
    return {std::move(kernel)};
}

Psf psf_from_kernel(const Image& kernel, double phase) {
    // An even size has its centre between two pixels.
    const bool between = std::abs(std::abs(std::remainder(phase, 1.0)) - 0.5) < 1e-9;
    const bool even = kernel.width % 2 == 0 || kernel.height % 2 == 0;
    if (kernel.channels != 1 || kernel.values.empty() || (even && !between))
        throw Error(
            ErrorKind::input,
            fmt::format("A PSF of {}x{} pixels and {} channels has no centre; it must "
                        "have one channel, an odd width and an odd height (an even one only "
                        "if the phase lies between two pixels).",
                        kernel.width, kernel.height, kernel.channels));
    double sum = 0;
    double size = 0;
    for (const float value : kernel.values) {
        if (!std::isfinite(value))
            throw Error(ErrorKind::input,
                        fmt::format("A PSF has the value {}; all must be finite.", value));
        sum += double(value);
        size += std::abs(double(value));
    }
    // Rounding errors of values that cancel must not become a PSF.
    constexpr double least_share = 1e-6;
    if (!(sum > least_share * size))
        throw Error(ErrorKind::input,
                    fmt::format("A PSF whose values sum to {:.3g} cannot be normalised; the sum "
                                "must be positive.",
                                sum));
    return normalised(phase == 0 ? kernel : moved(kernel, phase));
}

PsfGrid::PsfGrid(int grid_rows, int grid_cols, std::vector<Psf> psfs)
    : rows(grid_rows), cols(grid_cols), nodes(std::move(psfs)) {
    int most_x = 0;
    int most_y = 0;
    for (const Psf& psf : nodes) {
        most_x = std::max(most_x, psf.kernel.width);
        most_y = std::max(most_y, psf.kernel.height);
    }
    for (Psf& psf : nodes) {
        const Image& k = psf.kernel;
        Image larger(most_x, most_y);
        for (int y = 0; y < k.height; ++y)
            for (int x = 0; x < k.width; ++x)
                larger.at((most_y - k.height) / 2 + y, (most_x - k.width) / 2 + x) = k.at(y, x);
        psf.kernel = std::move(larger);
    }
}

PsfGrid PsfGrid::spread_over(int width, int height, int left, int top) const {
    PsfGrid grid = *this;
    grid.x0 = -left;
    grid.y0 = -top;
    grid.step_x = cols > 1 ? double(width - 1) / (cols - 1) : 0.0;
    grid.step_y = rows > 1 ? double(height - 1) / (rows - 1) : 0.0;
    return grid;
}

PsfGrid::Between PsfGrid::between(double distance, double step, int count) {
    if (count < 2 || step <= 0) return {};
    const double place = std::clamp(distance / step, 0.0, double(count - 1));
    const int first = std::min(int(place), count - 2);
    return {first, place - first};
}

}  // namespace plenosr
