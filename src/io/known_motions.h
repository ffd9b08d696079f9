#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/motion.h"

namespace plenosr::io {

// The motions of an NPY array: [frame, 2], [frame, 2, 3], [frame, 3, 3], [y, x, 2] or
// [frame, y, x, 2]. `bytes` is the content of `file`.
std::vector<FrameMotion> decode_npy_motions(const std::filesystem::path& file, std::string bytes);

// Error(input) unless the flow has the size of the frames, and every corner of a frame has a place
// near the reference.
void require_usable(const std::filesystem::path& file, const FrameMotion& motion, int width,
                    int height);

}  // namespace plenosr::io
