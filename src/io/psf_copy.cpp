#include "io/psf_copy.h"

#include <fmt/format.h>

#include <filesystem>

#include "io/folder_layout.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/npy_header.h"
#include "io/pfm.h"
#include "io/psf_file.h"
#include "io/psf_grid_file.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* psf_name = "psf.pfm";
constexpr const char* array_name = "psf_grid.npy";
constexpr const char* text_name = "psf_grid.json";

std::string node_name(std::size_t node) {
    return fmt::format("psf_node_{}.pfm", node);
}

PsfCopy::File copy_of_psf(const fs::path& file, const std::string& name) {
    return {name, encode_pfm(name, read_psf_picture(file))};
}

std::vector<PsfCopy::File> copy_of_grid(const fs::path& file) {
    if (is_npy(read_bytes(file, longest_npy_header))) return {{array_name, read_bytes(file)}};
    PsfGridTexts grid = parse_psf_texts(file, read_small_text(file));
    std::vector<PsfCopy::File> files(1);
    for (std::size_t i = 0; i < grid.psfs.size(); ++i) {
        if (!grid.psfs[i].starts_with(psf_file_prefix)) continue;
        const fs::path node = file.parent_path() / psf_file({grid.psfs[i]});
        files.push_back(copy_of_psf(node, node_name(i)));
        grid.psfs[i] = std::string(psf_file_prefix) + node_name(i);
    }
    files.front() = {text_name, format_psf_texts(grid)};
    return files;
}

}  // namespace

PsfCopy copy_psf(const std::string& blur) {
    const std::string file = psf_file({blur});
    if (file.empty()) return {};
    PsfCopy copy;
    copy.prefix = blur.substr(0, blur.size() - file.size());
    if (copy.prefix == psf_file_prefix)
        copy.files = {copy_of_psf(file, psf_name)};
    else
        copy.files = copy_of_grid(file);
    return copy;
}

bool is_psf_copy(const std::string& name) {
    if (name == psf_name || name == array_name || name == text_name) return true;
    const std::string_view prefix = "psf_node_";
    if (!name.starts_with(prefix)) return false;
    const std::string number = fs::path(name.substr(prefix.size())).stem().string();
    const std::optional<int> node = parse_count(number, int(most_places));
    return node && name == node_name(std::size_t(*node));
}

}  // namespace plenosr::io
