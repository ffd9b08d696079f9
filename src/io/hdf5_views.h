#pragma once

#include "io/formats.h"

namespace plenosr::io {

// True if the file begins like a MATLAB file of version 5 or 7.3.
bool is_mat(const std::filesystem::path& file);

// For HDF5 files, including MATLAB files of version 7.3.
IndexedViews index_hdf5(const std::filesystem::path& file, const IndexHints& hints);
ViewReader open_hdf5(const LightFieldIndex& index);

}  // namespace plenosr::io
