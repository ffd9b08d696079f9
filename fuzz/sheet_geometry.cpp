#include <cstring>

#include "io/sheet_geometry.h"
#include "target.h"

// For sheets of any size and any grid, each pixel belongs to one view and returns to its place.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        std::int32_t numbers[4] = {};
        if (bytes.size() < sizeof(numbers) + 1) return;
        std::memcpy(numbers, bytes.data(), sizeof(numbers));
        const bool lenslets = (bytes[sizeof(numbers)] & 1) != 0;
        const io::SheetGeometry geometry =
            io::sheet_geometry("a.png", numbers[0], numbers[1], numbers[2], numbers[3], lenslets);
        fuzz::require(std::int64_t(geometry.width) * geometry.grid.cols == numbers[0]);
        if (numbers[0] > 64 || numbers[1] > 64) return;
        Image sheet(numbers[0], numbers[1]);
        for (std::size_t i = 0; i < sheet.values.size(); ++i)
            sheet.values[i] = float(i + 1);
        Image back(numbers[0], numbers[1]);
        for (int row = 0; row < geometry.grid.rows; ++row)
            for (int col = 0; col < geometry.grid.cols; ++col)
                io::put_into_sheet(io::view_from_sheet(sheet, geometry, row, col), geometry, row,
                                   col, back);
        fuzz::require(back == sheet);
        io::block_contrast(sheet, geometry.grid.rows, geometry.grid.cols);
    });
}
