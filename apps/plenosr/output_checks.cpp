#include "output_checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "plenosr/metrics.h"
#include "plenosr/outputs.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_write(const char* what, const fs::path& path, const std::string& why) {
    throw Error(ErrorKind::output,
                fmt::format("The {} {} cannot be written: {}.", what, path.string(), why));
}

// Files can be created in the nearest folder above that exists.
void require_writable_parent(const char* what, const fs::path& path) {
    std::error_code error;
    fs::path parent = fs::absolute(path, error).parent_path();
    while (parent.has_relative_path() && !fs::exists(parent, error)) {
        if (error && error != std::errc::no_such_file_or_directory) break;
        parent = parent.parent_path();
    }
    if (error) cannot_write(what, path, error.message());
    if (!fs::is_directory(parent, error))
        cannot_write(what, path, fmt::format("{} is not a folder", parent.string()));
    if (::access(parent.c_str(), W_OK | X_OK) != 0)
        cannot_write(what, path,
                     fmt::format("files cannot be created in {}: {}", parent.string(),
                                 std::generic_category().message(errno)));
}

std::string lower_extension(const fs::path& file) {
    std::string extension = file.extension().string();
    for (char& letter : extension)
        if (letter >= 'A' && letter <= 'Z') letter = char(letter - 'A' + 'a');
    return extension;
}

}  // namespace

void require_writable_file(const fs::path& file) {
    if (file.filename().empty()) cannot_write("file", file, "the name of a file is missing");
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) cannot_write("file", file, "it is a folder");
    require_distinct_outputs({file});  // refuses a link to nothing
    if (!fs::exists(status)) return require_writable_parent("file", file);
    if (::access(file.c_str(), W_OK) != 0)
        cannot_write("file", file, std::generic_category().message(errno));
    // A regular file is replaced by a new one beside it; a terminal or a pipe is written directly.
    if (fs::is_regular_file(status)) require_writable_parent("file", fs::canonical(file, error));
}

void require_writable_folder(const fs::path& folder) {
    std::error_code error;
    const fs::path path = folder.has_filename() ? folder : folder.parent_path();
    const fs::file_status status = fs::status(path, error);
    require_distinct_outputs({path});  // refuses a link to nothing
    if (!fs::exists(status)) return require_writable_parent("folder", path);
    if (!fs::is_directory(status)) cannot_write("folder", path, "a file of that name exists");
    if (!fs::is_empty(path, error) && !fs::exists(path / "lightfield.json", error))
        cannot_write("folder", path,
                     "it exists and holds files but no lightfield.json; remove it or choose "
                     "another name");
}

void require_folder_name(const fs::path& folder, const std::string& why) {
    constexpr std::array<std::string_view, 24> of_files = {
        ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".exr",  ".bmp", ".ppm",
        ".pgm", ".pnm", ".pfm",  ".gif", ".webp", ".heic", ".mp4", ".mov",
        ".avi", ".mkv", ".webm", ".npy", ".npz",  ".h5",   ".mat", ".json"};
    const std::string extension = lower_extension(folder);
    if (std::find(of_files.begin(), of_files.end(), extension) == of_files.end()) return;
    cannot_write(
        "folder", folder,
        fmt::format("{} the output is a folder, whose name must not end in {}", why, extension));
}

void require_no_input(const fs::path& output, const std::vector<fs::path>& inputs) {
    std::error_code error;
    const auto same = [&](const fs::path& input) {
        return !input.empty() && fs::equivalent(output, input, error);
    };
    const auto found = std::find_if(inputs.begin(), inputs.end(), same);
    if (found != inputs.end())
        throw Error(ErrorKind::output,
                    fmt::format("Writing {} would overwrite the input {}; choose another name.",
                                output.string(), found->string()));
}

void require_outputs(std::vector<fs::path> outputs, const std::vector<fs::path>& inputs) {
    std::erase(outputs, "-");
    for (const fs::path& output : outputs)
        if (!output.empty()) require_no_input(output, inputs);
    require_distinct_outputs(outputs);
}

Image read_truth(const fs::path& file, int width, int height, int scale,
                 const LightFieldIndex& index) {
    const std::string name = "the true picture " + file.string();
    return crop_truth(part_of(index, read_image(file), name), width, height, scale, name);
}

void require_extension(const fs::path& file, const std::vector<std::string>& endings) {
    if (std::find(endings.begin(), endings.end(), lower_extension(file)) != endings.end()) return;
    std::string list;
    for (const std::string& ending : endings)
        list += (list.empty() ? "" : " or ") + ending;
    throw Error(ErrorKind::output,
                fmt::format("{} cannot be written: its name must end in {}.", file.string(), list));
}

}  // namespace plenosr::app
