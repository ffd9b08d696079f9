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

std::vector<std::filesystem::path> files_of(const LightFieldIndex& index) {
    std::vector<std::filesystem::path> files = {index.path, index.path / "lightfield.json",
                                                index.path / "parameters.cfg", index.disparity};
    for (const LightFieldIndex::Entry& entry : index.views)
        files.insert(files.end(), {entry.file, entry.disparity});
    return files;
}

LightFieldSource in_memory(LightFieldView light_field) {
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
    source.in_memory = std::move(light_field);
    return source;
}

LightFieldView read_views(const LightFieldSource& source,
                          const std::vector<ViewPosition>& positions, const Progress& progress) {
    if (!source.in_memory) return shared_view(read_light_field(source.index, positions, progress));
    const std::vector<ViewPosition> wanted =
        positions.empty() ? source.index.positions() : positions;
    LightFieldView views = *source.in_memory;
    views.grid = source.index.grid;
    views.views.clear();
    for (const ViewPosition p : wanted) {
        const LightFieldIndex::Entry* entry = source.index.find(p);
        if (entry == nullptr)
            throw Error(ErrorKind::input, fmt::format("The light field {} has no view {}.",
                                                      source.index.path.string(), to_string(p)));
        views.views.push_back({p, source.in_memory->views[std::size_t(entry->part)].image});
    }
    return views;
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
