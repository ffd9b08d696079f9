#include "io/picture_headers.h"

#include "target.h"

// The first bytes choose the format, as in read_image(). A longer file is accepted as well, and one
// without pixels is refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        const auto length = double(bytes.size());
        const auto check = [&](auto require_plausible) {
            require_plausible("a", bytes, length);
            require_plausible("a", bytes, length + 1);
            fuzz::require_error([&] { require_plausible("a", bytes, 0); });
        };
        if (bytes.starts_with("\xff\xd8\xff")) io::require_plausible_jpeg("a.jpg", bytes);
        if (bytes.starts_with("BM")) check(io::require_plausible_bmp);
        for (const char* signature : {"P2", "P3", "P5", "P6"})
            if (bytes.starts_with(signature)) check(io::require_plausible_pnm);
    });
}
