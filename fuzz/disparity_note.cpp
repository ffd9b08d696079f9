#include "io/disparity_note.h"

#include <cmath>

#include "target.h"

// What is written is read as the same numbers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        io::DisparityNote note;
        if (!io::parse_disparity_note(text, note)) return;
        fuzz::require(std::isfinite(note.scale) && std::isfinite(note.offset));
        io::DisparityNote again;
        fuzz::require(io::parse_disparity_note(io::format_disparity_note(note), again));
        fuzz::require(again.scale == note.scale && again.offset == note.offset);
    });
}
