#include <hdf5.h>

#include "base/file_errors.h"
#include "io/hdf5_file.h"
#include "io/hdf5_library.h"

namespace plenosr::io {

namespace fs = std::filesystem;

std::string encode_hdf5(const fs::path& file, const Hdf5Content& content) {
    const Hdf5Lock lock(hdf5_library());
    silence_hdf5();
    const auto require = [&](bool done) {
        if (!done) refuse_output(file, "the HDF5 library reports an error", hdf5_kind);
    };
    // Built in memory, so that the file appears complete or not at all. Creation times are left
    // out, so that the same content gives the same bytes.
    constexpr std::size_t growth_bytes = std::size_t{1} << 20U;
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    require(H5Pset_fapl_core(access, growth_bytes, false) >= 0);
    const Hdf5Handle out(H5Fcreate("memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    require(out.good());
    for (const Hdf5Content::Array& array : content.arrays) {
        const auto lengths = hdf5_sizes(array.shape);
        const auto chunk = hdf5_sizes(array.chunk);
        const Hdf5Handle space(H5Screate_simple(int(lengths.size()), lengths.data(), nullptr),
                               H5Sclose);
        const Hdf5Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        constexpr unsigned deflate_level = 3;  // of 9: fast, for files a little larger
        require(H5Pset_obj_track_times(plan, false) >= 0);
        if (!chunk.empty())
            require(H5Pset_chunk(plan, int(chunk.size()), chunk.data()) >= 0 &&
                    H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, deflate_level) >= 0);
        const Hdf5Handle data(H5Dcreate2(out, array.name.c_str(), native_hdf5(array.element), space,
                                         H5P_DEFAULT, plan, H5P_DEFAULT),
                              H5Dclose);
        require(data.good() && H5Dwrite(data, native_hdf5(array.element), H5S_ALL, H5S_ALL,
                                        H5P_DEFAULT, array.data) >= 0);
    }
    for (const auto& [name, value] : content.attributes) {
        const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
        const Hdf5Handle attribute(
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
