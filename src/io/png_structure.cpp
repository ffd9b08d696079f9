#include "io/png_structure.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "base/file_errors.h"
#include "io/byte_reader.h"
#include "io/input_file.h"
#include "io/limits.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);
constexpr std::size_t chunk_overhead = 12;  // bytes of length, type and checksum
constexpr std::size_t header_content = 13;  // bytes
constexpr std::size_t header_end = signature.size() + chunk_overhead + header_content;

[[noreturn]] void refuse_png(const fs::path& file, const std::string& reason) {
    refuse_file(file, reason, "PNG file");
}

std::uint32_t big_endian_32(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | std::uint32_t(static_cast<unsigned char>(bytes[at + i]));
    }
    return value;
}

// CRC-32 (ISO 3309, reflected bit order) as the PNG specification defines it.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < table.size(); ++n) {
        std::uint32_t remainder = n;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = (remainder & 1U) != 0 ? 0xEDB88320U ^ (remainder >> 1U) : remainder >> 1U;
        }
        table[n] = remainder;
    }
    return table;
}();

std::uint32_t crc(std::string_view bytes) {
    std::uint32_t remainder = 0xFFFFFFFFU;
    for (const char byte : bytes) {
        remainder =
            crc_table[(remainder ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (remainder >> 8U);
    }
    return ~remainder;
}

// Samples per pixel by colour type; 0 for invalid types.
constexpr std::array<int, 7> samples_per_pixel = {1, 0, 3, 1, 2, 0, 4};

}  // namespace

bool is_png(const std::string& first_bytes) {
    return first_bytes.starts_with(signature);
}

std::string png_chunk(const std::string& type, const std::string& content) {
    return big_endian(content.size(), 4) + type + content + big_endian(crc(type + content), 4);
}

PngHeader png_header(const fs::path& file, const std::string& first_bytes) {
    const std::string_view bytes = first_bytes;
    if (bytes.size() < header_end) refuse_png(file, "it ends within its header");
    const std::string_view chunk = bytes.substr(signature.size(), chunk_overhead + header_content);
    if (big_endian_32(chunk, 0) != header_content || chunk.substr(4, 4) != "IHDR" ||
        crc(chunk.substr(4, 4 + header_content)) != big_endian_32(chunk, 8 + header_content)) {
        refuse_png(file, "its header is damaged");
    }
    PngHeader header;
    header.width = big_endian_32(chunk, 8);
    header.height = big_endian_32(chunk, 12);
    const auto colour_type = std::size_t(static_cast<unsigned char>(chunk[17]));
    const int samples = colour_type < samples_per_pixel.size() ? samples_per_pixel[colour_type] : 0;
    if (samples == 0) refuse_png(file, fmt::format("its colour type {} is invalid", colour_type));
    header.bits_per_pixel = samples * int(static_cast<unsigned char>(chunk[16]));
    require_sane_size(file, header.width, header.height);
    return header;
}

void require_intact_png(const fs::path& file, const std::string& content) {
    const std::string_view bytes = content;
    const PngHeader header = png_header(file, content);
    std::size_t compressed = 0;
    std::size_t at = signature.size();
    for (std::string_view type; type != "IEND";) {
        if (bytes.size() - at < chunk_overhead) refuse_png(file, "it ends before its IEND chunk");
        const std::size_t length = big_endian_32(bytes, at);
        if (length > bytes.size() - at - chunk_overhead) {
            refuse_png(file,
                       fmt::format("it is truncated at byte {}, within a chunk", bytes.size()));
        }
        type = bytes.substr(at + 4, 4);
        if (crc(bytes.substr(at + 4, 4 + length)) != big_endian_32(bytes, at + 8 + length)) {
            refuse_png(file, fmt::format("the checksum of the chunk at byte {} is wrong", at));
        }
        if (type == "IDAT") compressed += length;
        at += chunk_overhead + length;
    }
    const std::uint64_t raw =
        std::uint64_t(header.width) * header.height * std::uint64_t(header.bits_per_pixel) / 8;
    if (raw > deflate_best_ratio * compressed) {
        refuse_png(file, fmt::format("{} bytes of compressed data cannot hold {}x{} pixels",
                                     compressed, header.width, header.height));
    }
}

}  // namespace plenosr::io
