#pragma once

#include <string>
#include <vector>

namespace plenosr::app {

// Insertions, deletions, replacements and swaps of neighbouring letters that turn a into b (optimal
// string alignment).
int edit_distance(const std::string& a, const std::string& b);

// The word that `typed` was probably meant to be; empty if none is similar.
std::string similar_word(const std::string& typed, const std::vector<std::string>& words);

}  // namespace plenosr::app
