#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/io.h"

namespace plenosr::app {

// Checks before the long work. They change nothing and throw Error(output).

// A file can be written here; folders on the way to it may be missing.
void require_writable_file(const std::filesystem::path& file);
// A light field can be written here as a folder.
void require_writable_folder(const std::filesystem::path& folder);
// The name of a folder does not end like that of a picture, video or other file, such as x.png:
// whoever gives such a name expects a file. `why` says when the output is a folder.
void require_folder_name(const std::filesystem::path& folder, const std::string& why);
// The output is not one of the inputs, by any name or link.
void require_no_input(const std::filesystem::path& output,
                      const std::vector<std::filesystem::path>& inputs);
// require_no_input() and require_distinct_outputs() for all outputs of a command. Empty paths and
// "-", standard output, are ignored.
void require_outputs(std::vector<std::filesystem::path> outputs,
                     const std::vector<std::filesystem::path>& inputs);
// The true picture, cropped as part_of() and then crop_truth() of plenosr/metrics.h do.
Image read_truth(const std::filesystem::path& file, int width, int height, int scale,
                 const LightFieldIndex& index = {});

// The name ends in one of these, such as ".pfm".
void require_extension(const std::filesystem::path& file, const std::vector<std::string>& endings);

}  // namespace plenosr::app
