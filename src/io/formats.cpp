#include "io/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/image_file.h"
#include "light_field/valid_values.h"
#include "plenosr/error.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace io {

const std::vector<LightFieldFormat>& formats() {
    // Folders first, specific file names before general ones; then files by their content.
    static const std::vector<LightFieldFormat> all = {
        list_format(),         hci_format(),    inria_format(),  stanford_format(),
        row_col_format(),      lfbm5d_format(), frames_format(), basiclfsr_format(),
        basiclfsr_hr_format(), hdf5_format(),   mat_format(),    npy_format(),
        npz_format(),          pages_format(),  eslf_format(),   mosaic_format(),
    };
    return all;
}

const LightFieldFormat* find_format(const std::string& name) {
    const auto found = std::find_if(formats().begin(), formats().end(),
                                    [&](const auto& format) { return format.name == name; });
    return found == formats().end() ? nullptr : &*found;
}

namespace {

std::string names_of_formats(bool folders_only) {
    std::string names;
    for (const LightFieldFormat& format : formats()) {
        if (folders_only && !format.extensions.empty()) continue;
        names += (names.empty() ? "" : ", ") + format.name;
    }
    return names;
}

}  // namespace

std::string format_names() {
    return names_of_formats(false);
}

std::string folder_format_names() {
    return names_of_formats(true);
}

namespace {

constexpr const char* estimated_prefix = "estimated_";

}  // namespace

std::string estimated_map_name(const std::string& map_name) {
    const std::string truth_prefix = "gt_";
    const bool is_truth = map_name.starts_with(truth_prefix);
    return estimated_prefix + map_name.substr(is_truth ? truth_prefix.size() : 0);
}

bool is_estimated_map_name(const std::string& file) {
    return file.starts_with(estimated_prefix) && file.ends_with(".pfm");
}

ViewReader view_reader(const LightFieldIndex& index) {
    const LightFieldFormat* format = find_format(index.format);
    const ViewReader read =
        format != nullptr && format->open
            ? format->open(index)
            : [](const LightFieldIndex::Entry& entry) { return read_image(entry.file); };
    return [read](const LightFieldIndex::Entry& entry) {
        try {
            Image image = read(entry);
            if (const std::string fault = invalid_value(image); !fault.empty())
                refuse_file(entry.file, fault, "view");
            return image;
        } catch (const Error& failure) {
            throw Error(failure.kind(), fmt::format("{} (view {}).", as_reason(failure),
                                                    to_string(entry.position)));
        } catch (const std::bad_alloc&) {
            refuse_view(entry, "it does not fit into memory");
        }
    };
}

void refuse_view(const LightFieldIndex::Entry& entry, const std::string& reason) {
    refuse_file(entry.file, fmt::format("{} (view {})", reason, to_string(entry.position)), "view");
}

}  // namespace io

const std::vector<FormatDescription>& light_field_formats() {
    static const std::vector<FormatDescription> descriptions = [] {
        std::vector<FormatDescription> list;
        for (const io::LightFieldFormat& format : io::formats()) {
            list.push_back({format.name, format.description, format.disparity, format.writable(),
                            !format.extensions.empty(), format.extensions});
        }
        return list;
    }();
    return descriptions;
}

std::string format_table() {
    std::string table =
        "| format | what the path holds | disparity | written |\n|---|---|---|---|\n";
    for (const FormatDescription& format : light_field_formats()) {
        std::string written = format.writable ? "yes" : "–";
        if (format.writable && format.one_file) {
            written.clear();
            for (const std::string& extension : format.extensions)
                written += (written.empty() ? "`" : ", `") + extension + "`";
        }
        table += fmt::format("| `{}` | {} | {} | {} |\n", format.name, format.description,
                             format.disparity.empty() ? "–" : format.disparity, written);
    }
    return table;
}

std::string format_for_output(const fs::path& path, const LightField& light_field) {
    const std::string extension = io::lower_extension(path);
    // From the end of the list, so that a picture becomes a mosaic and not an eslf.
    for (auto format = io::formats().rbegin(); format != io::formats().rend(); ++format) {
        const auto& own = format->extensions;
        if (format->write && std::find(own.begin(), own.end(), extension) != own.end())
            return format->name;
    }
    const bool on_grid = std::all_of(light_field.views.begin(), light_field.views.end(),
                                     [](const View& view) { return io::is_whole(view.position); });
    return on_grid ? "hci" : "list";
}

std::string view_disparity_name(const LightFieldIndex& index, ViewPosition position) {
    const LightFieldIndex::Entry* entry = index.find(position);
    const std::size_t number =
        entry == nullptr ? index.views.size() : std::size_t(entry - index.views.data());
    const io::Naming::Place place{number, position, index.grid, {}};
    const io::LightFieldFormat* format = io::find_format(index.format);
    if (format != nullptr && format->naming) return format->naming->view_disparity(place);
    const bool on_grid = io::is_whole(position) && position.row >= 0 && position.col >= 0;
    const char* const general = on_grid ? "row_col" : "list";
    return io::find_format(general)->naming->view_disparity(place);
}

std::string estimated_disparity_name(const LightFieldIndex& index, ViewPosition position) {
    return io::estimated_map_name(view_disparity_name(index, position));
}

}  // namespace plenosr
