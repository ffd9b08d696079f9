#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "light_field/image_bytes.h"
#include "plenosr/image.h"

namespace plenosr {
namespace {

std::size_t bytes_of(SampleType type) {
    switch (type) {
        case SampleType::uint8:
            return sizeof(std::uint8_t);
        case SampleType::uint16:
            return sizeof(std::uint16_t);
        case SampleType::float32:
            return sizeof(float);
        case SampleType::float64:
            break;
    }
    return sizeof(double);
}

// The same arithmetic as for files of the same type, so that the bits agree.
template <class Sample, class Convert>
void read_samples(const ImageView& view, int y, int x, int count, float* samples, Convert convert) {
    const char* pixel =
        static_cast<const char*>(view.data) + y * view.row_stride + x * view.pixel_stride;
    for (int i = 0; i < count; ++i, pixel += view.pixel_stride)
        for (int c = 0; c < view.channels; ++c) {
            Sample sample;
            std::memcpy(&sample, pixel + c * view.channel_stride, sizeof(sample));
            *samples++ = convert(sample);
        }
}

}  // namespace

ImageView::ImageView(const void* samples, SampleType sample_type, int w, int h, int c)
    : data(samples),
      type(sample_type),
      width(w),
      height(h),
      channels(c),
      row_stride(std::ptrdiff_t(bytes_of(type)) * c * w),
      pixel_stride(std::ptrdiff_t(bytes_of(type)) * c),
      channel_stride(std::ptrdiff_t(bytes_of(type))) {}

ImageView::ImageView(const Image& image)
    : ImageView(image.values.data(), SampleType::float32, image.width, image.height,
                image.channels) {
    // An image with too few values has none that can be read; LightFieldView::validate() says so.
    if (image.values.size() != image.pixels() * std::size_t(std::max(0, image.channels)))
        data = nullptr;
}

void ImageView::read(int y, int x, int count, float* samples) const {
    constexpr float most_of_8_bit = 255;
    constexpr float most_of_16_bit = 65535;
    const double factor = double(most_of_8_bit) / white;
    const auto scaled = [factor](auto value) {
        return factor == 1 ? float(value) : float(double(value) * factor);
    };
    switch (type) {
        case SampleType::uint8:
            return read_samples<std::uint8_t>(*this, y, x, count, samples,
                                              [](std::uint8_t value) { return float(value); });
        case SampleType::uint16:
            return read_samples<std::uint16_t>(
                *this, y, x, count, samples,
                [](std::uint16_t value) { return float(value) * most_of_8_bit / most_of_16_bit; });
        case SampleType::float32:
            if (factor == 1 && channel_stride == sizeof(float) &&
                pixel_stride == channel_stride * channels) {
                std::memcpy(samples,
                            static_cast<const char*>(data) + y * row_stride + x * pixel_stride,
                            std::size_t(count) * std::size_t(channels) * sizeof(float));
                return;
            }
            return read_samples<float>(*this, y, x, count, samples, scaled);
        case SampleType::float64:
            return read_samples<double>(*this, y, x, count, samples, scaled);
    }
}

Image to_image(const ImageView& view) {
    return crop(view, {0, 0, view.width, view.height});
}

std::size_t image_bytes(const ImageView& view) {
    return view.pixels() * std::size_t(view.channels) * bytes_of(view.type);
}

}  // namespace plenosr
