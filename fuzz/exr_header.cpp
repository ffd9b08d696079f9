#include "io/picture_headers.h"
#include "target.h"

// An accepted file is as long as the table of its blocks, so a longer one is accepted, and one
// without room for the place of a block is refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        io::require_plausible_exr("a.exr", bytes, double(bytes.size()));
        io::require_plausible_exr("a.exr", bytes, double(bytes.size()) + 1);
        fuzz::require_error([&] { io::require_plausible_exr("a.exr", bytes, 7); });
    });
}
