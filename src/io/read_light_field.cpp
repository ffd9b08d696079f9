#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "io/formats.h"
#include "io/manifest.h"
#include "io/view_batches.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorKind::input, message);
}

void require_there(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        refuse(fmt::format("The light field {} does not exist.", path.string()));
    }
    if (error) {
        refuse(fmt::format("The light field {} cannot be opened: {}.", path.string(),
                           error.message()));
    }
}

const io::LightFieldFormat& format_of(const fs::path& path,
                                      const std::optional<io::Manifest>& manifest) {
    if (manifest) {
        if (const auto* format = io::find_format(manifest->format)) return *format;
        refuse(fmt::format("{} names the format \"{}\"; known formats are {}.",
                           (path / io::manifest_name).string(), manifest->format,
                           io::format_names()));
    }
    for (const io::LightFieldFormat& format : io::formats()) {
        if (format.detect(path)) return format;
    }
    std::string known;
    for (const FormatDescription& format : light_field_formats()) {
        known +=
            fmt::format("{}{}: {}", known.empty() ? "" : "; ", format.name, format.description);
    }
    refuse(fmt::format(
        "{} holds no known light field; what can be read is {}.",
        fs::is_directory(path) ? "The folder " + path.string() : path.string() + " is a file and",
        known));
}

// By row, then column; two files for one place are an error.
void sort_views(std::vector<LightFieldIndex::Entry>& views) {
    std::sort(views.begin(), views.end(), [](const auto& a, const auto& b) {
        return std::tie(a.position.row, a.position.col, a.file) <
               std::tie(b.position.row, b.position.col, b.file);
    });
    const auto twice =
        std::adjacent_find(views.begin(), views.end(),
                           [](const auto& a, const auto& b) { return a.position == b.position; });
    if (twice != views.end()) {
        refuse(fmt::format("The files {} and {} both claim to be the view at {}; remove one.",
                           twice->file.string(), std::next(twice)->file.filename().string(),
                           to_string(twice->position)));
    }
}

const LightFieldIndex::Entry& entry_at(const LightFieldIndex& index, ViewPosition position) {
    const auto found = std::find_if(index.views.begin(), index.views.end(),
                                    [&](const auto& entry) { return entry.position == position; });
    if (found == index.views.end()) {
        refuse(fmt::format("The light field {} has no view at {}.", index.path.string(),
                           to_string(position)));
    }
    return *found;
}

void require_alike(const std::vector<const LightFieldIndex::Entry*>& entries,
                   const std::vector<View>& views) {
    const Image& first = views.front().image;
    for (std::size_t i = 1; i < views.size(); ++i) {
        const Image& image = views[i].image;
        if (!image.same_size(first) || image.channels != first.channels) {
            refuse(
                fmt::format("The view {} has {}x{} pixels and {} channels, but {} has {}x{} and "
                            "{}; all views must be alike.",
                            entries[i]->file.string(), image.width, image.height, image.channels,
                            entries.front()->file.filename().string(), first.width, first.height,
                            first.channels));
        }
    }
}

}  // namespace

std::vector<ViewPosition> LightFieldIndex::positions() const {
    std::vector<ViewPosition> list;
    for (const Entry& entry : views)
        list.push_back(entry.position);
    return list;
}

LightFieldIndex index_light_field(const fs::path& path) {
    require_there(path);
    std::optional<io::Manifest> manifest;
    io::IndexHints hints;
    if (fs::is_directory(path)) {
        manifest = io::read_manifest(path);
        const fs::path parameters = io::file_if_there(path, "parameters.cfg");
        if (!parameters.empty()) hints.parameters = io::read_parameters(parameters);
    }
    if (manifest) hints.grid = manifest->grid;

    const io::LightFieldFormat& format = format_of(path, manifest);
    io::IndexedViews found = format.index(path, hints);
    if (found.views.empty()) {
        refuse(fmt::format("The light field {} holds no view of the format {} ({}).", path.string(),
                           format.name, format.description));
    }
    sort_views(found.views);

    LightFieldIndex index;
    index.path = path;
    index.format = format.name;
    index.grid = found.grid;
    index.views = std::move(found.views);
    index.image = image_info(index.views.front().file);
    index.disparity = found.disparity;
    index.parameters = std::move(hints.parameters);
    if (manifest) index.degradation = manifest->degradation;
    return index;
}

LightField read_light_field(const LightFieldIndex& index,
                            const std::vector<ViewPosition>& positions, const Progress& progress) {
    std::vector<const LightFieldIndex::Entry*> entries;
    for (const ViewPosition position : positions.empty() ? index.positions() : positions) {
        entries.push_back(&entry_at(index, position));
    }
    if (entries.empty()) refuse(fmt::format("{} holds no view.", index.path.string()));
    LightField light_field;
    light_field.grid = index.grid;
    light_field.views.resize(entries.size());
    io::for_each_view(entries.size(), "reading", progress, [&](std::size_t i) {
        light_field.views[i] = {entries[i]->position, read_image(entries[i]->file)};
    });
    require_alike(entries, light_field.views);
    light_field.validate();
    return light_field;
}

}  // namespace plenosr
