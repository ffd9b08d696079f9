#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/formats.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/manifest.h"
#include "io/memory_limit.h"
#include "io/unread_formats.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/psf.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "light field";

void require_exists(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) refuse_file(path, "it does not exist", kind);
    if (error) refuse_file(path, error.message(), kind);
}

// The format of the path is unknown: says which formats are read, or which program converts it.
[[noreturn]] void refuse_unknown(const fs::path& path) {
    if (fs::is_directory(path)) {
        const std::vector<std::string> skipped = unread_file_notes(path);
        refuse_file(path,
                    "it holds no known light field; " +
                        (skipped.empty()
                             ? "plenosr info --formats lists what is read: " + io::format_names()
                             : skipped.front()),
                    "folder");
    }
    io::require_regular_file(path);
    const std::string hint = io::unread_format_hint(path);
    refuse_file(path, hint.empty()
                          ? fmt::format("it is not a light field of a known format; plenosr info "
                                        "--formats lists what is read: {}; pictures are read as {}",
                                        io::format_names(), io::readable_pictures)
                          : hint);
}

const io::LightFieldFormat& format_of(const fs::path& path, const io::IndexHints& hints) {
    const std::string& wanted = hints.options.format;
    if (!wanted.empty() && wanted != "auto") {
        if (const auto* format = io::find_format(wanted)) return *format;
        throw Error(ErrorKind::invalid_option,
                    fmt::format("format = {} is unknown; it must be auto or one of {}.", wanted,
                                io::format_names()));
    }
    if (!hints.options.pattern.empty()) return *io::find_format("row_col");
    if (hints.manifest) {
        const auto* format = io::find_format(hints.manifest->format);
        if (format != nullptr && format->extensions.empty()) return *format;
        refuse_file(
            path / io::manifest_name,
            fmt::format("its format \"{}\" is {}; the formats of folders are {}",
                        hints.manifest->format, format == nullptr ? "unknown" : "one of files",
                        io::folder_format_names()),
            "manifest");
    }
    for (const io::LightFieldFormat& format : io::formats()) {
        if (format.detect(path, hints)) return format;
    }
    refuse_unknown(path);
}

// By row, then column. Error(input) if two files have the same position.
void sort_views(std::vector<LightFieldIndex::Entry>& views) {
    std::sort(views.begin(), views.end(), [](const auto& a, const auto& b) {
        return std::tie(a.position.row, a.position.col, a.file) <
               std::tie(b.position.row, b.position.col, b.file);
    });
    const auto twice =
        std::adjacent_find(views.begin(), views.end(),
                           [](const auto& a, const auto& b) { return a.position == b.position; });
    if (twice != views.end())
        refuse_file(
            twice->file,
            fmt::format("{} has the same position {}; remove one of them",
                        std::next(twice)->file.filename().string(), to_string(twice->position)),
            "view");
}

void apply(const io::Manifest& manifest, LightFieldIndex& index) {
    index.degradation = manifest.degradation;
    // The other keys were checked when they were read, and a file is read later.
    const bool has_blur =  // the record of a simulated camera has none
        index.degradation && !index.degradation->options.blur.text.empty();
    if (has_blur && psf_file(index.degradation->options.blur).empty()) {
        try {
            make_psf(index.degradation->options.blur, index.degradation->options.scale);
        } catch (const Error& failure) {
            refuse_file(index.path / io::manifest_name,
                        "\"degradation.blur\" is invalid: " + as_reason(failure), "manifest");
        }
    }
    if (manifest.colour_space != ColourSpace::srgb) index.colour_space = manifest.colour_space;
    index.disparity_factor = manifest.disparity_sign;
    index.disparity_per_width = manifest.disparity_per_width;
    if (const auto& crop = manifest.crop; crop.width > 0) {
        if (crop.x0 > index.image.width - crop.width || crop.y0 > index.image.height - crop.height)
            refuse_file(
                index.path / io::manifest_name,
                fmt::format("it crops {}x{} pixels at {},{}, but the views have {}x{}", crop.width,
                            crop.height, crop.x0, crop.y0, index.image.width, index.image.height),
                "manifest");
        index.crop = crop;
        index.image.width = crop.width;
        index.image.height = crop.height;
    }
}

// OpenOptions::crop
void use_part(const Box& part, LightFieldIndex& index) {
    index.whole = index.image;
    if (part.width == 0) return;
    if (!Box{0, 0, index.whole.width, index.whole.height}.contains(part))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("crop = {}x{}+{}+{} must lie in the views of {}, which have {}x{} "
                                "pixels",
                                part.width, part.height, part.x0, part.y0, index.path.string(),
                                index.whole.width, index.whole.height));
    index.part = part;
    index.image.width = part.width;
    index.image.height = part.height;
}

}  // namespace

Box LightFieldIndex::used_part() const {
    if (part.width == 0) return crop;
    return {crop.x0 + part.x0, crop.y0 + part.y0, part.width, part.height};
}

std::vector<ViewPosition> LightFieldIndex::positions() const {
    std::vector<ViewPosition> list;
    for (const Entry& entry : views)
        list.push_back(entry.position);
    return list;
}

const LightFieldIndex::Entry* LightFieldIndex::find(ViewPosition position) const {
    const auto before = [](const Entry& entry, const ViewPosition& wanted) {
        return std::tie(entry.position.row, entry.position.col) < std::tie(wanted.row, wanted.col);
    };
    const auto found = std::lower_bound(views.begin(), views.end(), position, before);
    return found != views.end() && found->position == position ? &*found : nullptr;
}

fs::path LightFieldIndex::disparity_of(ViewPosition position) const {
    if (position == grid.centre() && !disparity.empty()) return disparity;
    const Entry* entry = find(position);
    return entry == nullptr ? fs::path() : entry->disparity;
}

LightFieldIndex index_light_field(const fs::path& given, const OpenOptions& options) {
    require_exists(given);
    // The path of a manifest means its folder.
    const bool is_manifest = given.filename() == io::manifest_name && !fs::is_directory(given);
    const fs::path path = !is_manifest              ? given
                          : given.has_parent_path() ? given.parent_path()
                                                    : fs::path(".");
    io::IndexHints hints;
    hints.options = options;
    if (fs::is_directory(path)) {
        hints.manifest = io::read_manifest(path);
        const fs::path parameters = io::file_if_there(path, io::parameters_name);
        if (!parameters.empty()) hints.parameters = io::read_parameters(parameters);
    }

    const io::LightFieldFormat& format = format_of(path, hints);
    const bool wants_folder = format.extensions.empty();
    if (wants_folder != fs::is_directory(path))
        refuse_file(path,
                    fmt::format("it is a {}, but the format {} is {}",
                                wants_folder ? "file" : "folder", format.name, format.description),
                    kind);
    io::IndexedViews found = format.index(path, hints);
    if (found.views.empty())
        refuse_file(
            path,
            fmt::format("it holds no view of the format {} ({})", format.name, format.description),
            kind);
    io::require_few_places(path, found.grid);
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
    index.memory_limit = io::memory_limit(options.memory_limit);
    if (io::lower_extension(index.views.front().file) == ".exr")
        index.colour_space = ColourSpace::linear;
    if (hints.manifest) apply(*hints.manifest, index);
    use_part(options.crop, index);
    return index;
}

}  // namespace plenosr
