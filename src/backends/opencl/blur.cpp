#include "backends/opencl/blur.h"

#include <array>

#include "psf/psf_factors.h"

namespace plenosr::opencl {
namespace {

// The four cases of a row (or column) of the image: inside, first, last, the only one. Its t-th
// weight belongs to padded index begin + t and is the sum of the taps j in [low, high].
struct FoldCase {
    int kind;
    int radius;
    int margin;
    int count() const {
        return kind == 0 ? 2 * radius + 1 : kind == 3 ? 1 + 2 * margin : margin + radius + 1;
    }
    int low(int t) const {
        return kind == 0 ? t - radius : kind == 1 ? std::max(t - margin, -radius) : -radius;
    }
    int high(int t) const { return kind == 0 || kind == 2 ? std::min(t - radius, radius) : radius; }
};

// Values of an axis' table: of all four cases, one after the other.
std::size_t axis_table_size(int radius, int margin) {
    std::size_t size = 0;
    for (int kind = 0; kind < 4; ++kind)
        size += std::size_t(FoldCase{kind, radius, margin}.count());
    return size;
}

std::vector<float> fold_axis(const std::vector<float>& taps, int radius, int margin) {
    std::vector<float> table;
    for (int kind = 0; kind < 4; ++kind) {
        const FoldCase fold{kind, radius, margin};
        for (int t = 0; t < fold.count(); ++t) {
            double sum = 0;
            for (int j = fold.low(t); j <= fold.high(t); ++j)
                sum += double(taps[std::size_t(j + radius)]);
            table.push_back(float(sum));
        }
    }
    return table;
}

struct FoldedTaps {
    std::vector<float> values;
    std::array<cl_int, 16> places;
};

FoldedTaps fold_taps(const std::vector<float>& taps, int radius, int margin) {
    // Sums over rectangles of taps by a summed-area table.
    const int n = 2 * radius + 1;
    std::vector<double> area(std::size_t((n + 1) * (n + 1)), 0.0);
    const auto at = [&](int y, int x) -> double& { return area[std::size_t(y * (n + 1) + x)]; };
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
            at(y + 1, x + 1) =
                double(taps[std::size_t(y * n + x)]) + at(y, x + 1) + at(y + 1, x) - at(y, x);
    FoldedTaps result;
    for (int v = 0; v < 4; ++v)
        for (int h = 0; h < 4; ++h) {
            const FoldCase rows{v, radius, margin};
            const FoldCase cols{h, radius, margin};
            result.places[std::size_t(4 * v + h)] = cl_int(result.values.size());
            for (int t = 0; t < rows.count(); ++t)
                for (int s = 0; s < cols.count(); ++s) {
                    const int y0 = rows.low(t) + radius;
                    const int y1 = rows.high(t) + radius + 1;
                    const int x0 = cols.low(s) + radius;
                    const int x1 = cols.high(s) + radius + 1;
                    // A single tap is copied: as a difference of sums, 0 would not stay exactly 0.
                    result.values.push_back(v == 0 && h == 0 ? taps[std::size_t(y0 * n + x0)]
                                                             : float(at(y1, x1) - at(y0, x1) -
                                                                     at(y1, x0) + at(y0, x0)));
                }
        }
    return result;
}

std::vector<float> all_taps(const Psf& psf) {
    const int radius = psf_radius(psf);
    const int n = 2 * radius + 1;
    const Image& k = psf.kernel;
    std::vector<float> taps(std::size_t(n * n), 0.0F);
    for (int y = 0; y < k.height; ++y)
        for (int x = 0; x < k.width; ++x)
            taps[std::size_t((radius - k.height / 2 + y) * n + radius - k.width / 2 + x)] =
                k.at(y, x);
    return taps;
}

Memory upload(Device& device, const std::vector<float>& values) {
    return device.new_constants(values.data(), values.size() * sizeof(float));
}

}  // namespace

MemoryPlan Blur::memory(int radius, std::size_t psf_values, int margin, bool separable) {
    MemoryPlan plan;
    const std::size_t table = axis_table_size(radius, margin);
    if (psf_values > 0) return plan.add(psf_values * sizeof(float));
    if (separable) return plan.add(table * sizeof(float), 2);
    const std::size_t side = std::size_t(2 * radius + 1);
    return plan.add(side * side * sizeof(float))
        .add(table * table * sizeof(float))
        .add(sizeof(FoldedTaps::places));
}

Blur::Blur(Device& device, const PsfGrid& psf, PaddedShape shape)
    : Blur([&] {
          if (!psf.uniform())
              return Blur(device, GridBlur(device, psf, shape), psf_radius(psf), shape);
          if (auto factors = psf_factors(psf.nodes.front()))
              return Blur(device, psf_radius(psf), std::move(factors->column),
                          std::move(factors->row), {}, shape);
          return Blur(device, psf_radius(psf), {}, {}, all_taps(psf.nodes.front()), shape);
      }()) {}

Blur::Blur(Device& device, GridBlur grid, int radius, PaddedShape shape)
    : device_(device), shape_(shape), grid_(std::move(grid)), radius_(radius) {}

Blur::Blur(Device& device, int radius, std::vector<float> column, std::vector<float> row,
           std::vector<float> taps, PaddedShape shape)
    : device_(device),
      shape_(shape),
      radius_(radius),
      column_(std::move(column)),
      row_(std::move(row)),
      taps_(std::move(taps)) {
    const std::string defines = fmt::format("-DRADIUS={} -DMARGIN={} {}", radius_, shape_.margin,
                                            tile_defines(device_.tuning()));
    const auto kernel = [&](const char* name) { return device_.kernel("blur", name, defines); };
    if (!taps_.empty()) {
        tap_values_ = upload(device_, taps_);
        const FoldedTaps folded = fold_taps(taps_, radius_, shape_.margin);
        folded_taps_ = upload(device_, folded.values);
        folded_places_ = device_.new_constants(folded.places.data(), sizeof folded.places);
        forward_ = kernel("blur_taps_forward");
        adjoint_ = kernel("blur_taps_adjoint");
        return;
    }
    column_table_ = upload(device_, fold_axis(column_, radius_, shape_.margin));
    row_table_ = upload(device_, fold_axis(row_, radius_, shape_.margin));
    if (device_.tuning().strategy == Strategy::local) {
        forward_ = kernel("blur_forward");
        adjoint_ = kernel("blur_adjoint");
    } else {
        forward_ = kernel("blur_forward_columns");
        forward_rows_ = kernel("blur_forward_rows");
        adjoint_ = kernel("blur_adjoint_columns");
        adjoint_rows_ = kernel("blur_adjoint_rows");
    }
}

Blur Blur::squared() const {
    if (grid_) return {device_, grid_->squared(), radius_, shape_};
    const auto square = [](std::vector<float> values) {
        for (float& v : values)
            v *= v;
        return values;
    };
    return {device_, radius_, square(column_), square(row_), square(taps_), shape_};
}

void Blur::forward(PlaneReader& reader, const Memory& x, int channel, PaddedImage& t,
                   PaddedImage& scratch) {
    if (grid_) return grid_->forward(reader, x, channel, t);
    const Tuning& tuning = device_.tuning();
    const auto [width, height] = shape_.image;
    const int stride = shape_.image.stride();
    Grid whole = pixel_grid(tuning, shape_.width(), shape_.height());
    whole.bytes = (shape_.image.size() + shape_.size()) * sizeof(float);
    if (!taps_.empty()) {
        const auto source = reader(x, channel);
        forward_(whole, source.image, t.memory, tap_values_, width, height, stride,
                 source.row_offset, shape_.stride());
    } else if (tuning.strategy == Strategy::local) {
        const std::size_t strip =
            std::size_t(tuning.tile_width * tuning.vector + 2 * radius_ + tuning.vector) *
            std::size_t(tuning.tile_height);
        forward_(whole, x, std::size_t(channel) * shape_.image.size(), t.memory, column_table_,
                 row_table_, width, height, stride, shape_.stride(),
                 LocalMemory{strip * sizeof(float)});
    } else {
        const auto source = reader(x, channel);
        Grid columns = pixel_grid(tuning, width, shape_.height());
        columns.bytes = 2 * shape_.image.size() * sizeof(float);
        forward_(columns, source.image, scratch.memory, column_table_, width, height, stride,
                 source.row_offset, shape_.stride());
        forward_rows_(whole, scratch.memory, t.memory, row_table_, width, height, shape_.stride());
    }
}

void Blur::adjoint(const PaddedImage& t, Memory& x, int channel, PaddedImage& scratch) {
    if (grid_) return grid_->adjoint(t, x, channel);
    const Tuning& tuning = device_.tuning();
    const auto [width, height] = shape_.image;
    const int stride = shape_.image.stride();
    const std::size_t offset = std::size_t(channel) * shape_.image.size();
    Grid image = pixel_grid(tuning, width, height);
    image.bytes = (shape_.image.size() + shape_.size()) * sizeof(float);
    if (!taps_.empty()) {
        adjoint_(image, t.memory, x, offset, folded_taps_, folded_places_, width, height, stride,
                 shape_.stride());
    } else if (tuning.strategy == Strategy::local) {
        const std::size_t strip =
            std::size_t(tuning.tile_width * tuning.vector + 2 * shape_.margin + tuning.vector) *
            std::size_t(tuning.tile_height);
        adjoint_(image, t.memory, x, offset, column_table_, row_table_, width, height, stride,
                 shape_.stride(), LocalMemory{strip * sizeof(float)});
    } else {
        Grid columns = pixel_grid(tuning, shape_.width(), height);
        columns.bytes = 2 * shape_.size() * sizeof(float);
        adjoint_(columns, t.memory, scratch.memory, column_table_, width, height, shape_.stride());
        adjoint_rows_(image, scratch.memory, x, offset, row_table_, width, height, stride,
                      shape_.stride());
    }
}

}  // namespace plenosr::opencl
