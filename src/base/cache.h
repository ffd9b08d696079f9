#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace plenosr::cache {

// Where things are kept that can be made again: $PLENOSR_CACHE, else $XDG_CACHE_HOME/plenosr, else
// ~/.cache/plenosr. Empty where none of them is set: nothing is kept.
std::filesystem::path folder();

// FNV-1a of 64 bits: names files and finds damage; no defence against malice.
std::uint64_t hash(std::string_view bytes);

// Values in files of their own, found by a key of any length. A file appears complete or not at
// all, so processes may share a folder. What is missing, damaged or kept under another key is not
// there; what cannot be written is not kept: neither is ever an error.
std::optional<std::string> load(const std::filesystem::path& folder, const std::string& key);
void store(const std::filesystem::path& folder, const std::string& key, std::string_view value);

// A plain text in the folder that people may look at; empty if there is none.
std::string read_text(const std::filesystem::path& file);
// Error(output) if it cannot be written: this is for what a user asked to keep.
void write_text(const std::filesystem::path& file, const std::string& text);

// The file that a key's value is kept in.
std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& key);

}  // namespace plenosr::cache
