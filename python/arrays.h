#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "plenosr/image.h"
#include "plenosr/light_field.h"

namespace plenosr::python {

namespace nb = nanobind;

// An array of any library that speaks DLPack or the buffer protocol, with any strides.
using Array = nb::ndarray<nb::ro, nb::device::cpu>;

// An image [y, x] or [y, x, channel] in 8-bit units: uint8 as it is, uint16 times 255 / 65535, and
// floats times 255 / white. Of four channels the last one, alpha, is dropped. `name` is for errors.
// Floats that are all at most 1 are refused if `white` is not given.
Image image_from(const Array& array, std::optional<double> white, const std::string& name);

// A map: its values are kept.
Image map_from(const Array& array, const std::string& name);

// A light field [row, col, y, x] or [row, col, y, x, channel] on the memory of the array.
LightFieldView light_field_from(const Array& array, std::optional<double> white);

// True for uint8 and uint16: values beyond the range of the type were clipped.
bool is_integer(const Array& array);

// float32 [y, x] or [y, x, channel] on the memory of the image, which `owner` keeps alive.
nb::object array_of(const Image& image, const std::shared_ptr<const void>& owner);
// The same for a view: without a copy if its samples are floats in 8-bit units.
nb::object array_of(const ImageView& view, const std::shared_ptr<const void>& owner);
// The same for an image of its own.
nb::object array_of(Image image);

// float32 on the memory of `owner`, in one dimension.
nb::object floats_of(std::span<const float> values, const std::shared_ptr<const void>& owner);

// Bytes on the memory of `owner`.
nb::object bytes_of(const void* data, std::size_t size, const std::shared_ptr<const void>& owner);

}  // namespace plenosr::python
