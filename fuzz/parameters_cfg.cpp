#include "io/parameters_cfg.h"

#include "target.h"

// Written parameters are parsed as the same parameters.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const io::Parameters parameters = io::parse_parameters("parameters.cfg", text);
        const std::string written = io::format_parameters("parameters.cfg", parameters);
        fuzz::require(io::parse_parameters("parameters.cfg", written) == parameters);
    });
}
