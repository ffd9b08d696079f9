#include <cmath>

#include "plenosr/psf.h"
#include "target.h"

// The text of --blur: a PSF has an odd size, finite values, and the sum 1.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        if (text.size() > 32) return;  // long numbers find nothing more; wide PSFs take time
        const Psf psf = make_psf({text}, 2);
        const Image& kernel = psf.kernel;
        fuzz::require(kernel.width % 2 == 1 && kernel.height % 2 == 1 && kernel.channels == 1);
        double sum = 0;
        for (const float value : kernel.values) {
            fuzz::require(std::isfinite(value));
            sum += double(value);
        }
        fuzz::require(std::abs(sum - 1) < 1e-4);
    });
}
