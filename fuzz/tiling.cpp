#include <cstring>

#include "io/tiled_geometry.h"
#include "target.h"

// Sheets of any size cut into any grid: each pixel belongs to one view, and goes back to its place.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        std::int32_t numbers[4] = {};
        if (bytes.size() < sizeof(numbers) + 1) return;
        std::memcpy(numbers, bytes.data(), sizeof(numbers));
        const bool lenslets = (bytes[sizeof(numbers)] & 1) != 0;
        const io::Tiling tiling =
            io::tiling_of("a.png", numbers[0], numbers[1], numbers[2], numbers[3], lenslets);
        fuzz::require(std::int64_t(tiling.width) * tiling.grid.cols == numbers[0]);
        if (numbers[0] > 64 || numbers[1] > 64) return;
        Image sheet(numbers[0], numbers[1]);
        for (std::size_t i = 0; i < sheet.values.size(); ++i)
            sheet.values[i] = float(i + 1);
        Image back(numbers[0], numbers[1]);
        for (int row = 0; row < tiling.grid.rows; ++row)
            for (int col = 0; col < tiling.grid.cols; ++col)
                io::put_into_sheet(io::view_from_sheet(sheet, tiling, row, col), tiling, row, col,
                                   back);
        fuzz::require(back == sheet);
        io::block_contrast(sheet, tiling.grid.rows, tiling.grid.cols);
    });
}
