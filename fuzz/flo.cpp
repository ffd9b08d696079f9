#include "io/flo.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        const Image flow = io::decode_flo("a.flo", bytes);
        fuzz::require(flow.channels == 2 && 12 + 8 * flow.pixels() == bytes.size());
        fuzz::require_error([&] { io::decode_flo("a.flo", bytes + '\0'); });
    });
}
