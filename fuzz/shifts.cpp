#include <cmath>

#include "io/known_motions.h"
#include "io/shifts_text.h"
#include "target.h"

// Motions that pass the checks have a finite place for every pixel of a frame.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const auto motions = io::parse_motions("shifts.txt", text);
        fuzz::require(!motions.empty());
        for (const FrameMotion& motion : motions) {
            constexpr int side = 8;
            io::require_usable("shifts.txt", motion, side, side);
            for (int i = 0; i < side * side; ++i) {
                const Place p = motion.to_reference({double(i % side), double(i / side)});
                fuzz::require(std::abs(p.x) <= 1e7 && std::abs(p.y) <= 1e7);
            }
        }
    });
}
