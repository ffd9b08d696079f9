#pragma once

#include "io/formats.h"

namespace plenosr::io {

// Does the file begin as MATLAB's do, version 5 or 7.3?
bool is_mat(const std::filesystem::path& file);

// For files that are HDF5 inside, MATLAB's version 7.3 among them.
IndexedViews index_hdf5(const std::filesystem::path& file, const IndexHints& hints);
ViewReader open_hdf5(const LightFieldIndex& index);

}  // namespace plenosr::io
