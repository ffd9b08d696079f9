#include "io/flo.h"

#include <fmt/format.h>

#include <cstring>

#include "base/file_errors.h"
#include "io/byte_reader.h"
#include "io/input_file.h"

namespace plenosr::io {

namespace {

constexpr const char* kind = "flow file";
constexpr std::size_t header_bytes = 12;

}  // namespace

bool is_flo(std::string_view first_bytes) {
    return first_bytes.starts_with("PIEH");
}

Image decode_flo(const std::filesystem::path& file, const std::string& bytes) {
    const ByteReader reader(bytes, ByteReader::little_endian);
    if (!is_flo(bytes) || !reader.has(0, header_bytes))
        refuse_file(file, "it does not begin like a .flo file", kind);
    const auto width = std::int64_t(std::int32_t(reader.number(4, 4)));
    const auto height = std::int64_t(std::int32_t(reader.number(8, 4)));
    require_sane_size(file, width, height);
    const std::uint64_t expected = std::uint64_t(width) * std::uint64_t(height) * 2 * sizeof(float);
    if (bytes.size() - header_bytes != expected)
        refuse_file(file,
                    fmt::format("{}x{} pixels take {} bytes after the header, but there are {}",
                                width, height, expected, bytes.size() - header_bytes),
                    kind);
    Image flow(int(width), int(height), 2);
    for (std::size_t i = 0; i < flow.values.size(); ++i) {
        const auto bits = std::uint32_t(reader.number(header_bytes + 4 * i, 4));
        std::memcpy(&flow.values[i], &bits, sizeof bits);
    }
    return flow;
}

}  // namespace plenosr::io
