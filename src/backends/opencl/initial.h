#pragma once

#include "backends/opencl/device.h"
#include "backends/opencl/memory_plan.h"
#include "engine/engine.h"
#include "problem/geometry.h"
#include "problem/pilot.h"

namespace plenosr::opencl {

// Work that is done once per tile before solving, on the device (src/kernels/initial.cl, splat.cl):
// the same functions as in the native engine.
Image enlarge_bicubic(Device& device, const Image& low, const SamplingGrid& sampling);
MedianImage median_of_views(Device& device, const std::vector<Image>& views,
                            const std::vector<ViewGeometry>& geometry, const Image& disparity,
                            const Image& enlarged_reference, const SamplingGrid& sampling);
std::vector<ViewGeometry> view_geometry(Device& device, const GeometryDesc& desc,
                                        const Progress& progress);

// Memory objects of view_geometry(), and of median_of_views() with its copies on the host.
MemoryPlan geometry_memory(const ProblemShape& s);
MemoryPlan pilot_memory(const ProblemShape& s);
std::size_t pilot_host_bytes(std::size_t samples, int channels);

}  // namespace plenosr::opencl
