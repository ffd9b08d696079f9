#pragma once

#include <optional>
#include <string>

#include "arrays.h"
#include "options.h"
#include "plenosr/jobs.h"

namespace plenosr::python {

// The given options, else scale, blur and phase of the record of `plenosr degrade`, else defaults.
ReconstructOptions solver_options(const Given& given, const std::optional<DegradeOptions>& record,
                                  const std::vector<Option<ReconstructOptions>>& list);
// The devices that stay open between the calls of this process.
std::shared_ptr<DevicePool> open_devices();
void release_devices();

std::optional<DegradeOptions> record_of(const LightFieldIndex& index);

// `disparity` is a path, an array, or None.
ViewChoice view_choice(const std::string& view, const std::string& views,
                       const nb::object& disparity, const std::string& disparity_from);

// A function (image, sigma) -> image, or None.
DenoiserFunction denoiser_from(const nb::object& function);

// A picture from a path or an array; empty for None.
Image picture_from(const nb::object& given, std::optional<double> white, const std::string& name);

}  // namespace plenosr::python
