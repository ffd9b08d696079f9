#include <fmt/format.h>

#include "plenosr/error.h"
#include "plenosr/jobs.h"

namespace plenosr {

PixelFormat parse_bits(const std::string& bits, bool allow_float) {
    require_one_of("bits", bits, allow_float ? "8|16|float" : "8|16");
    if (bits == "float") return PixelFormat::float32;
    return bits == "16" ? PixelFormat::bits16 : PixelFormat::bits8;
}

std::string bits_of(PixelFormat format) {
    if (format == PixelFormat::float32) return "float";
    return format == PixelFormat::bits16 ? "16" : "8";
}

ImageEncoding chosen_encoding(const std::filesystem::path& output, const std::string& bits,
                              std::optional<int> quality) {
    ImageEncoding chosen;
    chosen.format = bits.empty() ? usual_format(output) : parse_bits(bits, true);
    require_encoding(output, chosen.format);
    if (!quality) return chosen;
    chosen.quality = *quality;
    if (!is_lossy(output))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("--quality is for names that end in .jpg or .webp, not for {}",
                                output.string()));
    if (*quality < 1 || *quality > 100)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("quality = {} must be from 1 to 100", *quality));
    return chosen;
}

}  // namespace plenosr
