#pragma once

#include <string>
#include <string_view>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// Text as a part of an HTML page: also within quoted attributes.
std::string escaped_html(std::string_view text);

std::string base64(std::string_view bytes);
// The address of a picture within the page itself.
std::string data_uri(std::string_view media_type, std::string_view bytes);

}  // namespace PLENOSR_EXPORT
