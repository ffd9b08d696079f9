#include "neighbour_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "light_field/interpolate.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

double distance(ViewPosition a, ViewPosition b) {
    return std::hypot(a.row - b.row, a.col - b.col);
}

}  // namespace

std::vector<std::size_t> outwards(const LightFieldView& light_field) {
    std::vector<std::size_t> order(light_field.views.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const ViewPosition centre = light_field.grid.centre();
    const auto from_centre = [&](std::size_t i) {
        return distance(light_field.views[i].position, centre);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return from_centre(a) < from_centre(b); });
    return order;
}

std::size_t nearest_view(const LightFieldView& light_field, std::size_t i,
                         const std::vector<std::size_t>& candidates) {
    const auto from_here = [&](std::size_t k) {
        return distance(light_field.views[k].position, light_field.views[i].position);
    };
    return *std::min_element(
        candidates.begin(), candidates.end(),
        [&](std::size_t a, std::size_t b) { return from_here(a) < from_here(b); });
}

std::vector<Image> complete_maps(const LightFieldView& light_field, std::vector<Image> maps,
                                 int scale) {
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (!maps[i].empty()) {
            require_disparity(maps[i], light_field.width(), light_field.height(), scale,
                              "given of the view " + to_string(light_field.views[i].position));
            given.push_back(i);
        }
    if (maps.size() != light_field.views.size() || given.empty())
        throw Error(ErrorKind::input,
                    fmt::format("every view is to be reconstructed, but none of the {} disparity "
                                "maps for {} views holds anything; give one at least",
                                maps.size(), light_field.views.size()));
    for (std::size_t i = 0; i < maps.size(); ++i) {
        if (!maps[i].empty()) continue;
        const std::size_t from = nearest_view(light_field, i, given);
        const ViewPosition a = light_field.views[from].position;
        const ViewPosition b = light_field.views[i].position;
        maps[i] = disparity_of_view(maps[from], b.col - a.col, b.row - a.row).disparity;
    }
    return maps;
}

Image moved_to_view(const Image& other, const Image& other_disparity, const Image& disparity,
                    double u, double v) {
    Image result(other.width, other.height, other.channels,
                 std::numeric_limits<float>::quiet_NaN());
    std::vector<Image> planes(std::size_t(other.channels));
    for (int c = 0; c < other.channels; ++c)
        planes[std::size_t(c)] = channel(other, c);
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) {
            const float d = disparity.at(y, x);
            const double at_x = x - u * double(d);
            const double at_y = y - v * double(d);
            if (at_x < 0 || at_y < 0 || at_x > result.width - 1 || at_y > result.height - 1)
                continue;
            if (std::abs(bilinear_at(other_disparity, at_x, at_y) - d) > same_surface) continue;
            for (int c = 0; c < result.channels; ++c)
                result.at(y, x, c) = bilinear_at(planes[std::size_t(c)], at_x, at_y);
        }
    return result;
}

}  // namespace plenosr
