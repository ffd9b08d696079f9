#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace plenosr {

// True if the text can be the name of a file without its extension: UTF-8, one part of a path,
// visible, and without control characters.
bool is_item_name(const std::string& text);
// ".png", ".tif": a dot, then letters and digits.
bool is_extension(const std::string& text);
// UTF-8 without control characters, for messages.
std::string printable_name(const std::string& text);

// The name of the item that is made from `input`. It differs from all in `taken`, and is added.
std::string new_item_name(const std::filesystem::path& input, std::set<std::string>& taken);

}  // namespace plenosr
