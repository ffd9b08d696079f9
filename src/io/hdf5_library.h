#pragma once

#include <hdf5.h>

#include <mutex>
#include <vector>

#include "io/array_views.h"

// Shared by the files that call the HDF5 library.

namespace plenosr::io {

// Calls are serialised, because the library may be built without thread safety.
std::recursive_mutex& hdf5_library();
using Hdf5Lock = std::lock_guard<std::recursive_mutex>;

// Without this call the library prints its errors.
inline void silence_hdf5() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// Owns an identifier of the library, which reports failures as negative numbers.
class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);
    Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
    ~Hdf5Handle() {
        if (id_ >= 0) close_(id_);
    }
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;
    operator hid_t() const { return id_; }
    bool good() const { return id_ >= 0; }

private:
    hid_t id_;
    Close close_;
};

// The type of an element in memory.
hid_t native_hdf5(Element element);

inline std::vector<hsize_t> hdf5_sizes(const Shape& shape) {
    return {shape.begin(), shape.end()};
}

}  // namespace plenosr::io
