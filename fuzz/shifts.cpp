#include <cmath>

#include "io/shifts_text.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const auto shifts = io::parse_shifts("shifts.txt", text);
        fuzz::require(!shifts.empty());
        for (const Place& shift : shifts)
            fuzz::require(std::abs(shift.x) <= 1e5 && std::abs(shift.y) <= 1e5);
    });
}
