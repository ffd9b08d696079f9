#include "jobs/viewer_encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/image_file.h"

namespace plenosr {
namespace {

// WebP, 1 to 100. 25 views of 512x512 as a page (vinyl, dishes), clean | with noise of 20 levels:
//   85: 0.9, 1.3 MB | 3.8, 3.9 MB; it changes clean views by 2.4, 3.0 levels (root mean square)
//   92: 1.4, 1.9 MB | 5.0, 5.0 MB; by 1.8, 2.2 levels
// 92 is the most that keeps such a page below 6 MB.
constexpr int lossy_quality = 92;
constexpr int longest_webp_side_px = 16383;

// The IEEE number of 16 bits that is nearest to the value.
std::uint16_t half_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    if (std::isnan(value)) return std::uint16_t(sign | 0x7e00U);
    const double magnitude = std::abs(double(value));
    constexpr double largest = 65520;  // rounds to infinity
    if (magnitude == 0) return std::uint16_t(sign);
    if (magnitude >= largest) return std::uint16_t(sign | 0x7c00U);
    int exponent = 0;
    std::frexp(magnitude, &exponent);               // magnitude < 2^exponent
    const int unit = std::max(exponent, -13) - 11;  // of the last of 11 bits, as a power of 2
    const auto steps = std::uint32_t(std::nearbyint(std::ldexp(magnitude, -unit)));
    // Normal numbers have steps from 1024 to 2047; a carry to 2048 enters the exponent as it
    // should.
    return std::uint16_t(sign + std::uint32_t(unit + 24) * 1024U + steps);
}

// The bytes of the values, most significant first, as pictures one below the other.
template <class Word>
Image bytes_as_pictures(const Image& image, Word (*word_of)(float)) {
    constexpr int count = sizeof(Word);
    Image stacked(image.width, image.height * count, image.channels);
    for (int k = 0; k < count; ++k) {
        float* to = stacked.values.data() + std::size_t(k) * image.values.size();
        const int shift = 8 * (count - 1 - k);
        for (std::size_t i = 0; i < image.values.size(); ++i)
            to[i] = float(word_of(image.values[i]) >> shift & 0xffU);
    }
    return stacked;
}

std::uint16_t level16(float value) {
    return std::uint16_t(std::lround(std::clamp(double(value) * 257.0, 0.0, 65535.0)));
}

std::uint32_t bits_of_float(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

ViewerFile png(const Image& image) {
    return {"image/png", io::encode_image("picture.png", image, PixelFormat::bits8)};
}

}  // namespace

ViewerCoding coding_of(const ViewerPicture& picture, bool lossless) {
    const bool floats = picture.format == PixelFormat::float32;
    if (floats && (lossless || picture.wide))
        return lossless ? ViewerCoding::float32 : ViewerCoding::half;
    if (lossless)
        return picture.format == PixelFormat::bits16 ? ViewerCoding::bits16 : ViewerCoding::bits8;
    const bool fits = std::max(picture.width, picture.height) <= longest_webp_side_px;
    return fits ? ViewerCoding::lossy : ViewerCoding::bits8;
}

const char* name_of(ViewerCoding coding) {
    switch (coding) {
        case ViewerCoding::lossy:
            return "lossy";
        case ViewerCoding::bits8:
            return "bits8";
        case ViewerCoding::bits16:
            return "bits16";
        case ViewerCoding::half:
            return "half";
        case ViewerCoding::float32:
            return "float";
    }
    return "";
}

ViewerFile encoded(const Image& image, ViewerCoding coding) {
    switch (coding) {
        case ViewerCoding::lossy: {
            ImageEncoding encoding;
            encoding.quality = lossy_quality;
            return {"image/webp", io::encode_image("picture.webp", image, encoding)};
        }
        case ViewerCoding::bits8:
            return png(image);
        case ViewerCoding::bits16:
            return png(bytes_as_pictures(image, level16));
        case ViewerCoding::half:
            return png(bytes_as_pictures(image, half_of));
        case ViewerCoding::float32:
            return png(bytes_as_pictures(image, bits_of_float));
    }
    return {};
}

}  // namespace plenosr
