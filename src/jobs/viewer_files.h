#pragma once

#include <string>

namespace plenosr {

// The text of a file of viewer/, which is part of the library. Empty if there is none.
const char* viewer_file(const std::string& file);

}  // namespace plenosr
