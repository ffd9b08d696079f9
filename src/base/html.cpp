#include "plenosr/html.h"

namespace plenosr {

std::string escaped_html(std::string_view text) {
    std::string result;
    for (const char c : text)
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    return result;
}

std::string base64(std::string_view bytes) {
    constexpr const char* digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) {
            return i + k < bytes.size() ? unsigned(static_cast<unsigned char>(bytes[i + k])) : 0U;
        };
        const unsigned three = byte(0) << 16U | byte(1) << 8U | byte(2);
        for (unsigned k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63U];
    }
    return text;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
    return "data:" + std::string(media_type) + ";base64," + base64(bytes);
}

}  // namespace plenosr
