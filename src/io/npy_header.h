#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/array_views.h"

namespace plenosr::io {

// NPY, numpy's format for one array: a magic string, a version, the length of a Python dictionary
// with the keys descr (type), fortran_order and shape, that dictionary, and the elements.
struct NpyHeader {
    Shape shape;
    Element element = Element::uint8;
    bool fortran_order = false;
    bool swap_bytes = false;  // stored in the other byte order than this machine's
    std::size_t size = 0;     // of the header, in bytes: where the elements begin
};

bool is_npy(std::string_view first_bytes);
// `bytes` begin with the header and may go on with the elements.
NpyHeader parse_npy_header(const std::filesystem::path& file, std::string_view bytes);
std::string format_npy_header(const Shape& shape, Element element);

// How much of a file holds every header that parse_npy_header accepts.
inline constexpr std::size_t longest_npy_header = 65536;

}  // namespace plenosr::io
