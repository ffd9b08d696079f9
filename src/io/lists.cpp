#include <fmt/format.h>

#include <algorithm>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/image_file.h"

// Folders without grid positions in the file names: lightfield.json lists the views (list), or the
// names count them (frames).

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

// ---- list: lightfield.json names every file and its position

const char* const list_name = "list";

IndexedViews index_list(const fs::path& folder, const IndexHints& hints) {
    if (!hints.manifest || hints.manifest->views.empty())
        refuse_file(folder / manifest_name, "it must list the views under \"views\"", "manifest");
    require_listed_files(folder, *hints.manifest);
    IndexedViews found;
    for (const Manifest::View& view : hints.manifest->views) {
        found.views.push_back({view.position, folder / view.file, 0,
                               view.disparity.empty() ? fs::path() : folder / view.disparity});
    }
    const ViewGrid listed = hints.manifest->grid;
    found.grid = listed.rows > 0 ? listed : bounding_box(found.views);
    require_few_places(folder / manifest_name, found.grid, "manifest");
    found.disparity = file_if_there(folder, centre_map_name);
    return found;
}

bool is_listed_name(const std::string& file, const char* prefix) {
    const std::string stem = fs::path(file).stem().string();
    return has_picture_extension(file) && stem.starts_with(prefix) &&
           stem.find_first_not_of("0123456789", std::string(prefix).size()) == std::string::npos;
}

// ---- frames: pictures whose names differ in one number, in the order of that number

struct Frame {
    std::string name_without_number;
    int number = 0;
    fs::path file;
};

std::optional<Frame> frame_of(const fs::path& file) {
    if (!has_picture_extension(file)) return {};
    constexpr const char* digits = "0123456789";
    constexpr int largest_number = 99999999;
    const std::string stem = file.stem().string();
    const auto last = stem.find_last_of(digits);
    if (last == std::string::npos) return {};
    const auto before = stem.find_last_not_of(digits, last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    const auto number = parse_count(stem.substr(first, last + 1 - first), largest_number);
    if (!number) return {};
    return Frame{stem.substr(0, first) + "#" + stem.substr(last + 1), *number, file};
}

// Empty unless all pictures of the folder form one sequence of at least two.
std::vector<Frame> frames_in(const fs::path& folder) {
    std::error_code error;
    std::vector<Frame> frames;
    if (!fs::is_directory(folder, error)) return frames;
    for (const fs::path& file : files_in(folder)) {
        if (!has_picture_extension(file) || lower_extension(file) == ".pfm") continue;
        auto frame = frame_of(file);
        if (!frame ||
            (!frames.empty() && frame->name_without_number != frames.front().name_without_number))
            return {};
        frames.push_back(std::move(*frame));
    }
    std::stable_sort(frames.begin(), frames.end(),
                     [](const Frame& a, const Frame& b) { return a.number < b.number; });
    if (frames.size() < 2) frames.clear();
    return frames;
}

}  // namespace

LightFieldFormat list_format() {
    Naming naming;
    naming.view = [](const Naming::Place& place) {
        return fmt::format("view_{:04}", place.number);
    };
    naming.view_disparity = [](const Naming::Place& place) {
        return fmt::format("map_{:04}.pfm", place.number);
    };
    naming.centre_disparity = centre_map_name;
    naming.owns = [](const std::string& file, const Manifest&) {
        return is_listed_name(file, "view_") || is_listed_name(file, "map_") ||
               file == centre_map_name;
    };
    LightFieldFormat format;
    format.name = list_name;
    format.description = "a folder whose lightfield.json lists files and positions";
    format.disparity = "disparity.pfm, files of lightfield.json";
    format.detect = [](const fs::path&, const IndexHints& hints) {
        return hints.manifest && !hints.manifest->views.empty();
    };
    format.index = index_list;
    format.naming = naming;
    return format;
}

LightFieldFormat frames_format() {
    LightFieldFormat format;
    format.name = "frames";
    format.description = "a folder of numbered pictures: one row of views, or --grid RxC";
    format.disparity = "disparity.pfm";
    format.detect = [](const fs::path& folder, const IndexHints&) {
        return !frames_in(folder).empty();
    };
    format.index = [](const fs::path& folder, const IndexHints& hints) {
        const std::vector<Frame> frames = frames_in(folder);
        IndexedViews found;
        if (frames.empty()) return found;
        found.grid = grid_of_list(folder, frames.size(), hints.options);
        for (std::size_t i = 0; i < frames.size(); ++i)
            found.views.push_back({place_in_list(found.grid, i), frames[i].file, 0, {}});
        found.disparity = file_if_there(folder, centre_map_name);
        return found;
    };
    return format;
}

}  // namespace plenosr::io
