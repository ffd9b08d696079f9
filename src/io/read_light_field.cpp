#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "io/folder_layout.h"
#include "io/formats.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/manifest.h"
#include "io/unread_formats.h"
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

// The path is no light field of a known format: says what is read, or what converts it.
[[noreturn]] void refuse_unknown(const fs::path& path) {
    if (fs::is_directory(path)) {
        const std::vector<std::string> skipped = unread_file_notes(path);
        refuse(fmt::format(
            "The folder {} holds no known light field; {}.", path.string(),
            !skipped.empty() ? skipped.front()
                             : "plenosr info --formats lists what is read: " + io::format_names()));
    }
    io::require_regular_file(path);
    const std::string hint = io::unread_format_hint(path);
    refuse(fmt::format(
        "{} cannot be read: {}.", path.string(),
        !hint.empty() ? hint
                      : fmt::format("it is no light field of a known format; plenosr info "
                                    "--formats lists what is read: {}; pictures are read as {}",
                                    io::format_names(), io::readable_pictures)));
}

const io::LightFieldFormat& format_of(const fs::path& path, const io::IndexHints& hints) {
    const std::string& wanted = hints.options.format;
    if (!wanted.empty() && wanted != "auto") {
        if (const auto* format = io::find_format(wanted)) return *format;
        throw Error(ErrorKind::invalid_option,
                    fmt::format("format = {} is not known; allowed are auto, {}.", wanted,
                                io::format_names()));
    }
    if (!hints.options.pattern.empty()) return *io::find_format("row_col");
    if (hints.manifest) {
        if (const auto* format = io::find_format(hints.manifest->format)) return *format;
        refuse(fmt::format("{} names the format \"{}\"; known formats are {}.",
                           (path / io::manifest_name).string(), hints.manifest->format,
                           io::format_names()));
    }
    for (const io::LightFieldFormat& format : io::formats()) {
        if (format.detect(path, hints)) return format;
    }
    refuse_unknown(path);
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

void apply(const io::Manifest& manifest, LightFieldIndex& index) {
    index.degradation = manifest.degradation;
    if (manifest.colour_space != ColourSpace::srgb) index.colour_space = manifest.colour_space;
    index.disparity_factor = manifest.disparity_sign;
    index.disparity_per_width = manifest.disparity_per_width;
    if (const auto& crop = manifest.crop; crop.width > 0) {
        if (crop.x > index.image.width - crop.width || crop.y > index.image.height - crop.height) {
            refuse(fmt::format("{} crops {}x{} pixels at {},{}, but the views have {}x{}.",
                               (index.path / io::manifest_name).string(), crop.width, crop.height,
                               crop.x, crop.y, index.image.width, index.image.height));
        }
        index.crop = crop;
        index.image.width = crop.width;
        index.image.height = crop.height;
    }
}

Image cropped(const LightFieldIndex& index, const LightFieldIndex::Entry& entry, Image image) {
    const LightFieldIndex::Crop& c = index.crop;
    if (c.width == 0) return image;
    if (c.x > image.width - c.width || c.y > image.height - c.height) {
        refuse(fmt::format(
            "The view {} has {}x{} pixels, too few for the {}x{} at {},{} that "
            "lightfield.json crops.",
            entry.file.string(), image.width, image.height, c.width, c.height, c.x, c.y));
    }
    return crop(image, Box{c.x, c.y, c.width, c.height});
}

void require_memory_for(const LightFieldIndex& index, std::size_t views) {
    const int channels = index.image.channels > 2 ? 3 : 1;
    io::require_memory(
        index.path, fmt::format("{} views", views),
        double(views) * index.image.width * index.image.height * channels * sizeof(float),
        index.memory_limit > 0 ? index.memory_limit : io::memory_limit({}));
}

}  // namespace

std::vector<ViewPosition> LightFieldIndex::positions() const {
    std::vector<ViewPosition> list;
    for (const Entry& entry : views)
        list.push_back(entry.position);
    return list;
}

