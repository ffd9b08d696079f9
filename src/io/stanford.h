#pragma once

#include "io/formats.h"

namespace plenosr::io {

bool is_stanford_name(const std::filesystem::path& file);
// Moves the views, whose names are Stanford's, to the positions in their names. Error(input) if
// these do not grow or fall along rows and columns.
void use_true_positions(const std::filesystem::path& folder, IndexedViews& found);

}  // namespace plenosr::io
