#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cases/refusal.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr::test {

namespace fs = std::filesystem;

// Gives each test a temporary folder.
class InFolder : public ::testing::Test {
protected:
    InFolder() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / ("plenosr-" + std::to_string(::getpid()) + "-" +
                                               test->test_suite_name() + "-" + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        folder_ = fs::canonical(folder_);
    }
    ~InFolder() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;

    fs::path at(const std::string& name) const { return folder_ / name; }
    const fs::path& folder() const { return folder_; }

private:
    fs::path folder_;
};

inline void put(const fs::path& file, const std::string& bytes) {
    std::ofstream stream(file, std::ios::binary);
    stream.write(bytes.data(), std::streamsize(bytes.size()));
    ASSERT_TRUE(stream.good()) << file;
}

inline std::string take(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::size_t entries(const fs::path& folder) {
    return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Whole values in 8-bit units that differ from their neighbours.
inline Image pattern(int width, int height, int channels, int seed = 0) {
    Image image(width, height, channels);
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        image.values[i] = float((i * 101 + std::size_t(seed) * 17) % 256);
    }
    return image;
}

// A full grid of views with different content.
inline LightField numbered_views(ViewGrid grid, int channels, int width = 12, int height = 9) {
    LightField field;
    field.grid = grid;
    for (int row = 0; row < grid.rows; ++row)
        for (int col = 0; col < grid.cols; ++col)
            field.views.push_back({{double(grid.first_row + row), double(grid.first_col + col)},
                                   pattern(width, height, channels, row * grid.cols + col)});
    return field;
}

// During its lifetime no file can grow beyond 4096 bytes, as if the disk were full.
class FullDisk {
public:
    FullDisk() {
        getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit tiny{4096, old_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tiny);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &old_); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit old_{};
};

// ---- PNG files that no encoder would write, without compression

inline std::string big_endian(std::uint32_t value) {
    return {char(value >> 24U), char(value >> 16U), char(value >> 8U), char(value)};
}

inline std::string little_endian(std::uint64_t value, std::size_t bytes = 4) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i)
        text += char(value >> (8 * i) & 0xFFU);
    return text;
}

inline std::string png_chunk(const std::string& type, const std::string& content) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char byte : type + content) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1U) != 0 ? (crc >> 1U) ^ 0xEDB88320U : crc >> 1U;
        }
    }
    return big_endian(std::uint32_t(content.size())) + type + content + big_endian(~crc);
}

// `rows` are the raw scanlines, each with its filter byte; at most 65535 bytes.
inline std::string handmade_png(std::uint32_t width, std::uint32_t height, int bits,
                                int colour_type, const std::string& rows,
                                const std::string& extra_chunks = {}) {
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const char byte : rows) {
        a = (a + static_cast<unsigned char>(byte)) % 65521U;
        b = (b + a) % 65521U;
    }
    const auto size = std::uint32_t(rows.size());
    const std::string stored = {char(1), char(size), char(size >> 8U), char(~size),
                                char(~size >> 8U)};
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(width) + big_endian(height) + char(bits) +
                                 char(colour_type) + std::string(3, '\0')) +
           extra_chunks + png_chunk("IDAT", "\x78\x01" + stored + rows + big_endian(b << 16U | a)) +
           png_chunk("IEND", "");
}

}  // namespace plenosr::test
