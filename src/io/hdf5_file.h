#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/array_views.h"

namespace plenosr::io {

// A dataset as it lies in the file. HDF5 keeps C order; MATLAB's files list the axes backwards.
struct Hdf5Dataset {
    std::string name;
    Shape shape;
    Element element = Element::uint8;
    bool of_matlab = false;
};

bool is_hdf5(const std::filesystem::path& file);  // also behind a user block of 512 bytes

// One at a time, whatever the number of threads: the library need not be built for threads.
class Hdf5File {
public:
    explicit Hdf5File(const std::filesystem::path& file);
    ~Hdf5File();
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    // Datasets of the root group with elements that are read; others are left out.
    std::vector<Hdf5Dataset> datasets() const;
    // Numbers among the root group's attributes.
    std::map<std::string, double> attributes() const;
    // The block of `count` elements along each axis that begins at `start`, in C order.
    std::vector<char> read(const Hdf5Dataset& dataset, const Shape& start,
                           const Shape& count) const;

private:
    std::filesystem::path file_;
    std::int64_t id_ = -1;
};

// The bytes of a file with these datasets and numbers as attributes; `file` is what errors name.
struct Hdf5Content {
    struct Array {
        std::string name;
        Shape shape;
        Element element = Element::uint8;
        const void* data = nullptr;
        Shape chunk;  // compressed piece by piece
    };
    std::vector<Array> arrays;
    std::map<std::string, double> attributes;
};
std::string encode_hdf5(const std::filesystem::path& file, const Hdf5Content& content);

}  // namespace plenosr::io
