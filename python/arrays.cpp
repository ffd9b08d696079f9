#include "arrays.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "plenosr/error.h"

namespace plenosr::python {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw Error(ErrorKind::input, fmt::format("{} cannot be used: {}.", name, what));
}

std::string shape_of(const Array& array) {
    std::string text;
    for (std::size_t i = 0; i < array.ndim(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(array.shape(i));
    return "(" + text + ")";
}

// The last two or three axes of an array, and where they begin.
struct Picture {
    const Array& array;
    std::size_t first_axis = 0;
    std::int64_t offset = 0;  // elements

    int height() const { return int(array.shape(first_axis)); }
    int width() const { return int(array.shape(first_axis + 1)); }
    bool has_channels() const { return array.ndim() > first_axis + 2; }
    int channels() const {
        const std::size_t stored = has_channels() ? array.shape(first_axis + 2) : 1;
        return stored >= 3 ? 3 : 1;  // without alpha
    }
    std::int64_t stride(std::size_t axis) const { return array.stride(first_axis + axis); }
};

template <class T>
void copy(const Picture& p, double factor, Image& image) {
    const T* data = static_cast<const T*>(p.array.data()) + p.offset;
    const std::int64_t per_channel = p.has_channels() ? p.stride(2) : 0;
    float* to = image.values.data();
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const T* pixel = data + y * p.stride(0) + x * p.stride(1);
            // As files of the same type are read, so that the bits agree.
            for (int c = 0; c < image.channels; ++c)
                *to++ = factor == 1 ? float(pixel[c * per_channel])
                                    : float(double(pixel[c * per_channel]) * factor);
        }
}

template <class T>
bool is_type(const Array& array) {
    return array.dtype() == nb::dtype<T>();
}

void require_numbers(const Array& array, const std::string& name) {
    if (!is_integer(array) && !is_type<float>(array) && !is_type<double>(array))
        refuse(name, "its elements must be uint8, uint16, float32 or float64");
}

Image image_of(const Picture& p, double white) {
    Image image(p.width(), p.height(), p.channels());
    if (is_type<std::uint8_t>(p.array)) copy<std::uint8_t>(p, 1, image);
    if (is_type<std::uint16_t>(p.array)) copy<std::uint16_t>(p, 255.0 / 65535.0, image);
    if (is_type<float>(p.array)) copy<float>(p, 255.0 / white, image);
    if (is_type<double>(p.array)) copy<double>(p, 255.0 / white, image);
    return image;
}

void require_picture(const Array& array, std::size_t first_axis, const std::string& name,
                     const std::string& wanted) {
    require_numbers(array, name);
    const bool has_axes = array.ndim() == first_axis + 2 || array.ndim() == first_axis + 3;
    const std::size_t channels = array.ndim() == first_axis + 3 ? array.shape(first_axis + 2) : 1;
    if (!has_axes || (channels != 1 && channels != 3 && channels != 4))
        refuse(name, fmt::format("its shape is {}, but must be {} with 1, 3 or 4 channels",
                                 shape_of(array), wanted));
    constexpr std::size_t longest = 1 << 24;
    for (std::size_t i = 0; i < array.ndim(); ++i)
        if (array.shape(i) == 0 || array.shape(i) > longest)
            refuse(name, fmt::format("its shape is {}", shape_of(array)));
}

// Floats from 0 to 1 would be taken for black.
void require_clear_unit(const Array& array, std::optional<double> white, float largest,
                        const std::string& name) {
    if (white && !(*white > 0 && std::isfinite(*white)))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("white = {} must be a number above 0", *white));
    if (!white && !is_integer(array) && largest > 0 && largest <= 1)
        refuse(name, fmt::format("its largest value is {:.4g}, but floats are in 8-bit units, "
                                 "where 255 is white; give white=1 if 1 is white",
                                 largest));
}

float largest_of(const Image& image) {
    float largest = 0;
    for (const float value : image.values)
        if (value > largest) largest = value;
    return largest;
}

nb::object array_on(const float* data, const Image& image, const nb::capsule& owner) {
    const std::size_t shape[] = {std::size_t(image.height), std::size_t(image.width),
                                 std::size_t(image.channels)};
    // NumPy decides what is written to: the memory belongs to the array.
    return nb::cast(nb::ndarray<nb::numpy, float>(const_cast<float*>(data),
                                                  image.channels == 1 ? 2 : 3, shape, owner));
}

nb::capsule keep(const std::shared_ptr<const void>& owner) {
    return nb::capsule(new std::shared_ptr<const void>(owner), [](void* kept) noexcept {
        delete static_cast<std::shared_ptr<const void>*>(kept);
    });
}

}  // namespace

bool is_integer(const Array& array) {
    return is_type<std::uint8_t>(array) || is_type<std::uint16_t>(array);
}

Image image_from(const Array& array, std::optional<double> white, const std::string& name) {
    require_picture(array, 0, name, "(y, x) or (y, x, channel)");
    Image image = image_of({array, 0, 0}, white.value_or(255));
    require_clear_unit(array, white, largest_of(image), name);
    return image;
}

Image map_from(const Array& array, const std::string& name) {
    require_numbers(array, name);
    if (array.ndim() != 2 || array.shape(0) == 0 || array.shape(1) == 0)
        refuse(name, fmt::format("its shape is {}, but must be (y, x)", shape_of(array)));
    return image_of({array, 0, 0}, 255);
}

LightField light_field_from(const Array& array, std::optional<double> white) {
    const std::string name = "The array of the light field";
    require_picture(array, 2, name, "(row, col, y, x) or (row, col, y, x, channel)");
    LightField light_field;
    light_field.grid = {0, 0, int(array.shape(0)), int(array.shape(1))};
    float largest = 0;
    for (int row = 0; row < light_field.grid.rows; ++row)
        for (int col = 0; col < light_field.grid.cols; ++col) {
            const Picture picture{array, 2, row * array.stride(0) + col * array.stride(1)};
            light_field.views.push_back(
                {{double(row), double(col)}, image_of(picture, white.value_or(255))});
            largest = std::max(largest, largest_of(light_field.views.back().image));
        }
    require_clear_unit(array, white, largest, name);
    light_field.validate();
    light_field.clipped = is_integer(array) || shows_clipping(light_field);
    return light_field;
}

nb::object array_of(const Image& image, const std::shared_ptr<const void>& owner) {
    if (image.empty()) return nb::none();
    return array_on(image.values.data(), image, keep(owner));
}

nb::object array_of(Image image) {
    const auto owner = std::make_shared<const Image>(std::move(image));
    return array_of(*owner, owner);
}

nb::object floats_of(std::span<const float> values, const std::shared_ptr<const void>& owner) {
    return nb::cast(nb::ndarray<nb::numpy, float>(const_cast<float*>(values.data()),
                                                  {values.size()}, keep(owner)));
}

nb::object bytes_of(const void* data, std::size_t size, const std::shared_ptr<const void>& owner) {
    return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(data, {size}, keep(owner)));
}

}  // namespace plenosr::python
