#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "problem/problem.h"

// The operators straight from their formulas, in double precision and not optimised. The engines
// are compared with them.
namespace plenosr::test::plain {

using Doubles = std::vector<double>;
using PixelFunction = std::function<double(int y, int x)>;  // defined for all integers

// An image continued by its border pixels.
inline PixelFunction continued(const Doubles& image, int width, int height) {
    return [&image, width, height](int y, int x) {
        return image[std::size_t(std::clamp(y, 0, height - 1)) * std::size_t(width) +
                     std::size_t(std::clamp(x, 0, width - 1))];
    };
}

// Keys' kernel with a = -1/2, as a function of the distance.
inline double cubic(double t) {
    t = std::abs(t);
    if (t < 1) return 1.5 * t * t * t - 2.5 * t * t + 1;
    if (t < 2) return -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2;
    return 0;
}
inline double linear(double t) {
    return std::max(0.0, 1 - std::abs(t));
}

// sum_p h(y - p_y) h(x - p_x) f(p)
inline double interpolated(const PixelFunction& f, double y, double x,
                           Interpolation interpolation) {
    const int y0 = int(std::floor(y));
    const int x0 = int(std::floor(x));
    const auto h = interpolation == Interpolation::bicubic ? cubic : linear;
    double sum = 0;
    for (int j = y0 - 1; j <= y0 + 2; ++j)
        for (int i = x0 - 1; i <= x0 + 2; ++i)
            if (h(y - j) != 0 && h(x - i) != 0) sum += h(y - j) * h(x - i) * f(j, i);
    return sum;
}

// (B f)(p) = sum_t k_p(t) f(p - t),   k_p = sum_rc hat(p_y - y_r) hat(p_x - x_c) K_rc
// with p clamped to the area of the nodes, which starts at (x0, y0).
inline PixelFunction blurred(const PixelFunction& f, const PsfGrid& psf, double x0, double y0) {
    return [&f, &psf, x0, y0](int y, int x) {
        const auto weight = [](double at, double begin, double step, int count, int node) {
            if (count == 1) return 1.0;
            const double place = std::clamp((at - begin) / step, 0.0, double(count - 1));
            return linear(place - node);
        };
        double sum = 0;
        for (int r = 0; r < psf.rows; ++r)
            for (int c = 0; c < psf.cols; ++c) {
                const double w =
                    weight(y, y0, psf.step_y, psf.rows, r) * weight(x, x0, psf.step_x, psf.cols, c);
                if (w == 0) continue;
                const Image& k = psf.kernel(r, c);
                for (int j = 0; j < k.height; ++j)
                    for (int i = 0; i < k.width; ++i)
                        sum += w * double(k.at(j, i)) *
                               f(y - (j - k.height / 2), x - (i - k.width / 2));
            }
        return sum;
    };
}

// (W x)(p) = x((x0, y0) + p + (u, v) d(p)) of the image f
inline Doubles warp(const PixelFunction& f, const Image& d, double u, double v,
                    Interpolation interpolation, double x0 = 0, double y0 = 0) {
    Doubles out;
    for (int y = 0; y < d.height; ++y)
        for (int c = 0; c < d.width; ++c)
            out.push_back(interpolated(f, y0 + y + v * double(d.at(y, c)),
                                       x0 + c + u * double(d.at(y, c)), interpolation));
    return out;
}

// A x of all views, in the order (view, y, x), without weights.
inline Doubles forward(const Problem& p, const Doubles& x) {
    const PixelFunction image = continued(x, p.width, p.height);
    const PixelFunction blurred_image = blurred(image, p.psf, p.psf.x0, p.psf.y0);
    Doubles samples;
    for (const Observation& o : p.observations) {
        const bool chain = p.form == OperatorForm::chain;
        const Doubles warped =
            chain ? warp(image, o.disparity, o.u, o.v, p.interpolation, o.x0, o.y0) : Doubles();
        const PixelFunction warped_image =
            continued(warped, p.low_width() * p.scale, p.low_height() * p.scale);
        const PixelFunction blurred_warped =
            blurred(warped_image, p.psf, p.psf.x0 - o.x0, p.psf.y0 - o.y0);
        for (int i = 0; i < p.low_height(); ++i)
            for (int j = 0; j < p.low_width(); ++j) {
                if (chain) {  // D B W_k x
                    samples.push_back(blurred_warped(p.scale * i, p.scale * j));
                    continue;
                }
                const double d = o.disparity.empty() ? 0.0 : double(o.disparity.at(i, j));
                const auto moved = [&](int c) {
                    return o.displacement.empty() ? 0.0 : double(o.displacement.at(i, j, c));
                };
                samples.push_back(  // P_k B x
                    interpolated(blurred_image, o.y0 + p.scale * i + o.v * d + moved(1),
                                 o.x0 + p.scale * j + o.u * d + moved(0), p.interpolation));
            }
    }
    return samples;
}

// A dense matrix in row-major order.
struct Dense {
    std::size_t rows = 0;
    std::size_t cols = 0;
    Doubles values;
    Dense(std::size_t r, std::size_t c) : rows(r), cols(c), values(r * c, 0.0) {}
    double& at(std::size_t r, std::size_t c) { return values[r * cols + c]; }
    double at(std::size_t r, std::size_t c) const { return values[r * cols + c]; }
};

// The matrix of a linear map, column by column.
template <class Map>
Dense dense_of(const Map& map, std::size_t rows, std::size_t cols) {
    Dense matrix(rows, cols);
    for (std::size_t c = 0; c < cols; ++c) {
        Doubles unit(cols, 0.0);
        unit[c] = 1;
        const auto column = map(unit);
        for (std::size_t r = 0; r < rows; ++r)
            matrix.at(r, c) = double(column[r]);
    }
    return matrix;
}

// S x, (direction, y, x)
inline Doubles differences(const std::vector<Direction>& directions, const Doubles& x, int width,
                           int height) {
    Doubles field;
    const auto inside = [&](int r, int c) { return r >= 0 && r < height && c >= 0 && c < width; };
    const auto at = [&](int r, int c) {
        return x[std::size_t(r) * std::size_t(width) + std::size_t(c)];
    };
    for (const Direction& d : directions)
        for (int r = 0; r < height; ++r)
            for (int c = 0; c < width; ++c) {
                const bool ahead = inside(r + d.dy, c + d.dx);
                const bool behind = inside(r - d.dy, c - d.dx);
                if (d.order == 1)
                    field.push_back(ahead ? at(r + d.dy, c + d.dx) - at(r, c) : 0.0);
                else
                    field.push_back(ahead && behind ? at(r - d.dy, c - d.dx) - 2 * at(r, c) +
                                                          at(r + d.dy, c + d.dx)
                                                    : 0.0);
            }
    return field;
}

// Solves the symmetric positive definite system h x = b (Cholesky).
inline Doubles solve(Dense h, Doubles b) {
    const std::size_t n = h.rows;
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < j; ++k)
            h.at(j, j) -= h.at(j, k) * h.at(j, k);
        h.at(j, j) = std::sqrt(h.at(j, j));
        for (std::size_t i = j + 1; i < n; ++i) {
            for (std::size_t k = 0; k < j; ++k)
                h.at(i, j) -= h.at(i, k) * h.at(j, k);
            h.at(i, j) /= h.at(j, j);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k)
            b[i] -= h.at(i, k) * b[k];
        b[i] /= h.at(i, i);
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k)
            b[i] -= h.at(k, i) * b[k];
        b[i] /= h.at(i, i);
    }
    return b;
}

}  // namespace plenosr::test::plain
