#include "io/unread_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "io/folder_layout.h"
#include "io/image_file.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

template <std::size_t N>
bool is_one_of(const std::string& extension, const std::array<std::string_view, N>& list) {
    return std::find(list.begin(), list.end(), extension) != list.end();
}

constexpr std::array<std::string_view, 10> videos = {".mp4", ".mov", ".avi",  ".mkv", ".webm",
                                                     ".m4v", ".mpg", ".mpeg", ".wmv", ".mts"};
constexpr std::array<std::string_view, 3> lytro = {".lfr", ".lfp", ".raw"};
constexpr std::array<std::string_view, 7> camera_raw = {".dng", ".cr2", ".cr3", ".nef",
                                                        ".arw", ".orf", ".rw2"};
constexpr std::array<std::string_view, 3> heif = {".heic", ".heif", ".avif"};

// A name as one word of a POSIX shell.
std::string quoted(const std::string& name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("._-/+%").find(char(c)) != std::string_view::npos;
    });
    if (plain) return name;
    std::string text = "'";
    for (const char c : name)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

std::string io::unread_format_hint(const fs::path& file) {
    const std::string extension = lower_extension(file);
    const std::string input = quoted(file.string());
    const std::string png = quoted(fs::path(file).replace_extension(".png").string());
    if (is_one_of(extension, videos))
        return fmt::format(
            "videos are not read; extract frames first, e.g. mkdir frames && ffmpeg -i {} "
            "frames/%04d.png, then use plenosr frames frames",
            input);
    if (is_one_of(extension, lytro))
        return "raw files of Lytro cameras are not read; decode them with PlenoptiCam, which "
               "writes "
               "a folder of views as pictures, or with LFUtilDecodeLytroFolder of the MATLAB Light "
               "Field Toolbox (LFToolbox), which writes a .mat file with the array LF; both are "
               "read";
    if (is_one_of(extension, camera_raw))
        return "raw camera files are not read; develop them to 16-bit TIFF first, e.g. with "
               "darktable or dcraw -T -6";
    if (is_one_of(extension, heif))
        return fmt::format("{} files are not read; convert them first, e.g. heif-convert {} {}",
                           extension, input, png);
    if (extension == ".webp")
        return fmt::format(".webp files are not read; convert them first, e.g. dwebp {} -o {}",
                           input, png);
    if (extension == ".gif")
        return fmt::format(".gif files are not read; convert them first, e.g. ffmpeg -i {} {}",
                           input,
                           quoted(fs::path(file).replace_extension().string() + "_%04d.png"));
    return {};
}

std::vector<std::string> unread_file_notes(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return {};
    std::map<std::string, std::vector<fs::path>> by_extension;
    for (const fs::path& file : io::files_in(folder))
        if (!io::unread_format_hint(file).empty())
            by_extension[io::lower_extension(file)].push_back(file);
    std::vector<std::string> notes;
    notes.reserve(by_extension.size());
    for (const auto& [extension, files] : by_extension)
        notes.push_back(fmt::format("{} {} {} in {} {} skipped: {}", files.size(), extension,
                                    files.size() == 1 ? "file" : "files", folder.string(),
                                    files.size() == 1 ? "is" : "are",
                                    io::unread_format_hint(files.front())));
    return notes;
}

}  // namespace plenosr
