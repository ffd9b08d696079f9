#include <cstring>

#include "io/npy.h"
#include "target.h"

// Disparity maps and grids of PSFs in NPY files, header and values. A map is kept bit by bit.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    fuzz::run(data, size, [](const std::string& bytes) {
        const io::NpyPictures grid = io::decode_npy_pictures("a.npy", bytes);
        fuzz::require(grid.pictures.size() == std::size_t(grid.rows) * std::size_t(grid.cols));
    });
    return fuzz::run(data, size, [](const std::string& bytes) {
        const Image map = io::decode_npy_map("a.npy", bytes);
        fuzz::require(map.channels == 1 && map.values.size() < bytes.size());
        const Image again = io::decode_npy_map("a.npy", io::encode_npy_map(map));
        fuzz::require(again.width == map.width && again.height == map.height);
        fuzz::require(std::memcmp(again.values.data(), map.values.data(),
                                  map.values.size() * sizeof(float)) == 0);
    });
}
