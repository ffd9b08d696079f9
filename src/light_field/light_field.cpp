#include "plenosr/light_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "light_field/valid_values.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

std::string size_text(const ImageView& image) {
    return fmt::format("{}x{} pixels with {} channel{}", image.width, image.height, image.channels,
                       image.channels == 1 ? "" : "s");
}

void require_valid_image(const PlacedView& view) {
    const ImageView& image = view.image;
    if (image.width <= 0 || image.height <= 0 || (image.channels != 1 && image.channels != 3) ||
        image.empty()) {
        throw Error(ErrorKind::input,
                    fmt::format("The view at {} has {}{}; it must have at least one pixel and 1 or "
                                "3 channels.",
                                to_string(view.position), size_text(image),
                                image.empty() ? " and another number of values" : ""));
    }
    if (const std::string fault = invalid_value(image); !fault.empty())
        throw Error(ErrorKind::input, fmt::format("The view at {} cannot be used: {}.",
                                                  to_string(view.position), fault));
}

}  // namespace

std::string to_string(ViewPosition position) {
    // Adding zero turns -0 into 0.
    return fmt::format("{},{}", position.row + 0.0, position.col + 0.0);
}

const View* LightField::find(ViewPosition position) const {
    const auto found = std::find_if(views.begin(), views.end(),
                                    [&](const View& view) { return view.position == position; });
    return found == views.end() ? nullptr : &*found;
}

void LightField::validate() const {
    LightFieldView(*this).validate();
}

LightFieldView::LightFieldView(const LightField& light_field)
    : grid(light_field.grid), clipped(light_field.clipped) {
    views.reserve(light_field.views.size());
    for (const View& view : light_field.views)
        views.push_back({view.position, view.image});
}

LightFieldView shared_view(LightField light_field) {
    const auto owner = std::make_shared<const LightField>(std::move(light_field));
    LightFieldView view = *owner;
    view.owner = owner;
    return view;
}

const PlacedView* LightFieldView::find(ViewPosition position) const {
    const auto found = std::find_if(views.begin(), views.end(), [&](const PlacedView& view) {
        return view.position == position;
    });
    return found == views.end() ? nullptr : &*found;
}

void LightFieldView::validate() const {
    if (views.empty()) throw Error(ErrorKind::input, "The light field holds no views.");
    for (const PlacedView& view : views) {
        require_valid_image(view);
        if (!view.image.same_size(views.front().image) ||
            view.image.channels != views.front().image.channels) {
            throw Error(
                ErrorKind::input,
                fmt::format("The view at {} has {}, but the view at {} has {}; all views "
                            "must have equal sizes.",
                            to_string(view.position), size_text(view.image),
                            to_string(views.front().position), size_text(views.front().image)));
        }
    }
    std::vector<std::pair<double, double>> positions;
    for (const PlacedView& view : views)
        positions.emplace_back(view.position.row, view.position.col);
    std::sort(positions.begin(), positions.end());
    const auto twice = std::adjacent_find(positions.begin(), positions.end());
    if (twice != positions.end()) {
        throw Error(ErrorKind::input,
                    fmt::format("The light field holds two views at {}; positions must differ.",
                                to_string(ViewPosition{twice->first, twice->second})));
    }
}

}  // namespace plenosr
