#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace plenosr::cache {

// The folder for data that can be computed again: $PLENOSR_CACHE, else $XDG_CACHE_HOME/plenosr,
// else
// ~/.cache/plenosr. Empty if none of these variables is set: then nothing is cached.
std::filesystem::path folder();

// 64-bit FNV-1a. It names files and detects damage; it does not protect against attackers.
std::uint64_t hash(std::string_view bytes);

// Each value has a file of its own and is found by a key of any length. A file appears complete or
// not at all, so processes may share a folder. load() returns nothing if the value is missing or
// damaged, or if the file belongs to another key. store() ignores failures to write.
std::optional<std::string> load(const std::filesystem::path& folder, const std::string& key);
void store(const std::filesystem::path& folder, const std::string& key, std::string_view value);

// A text file for people to read; empty if it does not exist.
std::string read_text(const std::filesystem::path& file);

// The file that holds the value of a key.
std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& key);

}  // namespace plenosr::cache
