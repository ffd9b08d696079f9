#include "io/pfm.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        const Image image = io::decode_pfm("a.pfm", bytes);
        fuzz::require(image.values.size() * sizeof(float) < bytes.size());
        const std::string written = io::encode_pfm("a.pfm", image);
        fuzz::require(io::encode_pfm("a.pfm", io::decode_pfm("a.pfm", written)) == written);
    });
}
