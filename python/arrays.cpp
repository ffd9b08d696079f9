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

template <class T>
bool is_type(const Array& array) {
    return array.dtype() == nb::dtype<T>();
}

void require_numbers(const Array& array, const std::string& name) {
    if (!is_integer(array) && !is_type<float>(array) && !is_type<double>(array))
        refuse(name, "its elements must be uint8, uint16, float32 or float64");
}

SampleType type_of(const Array& array) {
    if (is_type<std::uint8_t>(array)) return SampleType::uint8;
    if (is_type<std::uint16_t>(array)) return SampleType::uint16;
    return is_type<float>(array) ? SampleType::float32 : SampleType::float64;
}

// The last two or three axes of an array from `offset` elements on, in its own memory.
ImageView view_of(const Array& array, std::size_t axis, std::int64_t offset, double white) {
    const auto bytes = std::ptrdiff_t(array.itemsize());
    const bool has_channels = array.ndim() > axis + 2;
    ImageView view;
    view.data = static_cast<const char*>(array.data()) + offset * bytes;
    view.type = type_of(array);
    view.height = int(array.shape(axis));
    view.width = int(array.shape(axis + 1));
    view.channels = has_channels && array.shape(axis + 2) >= 3 ? 3 : 1;  // without alpha
    view.row_stride = array.stride(axis) * bytes;
    view.pixel_stride = array.stride(axis + 1) * bytes;
    view.channel_stride = has_channels ? array.stride(axis + 2) * bytes : bytes;
    view.white = white;
    return view;
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

float largest_of(const ImageView& view) {
    float largest = 0;
    if (view.type == SampleType::uint8 || view.type == SampleType::uint16) return largest;
    std::vector<float> row(std::size_t(view.width) * std::size_t(view.channels));
    for (int y = 0; y < view.height; ++y) {
        view.read(y, 0, view.width, row.data());
        for (const float value : row)
            if (value > largest) largest = value;
    }
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
    const ImageView view = view_of(array, 0, 0, white.value_or(255));
    require_clear_unit(array, white, largest_of(view), name);
    return to_image(view);
}

Image map_from(const Array& array, const std::string& name) {
    require_numbers(array, name);
    if (array.ndim() != 2 || array.shape(0) == 0 || array.shape(1) == 0)
        refuse(name, fmt::format("its shape is {}, but must be (y, x)", shape_of(array)));
    return to_image(view_of(array, 0, 0, 255));
}

LightFieldView light_field_from(const Array& array, std::optional<double> white) {
    const std::string name = "The array of the light field";
    require_picture(array, 2, name, "(row, col, y, x) or (row, col, y, x, channel)");
    LightFieldView light_field;
    light_field.grid = {0, 0, int(array.shape(0)), int(array.shape(1))};
    // Threads that do not hold the interpreter's lock may drop the last owner.
    light_field.owner = std::shared_ptr<const Array>(new Array(array), [](const Array* last) {
        const nb::gil_scoped_acquire acquire;
        delete last;
    });
    float largest = 0;
    for (int row = 0; row < light_field.grid.rows; ++row)
        for (int col = 0; col < light_field.grid.cols; ++col) {
            const ImageView view = view_of(array, 2, row * array.stride(0) + col * array.stride(1),
                                           white.value_or(255));
            light_field.views.push_back({{double(row), double(col)}, view});
            largest = std::max(largest, largest_of(view));
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

nb::object array_of(const ImageView& view, const std::shared_ptr<const void>& owner) {
    constexpr std::ptrdiff_t bytes = sizeof(float);
    const auto in_floats = [](std::ptrdiff_t stride) { return stride % bytes == 0; };
    if (view.type != SampleType::float32 || view.white != 255 || !in_floats(view.row_stride) ||
        !in_floats(view.pixel_stride) || !in_floats(view.channel_stride))
        return array_of(to_image(view));
    const std::size_t shape[] = {std::size_t(view.height), std::size_t(view.width),
                                 std::size_t(view.channels)};
    const std::int64_t strides[] = {view.row_stride / bytes, view.pixel_stride / bytes,
                                    view.channel_stride / bytes};
    return nb::cast(nb::ndarray<nb::numpy, float>(
        const_cast<void*>(view.data), view.channels == 1 ? 2 : 3, shape, keep(owner), strides));
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
