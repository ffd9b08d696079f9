#include "io/psf_grid_file.h"

#include "target.h"

// Grids of PSFs in JSON. Files that they name are not there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const PsfGrid grid = io::parse_psf_grid("/nowhere/grid.json", text, 2);
        fuzz::require(grid.rows >= 1 && grid.cols >= 1);
        fuzz::require(grid.nodes.size() == std::size_t(grid.rows) * std::size_t(grid.cols));
    });
}
