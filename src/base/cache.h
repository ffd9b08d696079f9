#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/temporary.h"

namespace plenosr::cache {

// The folder for data that can be computed again: $PLENOSR_CACHE, else $XDG_CACHE_HOME/plenosr,
// else
// ~/.cache/plenosr. Empty if none of these variables is set: then nothing is cached.
std::filesystem::path folder();

// 64-bit FNV-1a. It finds equal images; it does not protect against damage or attackers.
std::uint64_t hash(std::string_view bytes);

// Each value has a file of its own and is found by a key of any length. A file appears complete or
// not at all, so processes may share a folder. load() returns nothing if
// - the value is missing or longer than `longest` bytes,
// - the SHA-256 of key and value in the file does not match, or the key is another one, or
// - somebody else may have written the file: this user must own the folder and the file, and nobody
//   else may have the right to write to them.
// store() creates the folder for this user alone. It ignores failures to write, and folders that
// load() would not trust.
std::optional<std::string> load(const std::filesystem::path& folder, const std::string& key,
                                std::size_t longest);
void store(const std::filesystem::path& folder, const std::string& key, std::string_view value);

// Keep it while the value of the key is given to code that may crash on it, such as a driver. If
// the process dies meanwhile, load() of the next one removes the entry.
Temporary use_mark(const std::filesystem::path& folder, const std::string& key);

// A text file for people to read; empty if it does not exist, is larger than 1 MiB or could have
// been written by others.
std::string read_text(const std::filesystem::path& file);
// Error(output)
void write_text(const std::filesystem::path& file, std::string_view text);

// The file that holds the value of a key.
std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& key);

}  // namespace plenosr::cache
