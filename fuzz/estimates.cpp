#include "plenosr/estimates.h"

#include "plenosr/psf.h"
#include "target.h"

// Parsed estimates can be written and parsed again, and name no file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const Estimates estimates = parse_estimates("/e.json", text);
        fuzz::require(psf_file({estimates.blur}).empty());
        fuzz::require(parse_estimates("/e.json", format_estimates(estimates)) == estimates);
    });
}
