#pragma once

#include <string>
#include <vector>

#include "plenosr/frames.h"
#include "plenosr/io.h"

namespace plenosr::app {

// The metadata that the result of frames takes from its reference. Adds a note if the colour
// profiles of the frames differ: colours are not converted.
Metadata metadata_of(const FrameFiles& files, int reference, std::vector<std::string>& notes);

// The metadata of each view, in the order of the index.
std::vector<Metadata> metadata_of(const LightFieldIndex& index);

}  // namespace plenosr::app
