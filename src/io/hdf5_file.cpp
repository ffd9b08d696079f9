#include "io/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/file_errors.h"
#include "io/hdf5_library.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/memory_limit.h"

namespace plenosr::io {

namespace fs = std::filesystem;

std::recursive_mutex& hdf5_library() {
    static std::recursive_mutex mutex;
    return mutex;
}

hid_t native_hdf5(Element element) {
    switch (element) {
        case Element::uint8:
            return H5T_NATIVE_UINT8;
        case Element::uint16:
            return H5T_NATIVE_UINT16;
        case Element::float32:
            return H5T_NATIVE_FLOAT;
        case Element::float64:
            break;
    }
    return H5T_NATIVE_DOUBLE;
}

namespace {

constexpr const char* damaged_root = "its root group is damaged";

std::optional<Element> element_of(hid_t type) {
    const H5T_class_t type_class = H5Tget_class(type);
    const std::size_t size = H5Tget_size(type);
    if (type_class == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE) {
        if (size == 1) return Element::uint8;
        if (size == 2) return Element::uint16;
    }
    if (type_class == H5T_FLOAT && (size == 2 || size == 4)) return Element::float32;
    if (type_class == H5T_FLOAT && size == 8) return Element::float64;
    return {};
}

// Names that a call of the library lists; the library must not see an exception.
struct Names {
    std::vector<std::string> list;
    herr_t add(const char* name) noexcept {
        try {
            list.emplace_back(name);
            return 0;
        } catch (...) {
            return -1;
        }
    }
};

// Hard links only: other links may lead to other files. A name with a slash, which no library
// writes, would be read as a path through such a link.
herr_t add_link(hid_t, const char* name, const H5L_info_t* link, void* names) noexcept {
    if (link->type != H5L_TYPE_HARD || std::string_view(name).find('/') != std::string_view::npos)
        return 0;
    return static_cast<Names*>(names)->add(name);
}

// Attributes that may be numbers.
herr_t add_attribute(hid_t, const char* name, const H5A_info_t* attribute, void* names) noexcept {
    if (attribute->data_size > sizeof(long double)) return 0;
    return static_cast<Names*>(names)->add(name);
}

// How many bytes one stored byte can become at most. Filters that are not part of the library are
// refused: for them it would load code from other places. So is a repeated compression.
std::uint64_t best_ratio(const fs::path& file, const std::string& name, hid_t plan) {
    bool deflated = false;
    std::uint64_t ratio = 1;
    const int filters = H5Pget_nfilters(plan);
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(plan, unsigned(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        if (filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32) continue;
        if (filter == H5Z_FILTER_DEFLATE && !deflated) {
            deflated = true;
            ratio = std::max(ratio, deflate_best_ratio);
        } else if (filter == H5Z_FILTER_SZIP || filter == H5Z_FILTER_NBIT ||
                   filter == H5Z_FILTER_SCALEOFFSET) {
            ratio = decoder_best_ratio;
        } else {
            refuse_file(file,
                        fmt::format("its dataset {} is compressed by the filter {}; the filters "
                                    "of the HDF5 library are supported, each at most once",
                                    name, int(filter)),
                        hdf5_kind);
        }
    }
    return ratio;
}

}  // namespace

bool is_hdf5(const fs::path& file) {
    constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
    constexpr std::size_t user_block = 512;
    if (!is_file(file)) return false;
    const std::string bytes = read_bytes(file, user_block + signature.size());
    return bytes.starts_with(signature) ||
           (bytes.size() > user_block && bytes.substr(user_block) == signature);
}

Hdf5File::Hdf5File(const fs::path& file, std::uint64_t memory_limit)
    : file_(file), memory_limit_(memory_limit) {
    require_regular_file(file);
    const Hdf5Lock lock(hdf5_library());
    silence_hdf5();
    id_ = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id_ < 0) refuse_file(file, "it is damaged or not an HDF5 file", hdf5_kind);
    try {
        list_datasets();
    } catch (...) {
        H5Fclose(id_);
        throw;
    }
}

Hdf5File::~Hdf5File() {
    const Hdf5Lock lock(hdf5_library());
    H5Fclose(id_);
}

void Hdf5File::list_datasets() {
    H5G_info_t group;
    if (H5Gget_info(id_, &group) < 0) refuse_file(file_, damaged_root, hdf5_kind);
    if (group.nlinks > most_hdf5_entries)
        refuse_file(file_,
                    fmt::format("its root group has more than {} entries", most_hdf5_entries),
                    hdf5_kind);
    Names names;
    hsize_t position = 0;
    if (H5Literate(id_, H5_INDEX_NAME, H5_ITER_INC, &position, add_link, &names) < 0)
        refuse_file(file_, damaged_root, hdf5_kind);
    for (const std::string& name : names.list) {
        const Hdf5Handle dataset(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
        if (!dataset.good()) continue;
        // Before any other call: the extent of a virtual dataset depends on other files.
        const Hdf5Handle plan(H5Dget_create_plist(dataset), H5Pclose);
        const H5D_layout_t layout = plan.good() ? H5Pget_layout(plan) : H5D_LAYOUT_ERROR;
        if (layout == H5D_LAYOUT_ERROR) continue;
        if (layout == H5D_VIRTUAL || H5Pget_external_count(plan) != 0)
            refuse_file(
                file_,
                fmt::format("the elements of its dataset {} are in other files ({}); they "
                            "must be in the file itself",
                            name, layout == H5D_VIRTUAL ? "virtual layout" : "external storage"),
                hdf5_kind);
        const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
        const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
        const auto element = element_of(type);
        const int axes = H5Sget_simple_extent_ndims(space);
        constexpr int most_axes = 8;
        if (!element || axes < 1 || axes > most_axes) continue;
        std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
        H5Sget_simple_extent_dims(space, lengths.data(), nullptr);
        Hdf5Dataset found{name, Shape(lengths.begin(), lengths.end()), *element,
                          H5Aexists(dataset, "MATLAB_class") > 0};
        if (layout == H5D_CHUNKED && H5Pget_chunk(plan, axes, lengths.data()) == axes)
            found.chunk.assign(lengths.begin(), lengths.end());
        datasets_.push_back(std::move(found));
    }
}

const Hdf5Dataset* Hdf5File::find(const std::string& name) const {
    const auto found = std::find_if(datasets_.begin(), datasets_.end(),
                                    [&](const Hdf5Dataset& d) { return d.name == name; });
    return found == datasets_.end() ? nullptr : &*found;
}

std::map<std::string, double> Hdf5File::attributes() const {
    const Hdf5Lock lock(hdf5_library());
    H5O_info_t info;
    if (H5Oget_info(id_, &info) < 0) refuse_file(file_, damaged_root, hdf5_kind);
    if (info.num_attrs > most_hdf5_entries)
        refuse_file(file_,
                    fmt::format("its root group has more than {} attributes", most_hdf5_entries),
                    hdf5_kind);
    Names names;
    hsize_t position = 0;
    H5Aiterate2(id_, H5_INDEX_NAME, H5_ITER_INC, &position, add_attribute, &names);
    std::map<std::string, double> found;
    for (const std::string& name : names.list) {
        const Hdf5Handle attribute(H5Aopen(id_, name.c_str(), H5P_DEFAULT), H5Aclose);
        if (!attribute.good()) continue;
        const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
        const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
        const H5T_class_t type_class = H5Tget_class(type);
        double value = 0;
        if ((type_class != H5T_INTEGER && type_class != H5T_FLOAT) ||
            H5Sget_simple_extent_npoints(space) != 1 ||
            H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
            continue;
        found[name] = value;
    }
    return found;
}

void Hdf5File::require_plausible(const Hdf5Dataset& dataset) const {
    const Hdf5Lock lock(hdf5_library());
    if (plausible_.contains(dataset.name)) return;
    const Hdf5Handle data(H5Dopen2(id_, dataset.name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle plan(data.good() ? H5Dget_create_plist(data) : -1, H5Pclose);
    const Hdf5Handle type(data.good() ? H5Dget_type(data) : -1, H5Tclose);
    if (!plan.good() || !type.good()) refuse_damaged(dataset);
    const std::uint64_t ratio = best_ratio(file_, dataset.name, plan);
    const auto element_bytes = double(H5Tget_size(type));
    const auto bytes_in_file = [&](const Shape& shape) {
        return bytes_of(shape, Element::uint8) * element_bytes;
    };
    std::error_code error;
    const auto stored = double(H5Dget_storage_size(data));
    if (stored > double(fs::file_size(file_, error))) refuse_damaged(dataset);
    if (bytes_in_file(dataset.shape) > double(ratio) * stored)
        refuse_file(
            file_,
            fmt::format("its dataset {} of the shape {} takes {:.0f} bytes, but only {:.0f}"
                        " are stored{}",
                        dataset.name, to_string(dataset.shape), bytes_in_file(dataset.shape),
                        stored,
                        ratio > 1 ? fmt::format(" with a compression of at most {}:1", ratio)
                                  : std::string()),
            hdf5_kind);
    // The library decodes a whole block, from one buffer to another, for any element of it.
    if (!dataset.chunk.empty())
        require_memory(file_, fmt::format("a block of its dataset {}", dataset.name),
                       (ratio > 1 ? 2 : 1) * bytes_in_file(dataset.chunk), memory_limit_);
    plausible_.insert(dataset.name);
}

std::vector<char> Hdf5File::read(const Hdf5Dataset& dataset, const Shape& start,
                                 const Shape& count) const {
    require_plausible(dataset);
    const double size = bytes_of(count, dataset.element);
    require_memory(file_, fmt::format("its dataset {}", dataset.name), size, memory_limit_);
    const Hdf5Lock lock(hdf5_library());
    const Hdf5Handle data(H5Dopen2(id_, dataset.name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(data.good() ? H5Dget_space(data) : -1, H5Sclose);
    const auto begin = hdf5_sizes(start);
    const auto length = hdf5_sizes(count);
    const Hdf5Handle memory(H5Screate_simple(int(length.size()), length.data(), nullptr), H5Sclose);
    std::vector<char> bytes(static_cast<std::size_t>(size));
    if (!space.good() || !memory.good() ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, length.data(), nullptr) <
            0 ||
        H5Dread(data, native_hdf5(dataset.element), memory, space, H5P_DEFAULT, bytes.data()) < 0)
        refuse_damaged(dataset);
    return bytes;
}

void Hdf5File::refuse_damaged(const Hdf5Dataset& dataset) const {
    refuse_file(file_, fmt::format("its dataset {} is damaged", dataset.name), hdf5_kind);
}

}  // namespace plenosr::io
