#include "noise/prediction_errors.h"

#include <algorithm>
#include <utility>

#include "light_field/interpolate.h"
#include "problem/geometry.h"

namespace plenosr {
namespace {

constexpr std::uint32_t one_in = 10;  // samples of a view
constexpr std::uint32_t one_in_reference = 5;
constexpr double huber_noises = 2;
constexpr double share_of_neighbours = 0.3;  // see PredictionErrors
constexpr double surely_visible = 0.9;       // share of a sample's footprint

// A well mixed number (the finalizer of MurmurHash3).
std::uint32_t mixed(std::uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    h ^= h >> 16;
    return h;
}

bool is_chosen(std::size_t view, int i, int j, std::uint32_t one_in_so_many) {
    const std::uint32_t h =
        mixed(mixed(mixed(std::uint32_t(view) + 1) + std::uint32_t(i)) + std::uint32_t(j));
    return h % one_in_so_many == 0;
}

double huber(double e, double threshold) {
    const double size = std::abs(e);
    return size <= threshold ? e * e : threshold * (2 * size - threshold);
}

// A value that is missing, see above; the border is replicated.
double from_neighbours(const Image& image, int y, int x) {
    const auto at = [&](int i, int j) {
        return double(
            image.at(std::clamp(i, 0, image.height - 1), std::clamp(j, 0, image.width - 1)));
    };
    const double near = at(y, x - 1) + at(y, x + 1) + at(y - 1, x) + at(y + 1, x);
    const double far = at(y, x - 2) + at(y, x + 2) + at(y - 2, x) + at(y + 2, x);
    return (4 * near - far) / 12;
}

// Of noise that may grow with the brightness. Errors of the geometry also enter the fit of that
// growth, so it is limited to twice the variance.
double variance_at(double y, const NoiseEstimate& noise) {
    const double variance = noise.of_samples() * noise.of_samples();
    return std::clamp(noise.gain * y + noise.read * noise.read, variance, 2 * variance);
}

int cells_of(int begin, int end, int side) {
    return (end + side - 1) / side - begin / side;
}

}  // namespace

LeftOutSamples::LeftOutSamples(const Problem& p, std::size_t reference, const ValueLimits& limits,
                               double noise) {
    const auto visible = float(soft_visibility(surely_visible, noise));
    for (std::size_t k = 0; k < p.observations.size(); ++k) {
        const Observation& o = p.observations[k];
        if (o.weight.empty()) continue;
        // A view may count less as a whole.
        const float most = *std::max_element(o.weight.values.begin(), o.weight.values.end());
        for (int i = 0; i < o.weight.height; ++i)
            for (int j = 0; j < o.weight.width; ++j) {
                const float m = o.weight.at(i, j);
                if (m <= 0 || m < visible * most ||
                    !is_chosen(k, i, j, k == reference ? one_in_reference : one_in) ||
                    std::isnan(mean_sample(o, i, j, limits)))
                    continue;
                samples_.push_back({std::uint32_t(k), std::uint32_t(o.weight.index(i, j)), m});
            }
    }
}

void LeftOutSamples::leave_out(Problem& p) {
    for (Sample& s : samples_)
        s.weight = std::exchange(p.observations[s.view].weight.values[s.pixel], 0.0F);
}

void LeftOutSamples::put_back(Problem& p) const {
    for (const Sample& s : samples_)
        p.observations[s.view].weight.values[s.pixel] = s.weight;
}

PredictionErrors::PredictionErrors(const Box& box, int scale)
    : side_(cell_px * scale),
      first_x_(box.x0 / side_),
      first_y_(box.y0 / side_),
      low_width_(box.width / scale),
      low_height_(box.height / scale),
      across_(cells_of(box.x0, box.x1(), side_)),
      down_(cells_of(box.y0, box.y1(), side_)),
      cells_(std::size_t(across_) * std::size_t(down_)) {}

void PredictionErrors::add(Of views, const Problem& p, std::size_t reference,
                           const LeftOutSamples& left_out, const Image& result, const Box& box,
                           const Box& core, const ValueLimits& limits, const NoiseEstimate& noise) {
    const double threshold = huber_noises * noise.residual;
    const Image blurred = blurred_mean(result, p.psf);
    const Observation& r = p.observations[reference];
    const Image seen = mean_of_channels(r.values);
    for (const LeftOutSamples::Sample& s : left_out.samples()) {
        if ((s.view == reference) != (views == Of::reference)) continue;
        const Observation& o = p.observations[s.view];
        const int i = int(s.pixel) / o.values.width;
        const int j = int(s.pixel) % o.values.width;
        const double y = mean_sample(o, i, j, limits);
        const Place at = o.place(p.scale, i, j);
        const double x_in_image = box.x0 + at.x;
        const double y_in_image = box.y0 + at.y;
        if (std::isnan(y) || !is_in(core, {x_in_image, y_in_image})) continue;
        const double model = y - double(bicubic_at(blurred, at.x, at.y, 0));
        const int col = floor_to_int(x_in_image / side_) - first_x_;
        const int row = floor_to_int(y_in_image / side_) - first_y_;
        if (col < 0 || row < 0 || col >= across_ || row >= down_) continue;
        Cell& cell = cells_[std::size_t(row) * std::size_t(across_) + std::size_t(col)];
        cell.samples += 1;
        cell.model += huber(model, threshold);
        if (views == Of::reference)
            cell.bicubic +=
                share_of_neighbours * huber(y - from_neighbours(seen, i, j), threshold) +
                (1 - share_of_neighbours) * variance_at(y, noise);
        else
            cell.bicubic += huber(
                y - double(bicubic_at(seen, (at.x - r.x0) / p.scale, (at.y - r.y0) / p.scale, 0)),
                threshold);
    }
}

void PredictionErrors::add(const PredictionErrors& part) {
    for (int row = 0; row < part.down_; ++row)
        for (int col = 0; col < part.across_; ++col) {
            const int y = row + part.first_y_ - first_y_;
            const int x = col + part.first_x_ - first_x_;
            Cell& cell = cells_[std::size_t(y) * std::size_t(across_) + std::size_t(x)];
            const Cell& more = part.at(row, col);
            cell.samples += more.samples;
            cell.model += more.model;
            cell.bicubic += more.bicubic;
        }
}

}  // namespace plenosr
