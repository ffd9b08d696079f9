#pragma once

#include <vector>

#include "batch/item_options.h"
#include "plenosr/batch.h"

namespace plenosr {

// The files that an item is made of, without those that do not exist. Error(input) if its inputs
// cannot be read.
std::vector<std::filesystem::path> files_of_item(const std::vector<std::filesystem::path>& inputs,
                                                 bool frames, const OpenOptions& open);
// Error(input) if a file cannot be read. Cancellable.
FilesDigest digest_of(std::vector<std::filesystem::path> files, const Progress& progress = {});

}  // namespace plenosr