fs::path LightFieldIndex::disparity_of(ViewPosition position) const {
    if (position == grid.centre() && !disparity.empty()) return disparity;
    for (const Entry& entry : views) {
        if (entry.position == position) return entry.disparity;
    }
    return {};
}

LightFieldIndex index_light_field(const fs::path& given, const OpenOptions& options) {
    require_there(given);
    // A manifest stands for its folder.
    const bool is_manifest = given.filename() == io::manifest_name && !fs::is_directory(given);
    const fs::path path = !is_manifest              ? given
                          : given.has_parent_path() ? given.parent_path()
                                                    : fs::path(".");
    io::IndexHints hints;
    hints.options = options;
    if (fs::is_directory(path)) {
        hints.manifest = io::read_manifest(path);
        const fs::path parameters = io::file_if_there(path, "parameters.cfg");
        if (!parameters.empty()) hints.parameters = io::read_parameters(parameters);
    }

    const io::LightFieldFormat& format = format_of(path, hints);
    const bool wants_folder = format.extensions.empty();
    if (wants_folder != fs::is_directory(path)) {
        refuse(fmt::format("{} is a {}, but the format {} is {}.", path.string(),
                           wants_folder ? "file" : "folder", format.name, format.description));
    }
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
    index.image = found.image ? *found.image : image_info(index.views.front().file);
    index.disparity = found.disparity;
    if (index.disparity.empty()) index.disparity = index.disparity_of(index.grid.centre());
    index.parameters = std::move(hints.parameters);
    index.parameters.merge(found.parameters);
    index.memory_limit = io::memory_limit(options);
    if (io::lower_extension(index.views.front().file) == ".exr")
        index.colour_space = ColourSpace::linear;
    if (hints.manifest) apply(*hints.manifest, index);
    return index;
}

LightField read_light_field(const LightFieldIndex& index,
                            const std::vector<ViewPosition>& positions, const Progress& progress) {
    std::vector<const LightFieldIndex::Entry*> entries;
    for (const ViewPosition position : positions.empty() ? index.positions() : positions) {
        entries.push_back(&entry_at(index, position));
    }
    if (entries.empty()) refuse(fmt::format("{} holds no view.", index.path.string()));
    require_memory_for(index, entries.size());
    const io::LightFieldFormat* format = io::find_format(index.format);
    const io::ViewReader read = format != nullptr && format->open
                                    ? format->open(index)
                                    : [](const auto& entry) { return read_image(entry.file); };
    LightField light_field;
    light_field.grid = index.grid;
    light_field.views.resize(entries.size());
    io::for_each_view(entries.size(), "reading", progress, [&](std::size_t i) {
        light_field.views[i] = {entries[i]->position,
                                cropped(index, *entries[i], read(*entries[i]))};
    });
    require_alike(entries, light_field.views);
    light_field.validate();
    return light_field;
}

Image read_disparity(const LightFieldIndex& index, ViewPosition position) {
    const fs::path file = index.disparity_of(position);
    if (file.empty()) {
        refuse(fmt::format("The light field {} holds no disparity map of the view {}.",
                           index.path.string(), to_string(position)));
    }
    const io::LightFieldFormat* format = io::find_format(index.format);
    const bool inside = format != nullptr && format->read_disparity && file == index.path;
    Image map =
        inside ? format->read_disparity(index, entry_at(index, position)) : read_disparity(file);
    const double unit = index.disparity_per_width ? double(map.width) : 1.0;
    const double factor = index.disparity_factor * unit;
    if (factor != 1) {
        for (float& value : map.values)
            value = float(double(value) * factor);
    }
    const LightFieldIndex::Crop& c = index.crop;
    const bool of_whole_view = c.width > 0 && map.width >= c.x + c.width &&
                               map.height >= c.y + c.height &&
                               !(map.width == c.width && map.height == c.height);
    return of_whole_view ? crop(map, Box{c.x, c.y, c.width, c.height}) : map;
}

}  // namespace plenosr
