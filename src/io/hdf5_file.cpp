#include "io/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <mutex>
#include <optional>

#include "base/file_errors.h"
#include "io/input_file.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* damaged_root = "its root group is damaged";

std::recursive_mutex& library() {
    static std::recursive_mutex mutex;
    return mutex;
}
using Lock = std::lock_guard<std::recursive_mutex>;

// Owns an identifier of the library, which reports failures as negative numbers.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return id_; }
    bool good() const { return id_ >= 0; }

private:
    hid_t id_;
    Close close_;
};

// Without this call the library prints its errors.
void silence_library() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

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

hid_t native(Element element) {
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

std::vector<hsize_t> sizes(const Shape& shape) {
    return {shape.begin(), shape.end()};
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

Hdf5File::Hdf5File(const fs::path& file) : file_(file) {
    require_regular_file(file);
    const Lock lock(library());
    silence_library();
    id_ = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id_ < 0) refuse_file(file, "it is damaged or not an HDF5 file", hdf5_kind);
}

Hdf5File::~Hdf5File() {
    const Lock lock(library());
    H5Fclose(id_);
}

std::vector<Hdf5Dataset> Hdf5File::datasets() const {
    const Lock lock(library());
    std::vector<Hdf5Dataset> found;
    H5G_info_t group;
    if (H5Gget_info(id_, &group) < 0) refuse_file(file_, damaged_root, hdf5_kind);
    for (hsize_t i = 0; i < group.nlinks; ++i) {
        std::array<char, 256> name{};
        if (H5Lget_name_by_idx(id_, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(),
                               H5P_DEFAULT) < 0)
            refuse_file(file_, damaged_root, hdf5_kind);
        // Links to other files are not followed.
        H5L_info_t link;
        if (H5Lget_info(id_, name.data(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
            continue;
        const Handle dataset(H5Dopen2(id_, name.data(), H5P_DEFAULT), H5Dclose);
        if (!dataset.good()) continue;
        const Handle type(H5Dget_type(dataset), H5Tclose);
        const Handle space(H5Dget_space(dataset), H5Sclose);
        const auto element = element_of(type);
        const int axes = H5Sget_simple_extent_ndims(space);
        constexpr int most_axes = 8;
        if (!element || axes < 1 || axes > most_axes) continue;
        std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
        H5Sget_simple_extent_dims(space, lengths.data(), nullptr);
        found.push_back({name.data(), Shape(lengths.begin(), lengths.end()), *element,
                         H5Aexists(dataset, "MATLAB_class") > 0});
    }
    return found;
}

std::map<std::string, double> Hdf5File::attributes() const {
    const Lock lock(library());
    std::map<std::string, double> found;
    H5O_info_t info;
    if (H5Oget_info(id_, &info) < 0) refuse_file(file_, damaged_root, hdf5_kind);
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
        const Handle attribute(
            H5Aopen_by_idx(id_, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        if (!attribute.good()) continue;
        const Handle type(H5Aget_type(attribute), H5Tclose);
        const Handle space(H5Aget_space(attribute), H5Sclose);
        const H5T_class_t type_class = H5Tget_class(type);
        std::array<char, 256> name{};
        double value = 0;
        if ((type_class != H5T_INTEGER && type_class != H5T_FLOAT) ||
            H5Sget_simple_extent_npoints(space) != 1 ||
            H5Aget_name(attribute, name.size(), name.data()) < 0 ||
            H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
            continue;
        found[name.data()] = value;
    }
    return found;
}

std::vector<char> Hdf5File::read(const Hdf5Dataset& dataset, const Shape& start,
                                 const Shape& count) const {
    const Lock lock(library());
    const Handle data(H5Dopen2(id_, dataset.name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(data.good() ? H5Dget_space(data) : -1, H5Sclose);
    const auto begin = sizes(start);
    const auto length = sizes(count);
    const Handle memory(H5Screate_simple(int(length.size()), length.data(), nullptr), H5Sclose);
    std::vector<char> bytes(std::size_t(bytes_of(count, dataset.element)));
    if (!space.good() || !memory.good() ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, length.data(), nullptr) <
            0 ||
        H5Dread(data, native(dataset.element), memory, space, H5P_DEFAULT, bytes.data()) < 0)
        refuse_file(file_, fmt::format("its dataset {} is damaged", dataset.name), hdf5_kind);
    return bytes;
}

std::string encode_hdf5(const fs::path& file, const Hdf5Content& content) {
    const Lock lock(library());
    silence_library();
    const auto require = [&](bool done) {
        if (!done) refuse_output(file, "the HDF5 library reports an error", hdf5_kind);
    };
    // Built in memory, so that the file appears complete or not at all. Creation times are left
    // out, so that the same content gives the same bytes.
    constexpr std::size_t growth_bytes = std::size_t{1} << 20U;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    require(H5Pset_fapl_core(access, growth_bytes, false) >= 0);
    const Handle out(H5Fcreate("memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    require(out.good());
    for (const Hdf5Content::Array& array : content.arrays) {
        const auto lengths = sizes(array.shape);
        const auto chunk = sizes(array.chunk);
        const Handle space(H5Screate_simple(int(lengths.size()), lengths.data(), nullptr),
                           H5Sclose);
        const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        constexpr unsigned deflate_level = 3;  // of 9: fast, for files a little larger
        require(H5Pset_obj_track_times(plan, false) >= 0);
        if (!chunk.empty())
            require(H5Pset_chunk(plan, int(chunk.size()), chunk.data()) >= 0 &&
                    H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, deflate_level) >= 0);
        const Handle data(H5Dcreate2(out, array.name.c_str(), native(array.element), space,
                                     H5P_DEFAULT, plan, H5P_DEFAULT),
                          H5Dclose);
        require(data.good() && H5Dwrite(data, native(array.element), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                        array.data) >= 0);
    }
    for (const auto& [name, value] : content.attributes) {
        const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
        const Handle attribute(
            H5Acreate2(out, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        require(attribute.good() && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
    }
    require(H5Fflush(out, H5F_SCOPE_GLOBAL) >= 0);
    const ssize_t size = H5Fget_file_image(out, nullptr, 0);
    require(size > 0);
    std::string bytes(std::size_t(size), '\0');
    require(H5Fget_file_image(out, bytes.data(), bytes.size()) == size);
    return bytes;
}

}  // namespace plenosr::io
