#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/io.h"

namespace plenosr::app {

// All of these look before the long work, change nothing, and throw Error(output).

// Could a file be written here? Its folder may still be missing.
void require_writable_file(const std::filesystem::path& file);
// Could a light field be written here?
void require_writable_folder(const std::filesystem::path& folder);
// Is the output one of the inputs, under whatever name or link?
void require_no_input(const std::filesystem::path& output,
                      const std::vector<std::filesystem::path>& inputs);
// … for a picture and a JSON report, which must not be one file either.
void require_outputs(const std::filesystem::path& picture, const std::filesystem::path& json,
                     const std::vector<std::filesystem::path>& inputs);
// The true picture; it may be larger by what a decimation cut off at the right and at the bottom.
// Error(input) for other sizes.
Image read_truth(const std::filesystem::path& file, int width, int height, int scale);
// Every file that a light field consists of.
std::vector<std::filesystem::path> files_of(const LightFieldIndex& index);

// "8", "16", and "float" if allowed: Error(invalid_option) for others.
PixelFormat parse_bits(const std::string& bits, bool allow_float);
// Does the file's name end as pictures of this depth must?
void require_extension(const std::filesystem::path& file, PixelFormat format);
// … in one of these, such as ".pfm"?
void require_extension(const std::filesystem::path& file, const std::vector<std::string>& endings);
// name = value must be one of the words "a|b|c": Error(invalid_option).
void require_one_of(const std::string& name, const std::string& value, const std::string& words);

}  // namespace plenosr::app
