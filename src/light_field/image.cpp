#include "plenosr/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plenosr/error.h"

namespace plenosr {
namespace {

// BT.601. The weights sum to 1, which the inverse relies on.
constexpr double red_weight = 0.299;
constexpr double green_weight = 0.587;
constexpr double blue_weight = 0.114;
constexpr double cb_range = 2 * (1 - blue_weight);
constexpr double cr_range = 2 * (1 - red_weight);
constexpr double chroma_centre = 128;

double luma_of(const float* rgb) {
    return red_weight * double(rgb[0]) + green_weight * double(rgb[1]) +
           blue_weight * double(rgb[2]);
}

[[noreturn]] void refuse_channels(int channels, int wanted, const char* operation) {
    throw Error(ErrorKind::input, fmt::format("{} needs an image with {} channels; it has {}.",
                                              operation, wanted, channels));
}

void require_channels(const Image& image, int channels, const char* operation) {
    if (image.channels != channels) refuse_channels(image.channels, channels, operation);
}

}  // namespace

Image channel(const Image& image, int channel) {
    if (channel < 0 || channel >= image.channels) {
        throw Error(ErrorKind::input,
                    fmt::format("Channel {} does not exist: the image has {} channels.", channel,
                                image.channels));
    }
    Image plane(image.width, image.height);
    for (std::size_t i = 0; i < plane.pixels(); ++i) {
        plane.values[i] = image.values[i * std::size_t(image.channels) + std::size_t(channel)];
    }
    return plane;
}

Image merge_channels(const std::vector<Image>& planes) {
    if (planes.empty()) {
        throw Error(ErrorKind::input, "Merging channels needs at least one channel.");
    }
    const Image& first = planes.front();
    for (const Image& plane : planes) {
        require_channels(plane, 1, "Merging channels");
        if (!plane.same_size(first)) {
            throw Error(ErrorKind::input,
                        fmt::format("Channels of {}x{} and of {}x{} pixels cannot be merged.",
                                    first.width, first.height, plane.width, plane.height));
        }
    }
    Image merged(first.width, first.height, int(planes.size()));
    for (std::size_t c = 0; c < planes.size(); ++c) {
        for (std::size_t i = 0; i < first.pixels(); ++i) {
            merged.values[i * planes.size() + c] = planes[c].values[i];
        }
    }
    return merged;
}

Image luma(const ImageView& image) {
    if (image.channels == 1) return to_image(image);
    if (image.channels != 3) refuse_channels(image.channels, 3, "Luma");
    Image y(image.width, image.height);
    std::vector<float> row(3 * std::size_t(image.width));
    for (int j = 0; j < image.height; ++j) {
        image.read(j, 0, image.width, row.data());
        for (int i = 0; i < image.width; ++i)
            y.at(j, i) = float(luma_of(&row[3 * std::size_t(i)]));
    }
    return y;
}

// Cb = 128 + (B - Y) / 1.772,  Cr = 128 + (R - Y) / 1.402
Image rgb_to_ycbcr(const Image& rgb) {
    require_channels(rgb, 3, "Conversion to YCbCr");
    Image ycbcr(rgb.width, rgb.height, 3);
    for (std::size_t i = 0; i < rgb.values.size(); i += 3) {
        const double y = luma_of(&rgb.values[i]);
        ycbcr.values[i] = float(y);
        ycbcr.values[i + 1] = float(chroma_centre + (double(rgb.values[i + 2]) - y) / cb_range);
        ycbcr.values[i + 2] = float(chroma_centre + (double(rgb.values[i]) - y) / cr_range);
    }
    return ycbcr;
}

// R and B from the chroma, then G = (Y - 0.299 R - 0.114 B) / 0.587
Image ycbcr_to_rgb(const Image& ycbcr) {
    require_channels(ycbcr, 3, "Conversion from YCbCr");
    Image rgb(ycbcr.width, ycbcr.height, 3);
    for (std::size_t i = 0; i < ycbcr.values.size(); i += 3) {
        const double y = ycbcr.values[i];
        const double blue = y + cb_range * (double(ycbcr.values[i + 1]) - chroma_centre);
        const double red = y + cr_range * (double(ycbcr.values[i + 2]) - chroma_centre);
        rgb.values[i] = float(red);
        rgb.values[i + 1] = float((y - red_weight * red - blue_weight * blue) / green_weight);
        rgb.values[i + 2] = float(blue);
    }
    return rgb;
}

Image crop(const ImageView& image, const Box& box) {
    if (box.width < 0 || box.height < 0 || !Box{0, 0, image.width, image.height}.contains(box)) {
        throw Error(ErrorKind::input,
                    fmt::format("An image of {}x{} pixels cannot be cropped to {}x{} from {},{}.",
                                image.width, image.height, box.width, box.height, box.x0, box.y0));
    }
    Image part(box.width, box.height, image.channels);
    for (int y = 0; y < box.height; ++y)
        image.read(box.y0 + y, box.x0, box.width, part.values.data() + part.index(y, 0));
    return part;
}

Image crop(const ImageView& image, int width, int height) {
    return crop(image, {0, 0, width, height});
}

namespace {

// Applies a curve on [0, 1] to the values / 255, mirrored for negative values.
template <class Curve>
Image with_curve(Image image, Curve curve) {
    for (float& value : image.values) {
        const double v = double(value) / 255.0;
        value = float(std::copysign(curve(std::abs(v)), v) * 255.0);
    }
    return image;
}

}  // namespace

Image to_linear(const Image& srgb) {
    return with_curve(srgb, [](double s) {
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    });
}

Image to_srgb(const Image& linear) {
    return with_curve(linear, [](double l) {
        return l <= 0.04045 / 12.92 ? l * 12.92 : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
    });
}

}  // namespace plenosr
