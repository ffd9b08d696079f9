#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// A picture of 1 or 3 channels in memory order (y, x, channel), the last axes of this library's
// axis order (row, col, y, x, channel). Values are floats in 8-bit units for files of any depth: 0
// is black, 255 is white. Fractions and values outside [0, 255] are kept.
struct Image {
    int width = 0;
    int height = 0;
    int channels = 1;
    std::vector<float> values;

    Image() = default;
    Image(int w, int h, int c = 1, float fill = 0.0F)
        : width(w),
          height(h),
          channels(c),
          values(std::size_t(w) * std::size_t(h) * std::size_t(c), fill) {}

    std::size_t index(int y, int x, int channel = 0) const {
        return (std::size_t(y) * std::size_t(width) + std::size_t(x)) * std::size_t(channels) +
               std::size_t(channel);
    }
    float& at(int y, int x, int channel = 0) { return values[index(y, x, channel)]; }
    float at(int y, int x, int channel = 0) const { return values[index(y, x, channel)]; }

    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
    bool empty() const { return values.empty(); }
    bool same_size(const Image& other) const {
        return width == other.width && height == other.height;
    }
    bool operator==(const Image&) const = default;
};

enum class SampleType { uint8, uint16, float32, float64 };

// A picture in memory of the caller, who keeps it alive and unchanged: nothing is copied. Functions
// that take a view take an Image, too. Strides are in bytes and may be negative. Samples are read
// in 8-bit units: uint8 as it is, uint16 times 255 / 65535, floats times 255 / white.
struct ImageView {
    const void* data = nullptr;
    SampleType type = SampleType::float32;
    int width = 0;
    int height = 0;
    int channels = 1;  // 1 or 3; further ones, such as alpha, are not read
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t pixel_stride = 0;
    std::ptrdiff_t channel_stride = 0;
    double white = 255;  // of floats

    ImageView() = default;
    ImageView(const Image& image);  // NOLINT: wherever an image is read, a view is
    // Rows, pixels and channels without gaps.
    ImageView(const void* samples, SampleType sample_type, int w, int h, int c = 1);

    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
    bool empty() const { return data == nullptr; }
    bool same_size(const ImageView& other) const {
        return width == other.width && height == other.height;
    }
    // The samples of `count` pixels from (x, y), channel by channel for each pixel.
    void read(int y, int x, int count, float* samples) const;
};

// The samples as an image, and whether any sample is NaN or infinite.
Image to_image(const ImageView& view);

// One channel as an image, and the inverse.
Image channel(const Image& image, int channel);
Image merge_channels(const std::vector<Image>& planes);

// BT.601, full range, 0-255: Y = 0.299 R + 0.587 G + 0.114 B. A grey image is its own luma.
Image luma(const ImageView& image);
// RGB <-> (Y, Cb, Cr), chroma centred on 128. Inverse to each other up to rounding.
Image rgb_to_ycbcr(const Image& rgb);
Image ycbcr_to_rgb(const Image& ycbcr);

// The sRGB curve and its inverse on 0-255: with s = v / 255,
//   linear = s / 12.92 for s <= 0.04045, else ((s + 0.055) / 1.055)^2.4.
// Negative values are mirrored; values above 255 use the same formula.
Image to_linear(const Image& srgb);
Image to_srgb(const Image& linear);

// A rectangle of pixels; (x0, y0) is the top-left one.
struct Box {
    int x0 = 0;
    int y0 = 0;
    int width = 0;
    int height = 0;
    int x1() const { return x0 + width; }  // one past the last column
    int y1() const { return y0 + height; }
    bool contains(const Box& other) const {
        return x0 <= other.x0 && y0 <= other.y0 && x1() >= other.x1() && y1() >= other.y1();
    }
    bool operator==(const Box&) const = default;
};
Image crop(const ImageView& image, const Box& box);
Image crop(const ImageView& image, int width, int height);  // the top-left part

// Resamples an image to another number of pixels. The edges coincide: the centre of output pixel x
// lies at (x + 1/2) width_in / width_out - 1/2 of the input. Keys' cubic (a = -1/2), widened when
// the image shrinks to avoid aliasing; the border is replicated.
Image resize(const Image& image, int width, int height);

}  // namespace PLENOSR_EXPORT
