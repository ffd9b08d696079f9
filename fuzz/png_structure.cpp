#include "io/png_structure.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        if (!io::is_png(bytes)) return;
        const io::PngHeader header = io::png_header("a.png", bytes);
        fuzz::require(header.width >= 1 && header.height >= 1);
        io::require_intact_png("a.png", bytes);
    });
}
