#include <fmt/format.h>

#include <algorithm>

#include "base/cancelled.h"
#include "base/file_errors.h"
#include "io/formats.h"
#include "io/image_file.h"
#include "io/manifest.h"
#include "io/name_pattern.h"
#include "io/output_folder.h"
#include "io/pfm.h"
#include "io/psf_copy.h"
#include "io/view_batches.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_light_field(const fs::path& path, const std::string& reason) {
    refuse_output(path, reason, "light field");
}

const io::LightFieldFormat& writable_format(const std::string& name) {
    std::string known;
    for (const io::LightFieldFormat& format : io::formats()) {
        if (!format.writable()) continue;
        if (format.name == name) return format;
        known += (known.empty() ? "" : ", ") + format.name;
    }
    throw Error(ErrorKind::invalid_option,
                fmt::format("format = {} cannot be written; it must be one of {}.", name, known));
}

// Error(output) unless the folder is missing, empty, or holds only files that this library wrote:
// the user's own files are never removed.
void require_replaceable(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status)) return;
    if (!fs::is_directory(status)) refuse_light_field(folder, "a file of that name is in the way");
    if (fs::is_empty(folder, error)) return;
    std::optional<io::Manifest> manifest;
    try {
        manifest = io::read_manifest(folder);
    } catch (const Error& failure) {
        refuse_light_field(
            folder, fmt::format("it exists and is not a light field that may be replaced ({})",
                                failure.what()));
    }
    const io::LightFieldFormat* old = manifest ? io::find_format(manifest->format) : nullptr;
    if (old == nullptr || !old->naming) {
        refuse_light_field(folder,
                           "it exists and holds files, but no lightfield.json of this program; "
                           "remove it or choose another name");
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory(error) ||
            (name != io::manifest_name && name != io::parameters_name &&
             !io::is_estimated_map_name(name) && !io::is_psf_copy(name) &&
             !old->naming->owns(name, *manifest))) {
            refuse_light_field(
                folder, fmt::format("replacing it would remove {}, which does not belong to a "
                                    "light field; move it away or choose another name",
                                    name));
        }
    }
}

void require_consistent(const fs::path& folder, const LightField& light_field,
                        const WriteLightField& options) {
    light_field.validate();
    const bool maps_fit =
        options.view_disparity.empty() || options.view_disparity.size() == light_field.views.size();
    if (!maps_fit) {
        refuse_light_field(folder,
                           fmt::format("{} disparity maps were given for {} views",
                                       options.view_disparity.size(), light_field.views.size()));
    }
    if (!options.metadata.empty() && options.metadata.size() != light_field.views.size())
        refuse_light_field(folder, fmt::format("metadata of {} views were given for {} views",
                                               options.metadata.size(), light_field.views.size()));
    const auto is_map = [](const Image& map) { return map.channels == 1 && !map.empty(); };
    if (!std::all_of(options.view_disparity.begin(), options.view_disparity.end(), is_map) ||
        (!options.disparity.empty() && !is_map(options.disparity))) {
        refuse_light_field(folder, "a disparity map must have one channel and at least one pixel");
    }
}

const Image* centre_disparity(const LightField& light_field, const WriteLightField& options) {
    if (!options.disparity.empty()) return &options.disparity;
    for (std::size_t i = 0; i < options.view_disparity.size(); ++i) {
        if (light_field.views[i].position == light_field.grid.centre()) {
            return &options.view_disparity[i];
        }
    }
    return nullptr;
}

// The extension from the options, else from the pattern, else the default of the pixel format.
std::string extension_for(const WriteLightField& options) {
    if (!options.extension.empty()) return options.extension;
    if (!options.pattern.empty()) {
        std::string own = io::NamePattern(options.pattern).extension();
        if (!own.empty()) return own;
    }
    return io::extension_of(options.pixels);
}

io::Parameters parameters_of(const LightField& light_field, const WriteLightField& options) {
    io::Parameters parameters = options.parameters;
    parameters["extrinsics.num_cams_x"] = std::to_string(light_field.grid.cols);
    parameters["extrinsics.num_cams_y"] = std::to_string(light_field.grid.rows);
    return parameters;
}

// Writes the PSF that the record names and returns a record that names the copy.
DegradationRecord with_own_psf(DegradationRecord record, const io::OutputFolder& output) {
    if (!record.simulated_camera.empty()) return record;  // without a blur
    const io::PsfCopy copy = io::copy_psf(record.options.blur.text);
    for (const io::PsfCopy::File& file : copy.files)
        output.write(file.name, file.bytes);
    if (!copy.files.empty())
        record.options.blur.text =
            copy.prefix + (output.target() / copy.files.front().name).string();
    return record;
}

void write_folder(const fs::path& folder, const LightField& light_field,
                  const WriteLightField& options, const io::LightFieldFormat& format,
                  const Progress& progress) {
    const io::Naming& naming = *format.naming;
    require_replaceable(folder);
    io::OutputFolder output(folder);
    const auto shown = [&](const std::string& name) { return output.target() / name; };
    const std::string extension = extension_for(options);
    if (is_lossy("view" + extension))
        refuse_light_field(folder, fmt::format("views are stored without losses, as .png, .tif, "
                                               ".exr or .pfm, not as {}",
                                               extension));
    const auto map_name = [&](const std::string& name) {
        return options.estimated_disparity ? io::estimated_map_name(name) : name;
    };

    io::Manifest manifest;
    manifest.format = format.name;
    manifest.grid = light_field.grid;
    manifest.pixels = options.pixels;
    if (options.degradation) manifest.degradation = with_own_psf(*options.degradation, output);
    if (format.name == "row_col") manifest.pattern = options.pattern;
    manifest.colour_space = options.colour_space;
    if (format.name == "list") manifest.views.resize(light_field.views.size());
    io::for_each_view(light_field.views.size(), "writing", progress, [&](std::size_t i) {
        const View& view = light_field.views[i];
        const io::Naming::Place place{i, view.position, light_field.grid, options.pattern};
        const std::string name = naming.view(place) + extension;
        ImageEncoding encoding;
        encoding.format = options.pixels;
        if (!options.metadata.empty()) encoding.metadata = options.metadata[i];
        output.write(name, io::encode_image(shown(name), view.image, encoding));
        std::string map;
        if (!options.view_disparity.empty()) {
            map = map_name(naming.view_disparity(place));
            output.write(map, io::encode_pfm(shown(map), options.view_disparity[i]));
        }
        // The manifest names the maps that belong to the scene, so no estimates.
        if (options.estimated_disparity) map.clear();
        if (!manifest.views.empty()) manifest.views[i] = {view.position, name, map};
    });
    if (const Image* map = centre_disparity(light_field, options)) {
        const std::string name = map_name(naming.centre_disparity);
        output.write(name, io::encode_pfm(shown(name), *map));
    }
    output.write(io::parameters_name, io::format_parameters(shown(io::parameters_name),
                                                            parameters_of(light_field, options)));
    output.write(io::manifest_name, io::format_manifest(manifest, output.target()));
    output.commit();
}

}  // namespace

void write_light_field(const fs::path& path, const LightField& light_field,
                       const WriteLightField& options, const Progress& progress) {
    const io::LightFieldFormat& format = writable_format(options.format);
    require_consistent(path, light_field, options);
    if (!format.write) return write_folder(path, light_field, options, format, progress);
    const auto report_done = [&](int done) {
        if (!report(progress, {"writing", done, 1, 0})) throw Cancelled();
    };
    report_done(0);
    format.write(path, light_field, options);
    report_done(1);
}

}  // namespace plenosr
