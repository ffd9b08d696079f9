#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace plenosr {

// Creates the folder and its missing parents. Error(output) names `folder`.
void create_folders(const std::filesystem::path& folder);

// A hidden name beside `path`, `.<name>.tmp-<process>-<count>`, that is unique within the process.
std::filesystem::path temporary_sibling(const std::filesystem::path& path);

// Creates a new file. On failure it is removed again, and Error(output) names `shown`, the path
// that the user knows.
void write_new_file(const std::filesystem::path& file, std::string_view bytes,
                    const std::filesystem::path& shown);

// The file appears complete or not at all: it is written under a temporary name, then renamed.
// Devices and pipes (/dev/stdout) are written to directly.
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

}  // namespace plenosr
