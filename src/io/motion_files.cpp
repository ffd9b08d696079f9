#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/file_errors.h"
#include "io/flo.h"
#include "io/folder_layout.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/known_motions.h"
#include "io/manifest.h"
#include "io/natural_order.h"
#include "io/npy_header.h"
#include "io/shifts_text.h"
#include "plenosr/frames.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

std::vector<FrameMotion> motions_in_file(const fs::path& file) {
    if (file.filename() == io::manifest_name) {
        std::vector<FrameMotion> motions;
        for (const Place& shift : read_shifts(file))
            motions.push_back(FrameMotion::translation(shift.x, shift.y));
        return motions;
    }
    const std::string first = io::read_bytes(file, 64);
    if (io::is_flo(first))
        return {{FrameMotion().matrix, io::decode_flo(file, io::read_bytes(file))}};
    if (io::is_npy(first)) return io::decode_npy_motions(file, io::read_bytes(file));
    if (first.starts_with("\x76\x2f\x31\x01"))
        return {{FrameMotion().matrix, io::read_exr_flow(file)}};
    return io::parse_motions(file, io::read_small_text(file));
}

// The files of a folder, one per frame. Others, such as pictures of the flows, are left out.
std::vector<fs::path> motion_files_in(const fs::path& folder) {
    constexpr std::array<std::string_view, 4> known = {".flo", ".npy", ".exr", ".txt"};
    std::vector<fs::path> files;
    for (const fs::path& file : io::files_in(folder))
        if (std::find(known.begin(), known.end(), io::lower_extension(file)) != known.end())
            files.push_back(file);
    if (files.empty())
        refuse_file(folder, "it holds no .flo, .npy, .exr or .txt files with motions of frames",
                    "folder");
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return io::natural_order_less(a.filename().string(), b.filename().string());
    });
    return files;
}

}  // namespace

std::vector<FrameMotion> read_motions(const fs::path& path, int width, int height) {
    std::error_code error;
    const bool folder = fs::is_directory(path, error);
    std::vector<FrameMotion> motions;
    for (const fs::path& file : folder ? motion_files_in(path) : std::vector<fs::path>{path}) {
        std::vector<FrameMotion> found = motions_in_file(file);
        if (folder && found.size() != 1)
            refuse_file(file,
                        fmt::format("it has {} motions; in a folder each file has that of one "
                                    "frame",
                                    found.size()),
                        io::shifts_kind);
        for (FrameMotion& motion : found) {
            io::require_usable(file, motion, width, height);
            motions.push_back(std::move(motion));
        }
    }
    return motions;
}

}  // namespace plenosr
