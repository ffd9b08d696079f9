#pragma once

#include "io/json_reader.h"
#include "plenosr/estimates.h"

namespace plenosr::io {

// The object "estimates".
Json json_of(const Estimates& estimates);

}  // namespace plenosr::io
