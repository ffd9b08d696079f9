#include "io/mosaic_array.h"

#include <cstring>

#include "target.h"

// Arrays of any shape and any grid, as the reader of BasicLFSR files has them: the blocks of the
// views lie within the array, and pixel (y, x) of view (r, c) is array[c width + x, r height + y].
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        std::int64_t lengths[2] = {};
        std::int32_t numbers[2] = {};
        if (bytes.size() < sizeof(lengths) + sizeof(numbers)) return;
        std::memcpy(lengths, bytes.data(), sizeof(lengths));
        std::memcpy(numbers, bytes.data() + sizeof(lengths), sizeof(numbers));
        OpenOptions options;
        options.rows = numbers[0];
        options.cols = numbers[1];
        const io::Shape shape = {lengths[0], lengths[1]};
        const io::SheetGeometry geometry =
            io::mosaic_geometry("a.h5", "Lr_SAI_y", shape, options, 5);
        fuzz::require(geometry.width >= 1 && geometry.height >= 1);
        fuzz::require(std::int64_t(geometry.width) * geometry.grid.cols == shape[0]);
        fuzz::require(std::int64_t(geometry.height) * geometry.grid.rows == shape[1]);
        const int views = geometry.grid.rows * geometry.grid.cols;
        for (const int part : {0, views / 2, views - 1}) {
            const io::ArrayBlock block = io::block_of(geometry, part);
            for (std::size_t axis = 0; axis < 2; ++axis)
                fuzz::require(block.start[axis] >= 0 &&
                              block.start[axis] + block.count[axis] <= shape[axis]);
            if (shape[0] > 64 || shape[1] > 64) continue;
            std::string elements;
            for (std::int64_t x = 0; x < block.count[0]; ++x)
                for (std::int64_t y = 0; y < block.count[1]; ++y)
                    elements += char((block.start[0] + x) * 7 + (block.start[1] + y) * 31);
            const Image view = io::view_of_block(elements.data(), io::Element::uint8, geometry);
            fuzz::require(view.width == geometry.width && view.height == geometry.height);
            const int row = part / geometry.grid.cols;
            const int col = part % geometry.grid.cols;
            for (int y = 0; y < view.height; ++y)
                for (int x = 0; x < view.width; ++x)
                    fuzz::require(
                        view.at(y, x) ==
                        float(((col * view.width + x) * 7 + (row * view.height + y) * 31) & 0xFF));
        }
    });
}
