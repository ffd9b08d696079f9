#pragma once

#include <filesystem>
#include <map>
#include <set>
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
    Shape chunk = {};  // the shape of the blocks in which it is stored; empty: one block
};

bool is_hdf5(const std::filesystem::path& file);  // also after a user block of 512 bytes

// May be used by several threads. Elements are read from the file itself only: Error(input) if a
// dataset of the root group has external storage or a virtual layout.
class Hdf5File {
public:
    Hdf5File(const std::filesystem::path& file, std::uint64_t memory_limit);  // bytes
    ~Hdf5File();
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    // Datasets of the root group whose element type is supported.
    const std::vector<Hdf5Dataset>& datasets() const { return datasets_; }
    const Hdf5Dataset* find(const std::string& name) const;  // nullptr if there is none
    // The numeric attributes of the root group.
    std::map<std::string, double> attributes() const;
    // Error(input) if the stored bytes cannot hold the elements (docs/formats.md, "Hostile files"),
    // if a block of them does not fit into memory, or if reading them needs a plugin.
    void require_plausible(const Hdf5Dataset& dataset) const;
    // The block that begins at `start` and has `count` elements along each axis, in C order.
    // Plausible datasets only.
    std::vector<char> read(const Hdf5Dataset& dataset, const Shape& start,
                           const Shape& count) const;

private:
    void list_datasets();
    [[noreturn]] void refuse_damaged(const Hdf5Dataset& dataset) const;

    std::filesystem::path file_;
    std::uint64_t memory_limit_ = 0;
    std::int64_t id_ = -1;
    std::vector<Hdf5Dataset> datasets_;
    mutable std::set<std::string> plausible_;  // names of datasets that were checked
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
