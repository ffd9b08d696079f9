#pragma once

#include <stdexcept>

namespace plenosr {

// The device, or the machine, has not the memory that a tile needs: smaller tiles may fit.
class OutOfMemory : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace plenosr
