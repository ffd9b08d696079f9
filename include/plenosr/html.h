#pragma once

#include <string>
#include <string_view>

namespace plenosr {

// Text as a part of an HTML page: also within quoted attributes.
std::string escaped_html(std::string_view text);

std::string base64(std::string_view bytes);
// The address of a picture within the page itself.
std::string data_uri(std::string_view media_type, std::string_view bytes);

}  // namespace plenosr
