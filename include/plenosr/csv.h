#pragma once

#include <string>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// Text as a field of a CSV file (RFC 4180): quoted if it has commas, quotes or line breaks.
std::string csv_field(std::string text);

}  // namespace PLENOSR_EXPORT
