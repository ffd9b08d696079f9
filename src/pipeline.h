#pragma once

#include "engine/engine.h"
#include "plenosr/reconstruct.h"

namespace plenosr {

// reconstruct() on the given engines; options.device and options.threads are not looked at.
ReconstructResult reconstruct_with(const std::vector<std::unique_ptr<Engine>>& engines,
                                   const LightField& light_field, ViewPosition reference,
                                   const Image& disparity, const ReconstructOptions& options,
                                   const Progress& progress, const Image* truth);

}  // namespace plenosr
