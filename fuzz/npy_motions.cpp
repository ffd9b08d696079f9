#include "io/known_motions.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        const auto motions = io::decode_npy_motions("a.npy", bytes);
        fuzz::require(!motions.empty());
        for (const FrameMotion& motion : motions)
            io::require_usable("a.npy", motion, 4, 4);
    });
}
