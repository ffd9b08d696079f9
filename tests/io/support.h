#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr::test {

namespace fs = std::filesystem;

// A folder of its own for each test, gone afterwards.
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

// The message of the Error of this kind that the body must throw.
template <class Body>
std::string complaint(ErrorKind kind, Body body) {
    try {
        body();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error was thrown";
    return {};
}

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Every value differs from its neighbours; all are whole in 8-bit units.
inline Image pattern(int width, int height, int channels, int seed = 0) {
    Image image(width, height, channels);
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        image.values[i] = float((i * 101 + std::size_t(seed) * 17) % 256);
    }
    return image;
}

// ---- PNG made by hand, without compression: for files that no encoder would write ---------------

inline std::string big_endian(std::uint32_t value) {
    return {char(value >> 24U), char(value >> 16U), char(value >> 8U), char(value)};
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

// `rows` are the raw scanlines, each with its filter byte; at most 65535 bytes in all.
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
