#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace plenosr {

// Creates the folder and its parents, where missing: Error(output) names `folder`.
void create_folders(const std::filesystem::path& folder);

// `.<name>.tmp-<process>-<count>` beside `path`: hidden, never the same twice in a process.
std::filesystem::path temporary_sibling(const std::filesystem::path& path);

// Makes a new file; on failure it is removed again and Error(output) names `shown`, the place
// where the file would have ended up.
void write_new_file(const std::filesystem::path& file, std::string_view bytes,
                    const std::filesystem::path& shown);

// The file appears complete or not at all: written under a temporary name, then renamed. What is no
// regular file (/dev/stdout, a pipe) is written to directly.
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

}  // namespace plenosr
