#include "plenosr/light_field_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "plenosr/error.h"

namespace plenosr {

LightFieldSource open_light_field(const std::filesystem::path& path, const OpenOptions& options) {
    LightFieldSource source;
    source.notes = unread_file_notes(path);
    source.index = index_light_field(path, options);
    return source;
}

LightFieldSource in_memory(LightField light_field) {
    light_field.validate();
    LightFieldSource source;
    LightFieldIndex& index = source.index;
    index.path = "<array>";
    index.format = "array";
    index.grid = light_field.grid;
    for (std::size_t k = 0; k < light_field.views.size(); ++k)
        index.views.push_back({light_field.views[k].position, index.path, int(k), {}});
    index.image = {light_field.width(), light_field.height(), light_field.channels(),
                   light_field.clipped ? PixelFormat::bits8 : PixelFormat::float32};
    source.in_memory = std::make_shared<const LightField>(std::move(light_field));
    return source;
}

std::shared_ptr<const LightField> read_views(const LightFieldSource& source,
                                             const std::vector<ViewPosition>& positions,
                                             const Progress& progress) {
    if (!source.in_memory)
        return std::make_shared<const LightField>(
            read_light_field(source.index, positions, progress));
    const std::vector<View>& stored = source.in_memory->views;
    const std::vector<ViewPosition> wanted =
        positions.empty() ? source.index.positions() : positions;
    const bool unchanged =
        source.in_memory->grid == source.index.grid &&
        std::equal(wanted.begin(), wanted.end(), stored.begin(), stored.end(),
                   [](ViewPosition p, const View& view) { return p == view.position; }) &&
        std::all_of(source.index.views.begin(), source.index.views.end(), [&](const auto& entry) {
            return stored[std::size_t(entry.part)].position == entry.position;
        });
    if (unchanged) return source.in_memory;
    LightField some;
    some.grid = source.index.grid;
    some.clipped = source.in_memory->clipped;
    for (const ViewPosition p : wanted) {
        const LightFieldIndex::Entry* entry = source.index.find(p);
        if (entry == nullptr)
            throw Error(ErrorKind::input, fmt::format("The light field {} has no view {}.",
                                                      source.index.path.string(), to_string(p)));
        some.views.push_back({p, stored[std::size_t(entry->part)].image});
    }
    return std::make_shared<const LightField>(std::move(some));
}

ViewOrder put_in_order(LightFieldSource& source, const OpenOptions& options,
                       const Progress& progress) {
    if (!options.check_order) return {};
    ViewOrder order = source.in_memory ? find_view_order(*source.in_memory, Image())
                                       : find_view_order(source.index, progress);
    if (!order.note.empty()) source.notes.push_back(order.note);
    source.index = in_right_order(std::move(source.index), order);
    return order;
}

ViewPosition reference_for(const std::string& view, const LightFieldIndex& index) {
    const ViewPosition reference = view.empty() ? index.grid.centre() : parse_view_position(view);
    if (index.find(reference) == nullptr)
        throw Error(ErrorKind::input,
                    fmt::format("The light field {} has no view {}; choose another one with --view "
                                "R,C (plenosr info {} lists the views).",
                                index.path.string(), to_string(reference), index.path.string()));
    return reference;
}

}  // namespace plenosr
