#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plenosr {

// SHA-256 (FIPS 180-4). Equal digests mean equal bytes, also if somebody tries to make it
// otherwise.
class Sha256 {
public:
    using Digest = std::array<std::uint8_t, 32>;

    Sha256& update(std::string_view bytes);
    Digest digest();  // of all bytes so far; ends the computation

private:
    void compress(const std::uint8_t* block);

    static constexpr std::size_t block_bytes = 64;
    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, block_bytes> block_{};  // bytes that do not fill a block yet
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;  // bytes
};

Sha256::Digest sha256(std::string_view bytes);
std::string hex_text(const Sha256::Digest& digest);  // 64 hexadecimal digits
std::string sha256_text(std::string_view bytes);     // the same of bytes

}  // namespace plenosr
