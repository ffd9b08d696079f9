#include "io/stanford.h"

#include <cmath>

#include "io/folder_layout.h"
#include "target.h"

// Every line is a file name. Positions are finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        io::IndexedViews found;
        const io::NamePattern pattern("out_{row}_{col}_{y}_{x}_");
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string name = text.substr(begin, end - begin);
            begin = end + 1;
            const auto match = pattern.match(name);
            if (!match || !io::is_stanford_name(name)) continue;
            LightFieldIndex::Entry entry;
            entry.file = name;
            entry.position = {double(match->row), double(match->col)};
            found.views.push_back(entry);
        }
        if (found.views.empty()) return;
        found.grid = io::bounding_box(found.views);
        io::use_true_positions("folder", found);
        for (const LightFieldIndex::Entry& entry : found.views)
            fuzz::require(std::isfinite(entry.position.row) && std::isfinite(entry.position.col));
    });
}
