#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"

namespace plenosr::io {

bool is_pfm(const std::string& first_bytes);  // "Pf" or "PF" and white space
ImageInfo pfm_info(const std::filesystem::path& file);
// `bytes` is the content of `file`.
Image decode_pfm(const std::filesystem::path& file, const std::string& bytes);
std::string encode_pfm(const std::filesystem::path& file, const Image& image);

}  // namespace plenosr::io
