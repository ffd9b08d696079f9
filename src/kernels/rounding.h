#pragma once

namespace plenosr {

// floor() of a coordinate as an int, without a library call. Host code only.
inline int floor_to_int(double x) {
    const int truncated = int(x);
    return truncated - (x < truncated ? 1 : 0);
}

}  // namespace plenosr
