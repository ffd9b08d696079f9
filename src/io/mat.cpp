#include <fmt/format.h>
#include <matio.h>

#include <array>
#include <fstream>
#include <memory>

#include "base/file_errors.h"
#include "io/array_views.h"
#include "io/hdf5_file.h"
#include "io/hdf5_views.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/memory_limit.h"

// MATLAB files: the variable LF[row, col, y, x, channel], as in BasicLFSR. matio reads version 5;
// version 7.3 is HDF5.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "MATLAB file";

using MatFile = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using Variable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

// matio fills the missing part of a truncated file with zeros. Version 5 has a header of 128 bytes,
// then elements: a tag (type and length, four bytes each) and `length` bytes. The last element must
// end with the file.
void require_complete(const fs::path& file) {
    constexpr std::uint64_t header = 128;
    constexpr std::uint64_t tag_size = 8;
    require_regular_file(file);
    std::ifstream stream(file, std::ios::binary);
    const std::string head = read_bytes(file, header);
    const bool big_endian = head.size() == header && head[header - 2] == 'M';
    const std::uint64_t size = fs::file_size(file);
    std::uint64_t at = header;
    std::uint64_t elements = 0;
    while (size >= at + tag_size) {
        if (++elements > most_mat_elements)
            refuse_file(file, fmt::format("it has more than {} variables", most_mat_elements),
                        kind);
        std::array<unsigned char, tag_size> tag{};
        stream.seekg(std::streamoff(at));
        stream.read(reinterpret_cast<char*>(tag.data()), tag.size());
        if (!stream) break;
        std::uint64_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length = length << 8U | tag[4 + (big_endian ? i : 3 - i)];
        at += tag_size + length;
    }
    if (at != size || at == header) refuse_file(file, "it is truncated", kind);
}

MatFile open_file(const fs::path& file) {
    require_complete(file);
    Mat_LogInitFunc("plenosr", [](int, char*) {});  // errors are reported by refuse_file()
    MatFile content(Mat_Open(file.c_str(), MAT_ACC_RDONLY), Mat_Close);
    if (!content) refuse_file(file, "it is damaged or not a MATLAB file", kind);
    return content;
}

std::optional<Element> element_of(const matvar_t& variable) {
    if (variable.isComplex != 0) return {};
    switch (variable.class_type) {
        case MAT_C_UINT8:
            return Element::uint8;
        case MAT_C_UINT16:
            return Element::uint16;
        case MAT_C_SINGLE:
            return Element::float32;
        case MAT_C_DOUBLE:
            return Element::float64;
        default:
            return {};
    }
}

Shape shape_of(const matvar_t& variable) {
    return {variable.dims, variable.dims + variable.rank};
}

// The header of LF, else of the first variable with four or five axes.
Variable views_in(const fs::path& file, mat_t* content) {
    Variable named(Mat_VarReadInfo(content, "LF"), Mat_VarFree);
    if (named && element_of(*named)) return named;
    Mat_Rewind(content);
    while (matvar_t* next = Mat_VarReadNextInfo(content)) {
        Variable variable(next, Mat_VarFree);
        if ((variable->rank == 4 || variable->rank == 5) && element_of(*variable)) return variable;
    }
    refuse_file(file,
                "it holds no array LF of uint8, uint16, single or double, and no other array with "
                "four or five axes",
                kind);
}

// MATLAB may store an element of any class in one byte, and compresses with deflate.
void require_plausible(const fs::path& file, const matvar_t& header) {
    const Shape shape = shape_of(header);
    std::error_code error;
    const std::uint64_t ratio = header.compression == MAT_COMPRESSION_NONE ? 1 : deflate_best_ratio;
    if (bytes_of(shape, Element::uint8) > double(ratio) * double(fs::file_size(file, error)))
        refuse_file(file,
                    fmt::format("it is too short for an array of the shape {}", to_string(shape)),
                    kind);
}

IndexedViews index(const fs::path& file, const IndexHints& hints) {
    if (is_hdf5(file)) return index_hdf5(file, hints);
    const MatFile content = open_file(file);
    const Variable views = views_in(file, content.get());
    const ViewAxes axes = axes_of(file, shape_of(*views), hints.options);
    require_plausible(file, *views);
    return index_array(file, axes, *element_of(*views));
}

ViewReader open(const LightFieldIndex& light_field) {
    const fs::path file = light_field.path;
    if (is_hdf5(file)) return open_hdf5(light_field);
    const MatFile content = open_file(file);
    const Variable header = views_in(file, content.get());
    const Element element = *element_of(*header);
    const ViewAxes axes = axes_of(file, shape_of(*header), same_grid(light_field));
    const double bytes = bytes_of(axes.shape, element);
    require_memory(file, "the array", bytes, light_field.memory_limit);
    require_plausible(file, *header);
    Mat_Rewind(content.get());
    const std::shared_ptr<matvar_t> views(Mat_VarRead(content.get(), header->name), Mat_VarFree);
    if (!views || views->data == nullptr || double(views->nbytes) != bytes ||
        shape_of(*views) != axes.shape)
        refuse_file(file, fmt::format("its variable {} is damaged", header->name), kind);
    const Shape strides = strides_of(axes.shape, true);
    return [=](const LightFieldIndex::Entry& entry) {
        return view_of(static_cast<const char*>(views->data), element, axes, strides, entry.part);
    };
}

}  // namespace

bool is_mat(const fs::path& file) {
    if (!is_file(file)) return false;
    constexpr std::size_t signature_length = 20;
    const std::string first = read_bytes(file, signature_length);
    return first.starts_with("MATLAB 5.0 MAT-file") || first.starts_with("MATLAB 7.3 MAT-file");
}

LightFieldFormat mat_format() {
    LightFieldFormat format;
    format.name = "mat";
    format.description = "a MATLAB file, version 5 or 7.3, with the array LF (BasicLFSR)";
    format.extensions = {".mat"};
    format.detect = [](const fs::path& file, const IndexHints&) { return is_mat(file); };
    format.index = index;
    format.open = open;
    return format;
}

}  // namespace plenosr::io
