#include "plenosr/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/formats.h"
#include "plenosr/error.h"
#include "plenosr/options.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

bool same_size(const Image& map, const LightField& views) {
    return map.width == views.width() && map.height == views.height();
}

// The nearest value, because interpolation would invent surfaces between near and far. Values are
// scaled to the new pixels.
Image resized_map(const Image& map, int width, int height) {
    Image result(width, height);
    const float factor = float(double(width) / map.width);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int from_y = std::min(map.height - 1, int((y + 0.5) * map.height / height));
            const int from_x = std::min(map.width - 1, int((x + 0.5) * map.width / width));
            result.at(y, x) = factor * map.at(from_y, from_x);
        }
    }
    return result;
}

struct Content {
    LightField views;
    Image disparity;
    std::vector<Image> view_disparity;

    template <class Change>  // Image(const Image& map)
    void change_maps(Change change) {
        if (!disparity.empty()) disparity = change(disparity);
        for (Image& map : view_disparity)
            map = change(map);
    }
};

Content read_content(const LightFieldIndex& input, const ConvertOptions& options,
                     const Progress& progress) {
    const ViewPosition centre = input.grid.centre();
    Content content;
    content.views =
        read_light_field(input, select_views(options.views, centre, input.positions()), progress);
    if (!input.disparity_of(centre).empty()) content.disparity = read_disparity(input, centre);
    const auto& views = content.views.views;
    const bool every_view_has_a_map =
        std::none_of(views.begin(), views.end(),
                     [&](const View& view) { return input.disparity_of(view.position).empty(); });
    if (every_view_has_a_map && views.size() > 1)
        for (const View& view : views)
            content.view_disparity.push_back(read_disparity(input, view.position));
    return content;
}

void resize_content(double factor, Content& content) {
    if (factor == 1) return;
    const int width = std::max(1, int(std::lround(content.views.width() * factor)));
    const int height = std::max(1, int(std::lround(content.views.height() * factor)));
    content.change_maps([&](const Image& map) {
        return same_size(map, content.views) ? resized_map(map, width, height) : map;
    });
    for (View& view : content.views.views)
        view.image = resize(view.image, width, height);
}

void change_colour_space(ColourSpace from, ColourSpace to, LightField& views) {
    if (from == to) return;
    for (View& view : views.views)
        view.image = to == ColourSpace::linear ? to_linear(view.image) : to_srgb(view.image);
}

// A cropped light field keeps its scale and blur. A resized one has no valid record.
std::optional<DegradationRecord> record_for(const LightFieldIndex& input,
                                            const ConvertOptions& options) {
    auto record = input.degradation;
    if (options.resize != 1) record.reset();
    if (record && input.part.width > 0) {
        record->full_disparity.clear();  // of the whole views
        if (is_psf_grid(record->options.blur)) record->options.blur.text.clear();
    }
    return record;
}

std::map<std::string, std::string> parameters_for(const LightFieldIndex& input,
                                                  const LightField& views) {
    auto parameters = input.parameters;
    for (auto& [key, value] : parameters) {
        if (key.ends_with("image_resolution_x_px")) value = std::to_string(views.width());
        if (key.ends_with("image_resolution_y_px")) value = std::to_string(views.height());
    }
    return parameters;
}

}  // namespace

void ConvertOptions::validate() const {
    ConvertOptions copy;
    for (const Option<ConvertOptions>& option : convert_options())
        option.set(copy, option.show(*this));
}

ConvertResult convert_light_field(const LightFieldIndex& input, const fs::path& output,
                                  const ConvertOptions& options, const Progress& progress) {
    options.validate();
    Content content = read_content(input, options, progress);
    resize_content(options.resize, content);
    if (options.equalise) equalise_views(content.views, input.grid.centre());
    const ColourSpace colour_space = options.colour_space.value_or(input.colour_space);
    change_colour_space(input.colour_space, colour_space, content.views);

    WriteLightField layout;
    layout.format = options.to == "auto" ? format_for_output(output, content.views) : options.to;
    layout.pixels = options.bits.value_or(input.image.format);
    if (options.encoding != "auto") layout.extension = "." + options.encoding;
    layout.pattern = options.names;
    layout.colour_space = colour_space;
    layout.disparity = content.disparity;
    layout.view_disparity = std::move(content.view_disparity);
    layout.parameters = parameters_for(input, content.views);
    layout.degradation = record_for(input, options);
    for (const View& view : content.views.views)
        layout.metadata.push_back(read_metadata(input, view.position));
    if (colour_space != input.colour_space)  // the values are no longer those of the profile
        for (Metadata& metadata : layout.metadata)
            metadata.icc_profile.clear();
    if (!options.names.empty() && options.to == "auto") layout.format = "row_col";
    write_light_field(output, content.views, layout, progress);
    return {layout.format,          content.views.views.size(),  content.views.width(),
            content.views.height(), content.views.channels(),    layout.pixels,
            colour_space,           std::move(content.disparity)};
}

}  // namespace plenosr
