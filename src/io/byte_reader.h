#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plenosr::io {

// Unsigned numbers of 1 to 8 bytes within the bytes of a file.
class ByteReader {
public:
    enum Order { little_endian, big_endian };
    ByteReader(std::string_view bytes, Order order) : bytes_(bytes), order_(order) {}

    std::size_t size() const { return bytes_.size(); }
    // True if there are `count` bytes from `at` on.
    bool has(std::size_t at, std::uint64_t count) const {
        return at <= bytes_.size() && count <= bytes_.size() - at;
    }
    // The bytes must exist.
    std::uint64_t number(std::size_t at, std::size_t count) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t byte = at + (order_ == big_endian ? i : count - 1 - i);
            value = value << 8U | std::uint64_t(static_cast<unsigned char>(bytes_[byte]));
        }
        return value;
    }

private:
    std::string_view bytes_;
    Order order_;
};

// The inverse: a number as bytes of a file.
inline std::string big_endian(std::uint64_t value, std::size_t count) {
    std::string bytes;
    for (std::size_t i = count; i-- > 0;)
        bytes += char(value >> (8 * i) & 0xFFU);
    return bytes;
}
inline std::string little_endian(std::uint64_t value, std::size_t count) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
        bytes += char(value >> (8 * i) & 0xFFU);
    return bytes;
}

}  // namespace plenosr::io
