#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/cancelled.h"
#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/manifest.h"
#include "io/natural_order.h"
#include "io/psf_copy.h"
#include "io/shifts_text.h"
#include "io/unread_formats.h"
#include "light_field/valid_values.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

// Notes on paths that are left out, e.g. because they match a pattern by chance.
std::vector<std::string> notes_on_strays(const std::vector<fs::path>& strays) {
    std::vector<std::string> notes;
    std::string others;
    int count = 0;
    constexpr int most_names = 5;
    for (const fs::path& stray : strays) {
        const std::string hint = io::unread_format_hint(stray);
        if (!hint.empty())
            notes.push_back(fmt::format("{} is left out: {}", stray.filename().string(), hint));
        else if (++count <= most_names)
            others += (count == 1 ? "" : ", ") + stray.filename().string();
    }
    if (count > most_names) others += fmt::format(" and {} more", count - most_names);
    if (count > 0)
        notes.push_back(fmt::format("{} left out, without pictures: {}",
                                    count == 1 ? "a path is" : fmt::format("{} paths are", count),
                                    others));
    return notes;
}

// True if neither the name nor the content is that of a picture.
bool is_stray(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        if (io::read_manifest(path)) return false;
        const std::vector<fs::path> inside = io::files_in(path);
        return std::none_of(inside.begin(), inside.end(), io::has_picture_extension);
    }
    io::require_regular_file(path);
    return !io::has_picture_extension(path) && !io::looks_like_picture(path);
}

void add_folder(const fs::path& folder, FrameFiles& files) {
    const auto manifest = io::read_manifest(folder);
    if (manifest) {
        if (manifest->degradation) files.degradation = manifest->degradation->options;
        if (!manifest->views.empty()) {
            io::require_listed_files(folder, *manifest);
            for (const io::Manifest::View& view : manifest->views)
                files.frames.push_back({folder / view.file, 0});
            return;
        }
    }
    std::vector<fs::path> pictures;
    for (const fs::path& file : io::files_in(folder))
        if (io::has_picture_extension(file) &&
            !(manifest && io::is_psf_copy(file.filename().string())))
            pictures.push_back(file);
    if (pictures.empty()) {
        const std::vector<std::string> skipped = unread_file_notes(folder);
        refuse_file(folder,
                    "it holds no pictures to use as frames" +
                        (skipped.empty() ? "" : "; " + skipped.front()),
                    "folder");
    }
    std::sort(pictures.begin(), pictures.end(), [](const fs::path& a, const fs::path& b) {
        return io::natural_order_less(a.filename().string(), b.filename().string());
    });
    for (const fs::path& file : pictures)
        files.frames.push_back({file, 0});
}

}  // namespace

FrameFiles list_frames(const std::vector<fs::path>& paths) {
    FrameFiles files;
    std::error_code error;
    std::vector<fs::path> strays;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(strays), is_stray);
    if (strays.size() == paths.size()) strays.clear();  // the first one is refused below
    files.notes = notes_on_strays(strays);
    for (const fs::path& path : paths) {
        if (std::find(strays.begin(), strays.end(), path) != strays.end()) continue;
        if (fs::is_directory(path, error)) {
            add_folder(path, files);
            continue;
        }
        io::require_regular_file(path);
        const int pages = io::Pages(path).count();
        for (int page = 0; page < pages; ++page)
            files.frames.push_back({path, page});
    }
    if (!files.frames.empty() && !files.degradation)
        files.clipped = image_info(files.frames.front().file).format != PixelFormat::float32;
    return files;
}

std::vector<Image> read_frames(const FrameFiles& files, const Progress& progress) {
    std::vector<Image> frames;
    const int count = int(files.frames.size());
    fs::path paged;  // the file of `pages`
    std::optional<io::Pages> pages;
    for (const FrameFiles::Entry& entry : files.frames) {
        if (!report(progress, {"reading", int(frames.size()), count, 0})) throw Cancelled();
        if (!pages || paged != entry.file) pages.emplace(paged = entry.file);
        Image frame = pages->read(entry.page);
        if (const std::string fault = invalid_value(frame); !fault.empty())
            refuse_file(entry.file, fault, "frame");
        if (!frames.empty() &&
            (!frame.same_size(frames.front()) || frame.channels != frames.front().channels))
            refuse_file(entry.file,
                        io::different_size(frame, frames.front(), files.frames.front().file),
                        "frame");
        frames.push_back(std::move(frame));
    }
    if (!report(progress, {"reading", count, count, 0})) throw Cancelled();
    return frames;
}

std::vector<Place> read_shifts(const fs::path& file) {
    std::vector<Place> shifts;
    if (file.filename() == io::manifest_name) {
        io::require_regular_file(file);
        const auto manifest = io::read_manifest(file.parent_path());
        for (const io::Manifest::View& view : manifest->views)
            shifts.push_back({view.position.col, view.position.row});
        if (shifts.empty()) refuse_file(file, "it lists no positions", io::shifts_kind);
        return shifts;
    }
    std::vector<FrameMotion> motions = io::parse_motions(file, io::read_small_text(file));
    for (const FrameMotion& motion : motions) {
        if (!motion.is_translation())
            refuse_file(file, "it has matrices; only lines \"dx dy\" are expected",
                        io::shifts_kind);
        shifts.push_back({motion.matrix[2], motion.matrix[5]});
    }
    return shifts;
}

}  // namespace plenosr
