#pragma once

#include <stdexcept>

namespace plenosr {

// The device or the machine lacks the memory for a tile. Smaller tiles may fit.
class OutOfMemory : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace plenosr
