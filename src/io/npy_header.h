#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/array_views.h"

namespace plenosr::io {

// NPY, NumPy's format for one array: a magic string, a version, the length of a header, the header
// (a Python dictionary with the keys descr, fortran_order and shape), and the elements.
struct NpyHeader {
    Shape shape;
    Element element = Element::uint8;
    bool fortran_order = false;
    bool swap_bytes = false;  // the byte order differs from this machine's
    std::size_t size = 0;     // bytes of the header: where the elements begin
};

bool is_npy(std::string_view first_bytes);
// `bytes` begin with the header; the elements may follow.
NpyHeader parse_npy_header(const std::filesystem::path& file, std::string_view bytes);
std::string format_npy_header(const Shape& shape, Element element);

// Longer headers are refused.
inline constexpr std::size_t longest_npy_header = 65536;

}  // namespace plenosr::io
