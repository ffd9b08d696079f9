#include "io/psf_grid_file.h"

#include <fmt/format.h>

#include "base/file_errors.h"
#include "io/input_file.h"
#include "io/json_reader.h"
#include "io/npy.h"
#include "io/npy_header.h"
#include "io/psf_file.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

using namespace io;

constexpr int most_nodes = 64;  // along each axis; chosen by reasoning: PSFs change slowly
constexpr const char* version_key = "plenosr_psf_grid";
constexpr const char* kind = "grid of PSFs";

// make(i) returns the PSF of node i, row by row. Its errors are repeated with the file and the
// node.
template <class Make>
PsfGrid grid_of(const fs::path& file, int rows, int cols, const Make& make) {
    std::vector<Psf> psfs;
    for (int i = 0; i < rows * cols; ++i) {
        try {
            psfs.push_back(make(std::size_t(i)));
        } catch (const Error& error) {
            refuse_file(file,
                        fmt::format("the PSF of row {}, column {}: {}", i / cols, i % cols,
                                    as_reason(error)),
                        kind);
        }
    }
    return {rows, cols, std::move(psfs)};
}

PsfGrid from_array(const fs::path& file, double phase) {
    const NpyPictures array = read_npy_pictures(file);
    if (array.rows > most_nodes || array.cols > most_nodes)
        refuse_file(file,
                    fmt::format("it holds {}x{} PSFs; at most {}x{} are supported", array.rows,
                                array.cols, most_nodes, most_nodes),
                    kind);
    return grid_of(file, array.rows, array.cols,
                   [&](std::size_t i) { return psf_from_kernel(array.pictures[i], phase); });
}

}  // namespace

io::PsfGridTexts io::parse_psf_texts(const fs::path& file, const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) refuse_file(file, "it is neither a NumPy array nor JSON", kind);
    const JsonReader reader(file, json, {}, kind);
    reader.integer(version_key, 1, 1);
    PsfGridTexts grid;
    grid.rows = reader.integer("rows", 1, most_nodes);
    grid.cols = reader.integer("cols", 1, most_nodes);
    grid.psfs = reader.texts("psfs", std::size_t(grid.rows) * std::size_t(grid.cols));
    for (std::size_t i = 0; i < grid.psfs.size(); ++i)
        if (grid.psfs[i].starts_with(psf_file_prefix))
            reader.require_inner_file(fmt::format("psfs[{}]", i), psf_file({grid.psfs[i]}));
    return grid;
}

std::string io::format_psf_texts(const PsfGridTexts& grid) {
    const Json json = {
        {version_key, 1}, {"rows", grid.rows}, {"cols", grid.cols}, {"psfs", grid.psfs}};
    return json.dump(2) + "\n";
}

PsfGrid io::parse_psf_grid(const fs::path& file, const std::string& text,
                           const SamplingGrid& sampling) {
    const PsfGridTexts grid = parse_psf_texts(file, text);
    return grid_of(file, grid.rows, grid.cols, [&](std::size_t i) {
        BlurSpec blur{grid.psfs[i]};
        // Paths are relative to the folder of the grid file.
        if (blur.text.starts_with(psf_file_prefix))
            blur.text =
                std::string(psf_file_prefix) + (file.parent_path() / psf_file(blur)).string();
        return make_psf(blur, sampling);
    });
}

PsfGrid read_psf_grid(const fs::path& file, const SamplingGrid& sampling) {
    PsfGrid grid = is_npy(read_bytes(file, longest_npy_header))
                       ? from_array(file, sampling.phase)
                       : parse_psf_grid(file, read_small_text(file), sampling);
    grid.phase = sampling.phase;
    return grid;
}

}  // namespace plenosr
