#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/array_views.h"

namespace plenosr::io {

inline constexpr const char* hdf5_kind = "HDF5 file";  // for refuse_file()

// A dataset as it is stored. HDF5 uses C order; MATLAB lists the axes in reverse.
struct Hdf5Dataset {
    std::string name;
    Shape shape;
    Element element = Element::uint8;
    bool of_matlab = false;
};

bool is_hdf5(const std::filesystem::path& file);  // also after a user block of 512 bytes

// May be used by several threads: calls are serialised, because the library may be built without
// thread safety.
class Hdf5File {
public:
    explicit Hdf5File(const std::filesystem::path& file);
    ~Hdf5File();
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    // Datasets of the root group whose element type is supported.
    std::vector<Hdf5Dataset> datasets() const;
    // The numeric attributes of the root group.
    std::map<std::string, double> attributes() const;
    // The block that begins at `start` and has `count` elements along each axis, in C order.
    std::vector<char> read(const Hdf5Dataset& dataset, const Shape& start,
                           const Shape& count) const;

private:
    std::filesystem::path file_;
    std::int64_t id_ = -1;
};

// The bytes of a file with these datasets and attributes. Errors name `file`.
struct Hdf5Content {
    struct Array {
        std::string name;
        Shape shape;
        Element element = Element::uint8;
        const void* data = nullptr;
        Shape chunk;  // compressed in pieces of this shape; empty: one uncompressed piece
    };
    std::vector<Array> arrays;
    std::map<std::string, double> attributes;
};
std::string encode_hdf5(const std::filesystem::path& file, const Hdf5Content& content);

}  // namespace plenosr::io
