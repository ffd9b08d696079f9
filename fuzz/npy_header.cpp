#include "io/npy_header.h"

#include "target.h"

// Headers lie within the bytes, accepted shapes are valid, and written headers can be parsed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        const io::NpyHeader header = io::parse_npy_header("a.npy", bytes);
        fuzz::require(header.size <= bytes.size());
        const std::string written = io::format_npy_header(header.shape, header.element);
        const io::NpyHeader again = io::parse_npy_header("a.npy", written);
        fuzz::require(again.shape == header.shape && again.element == header.element);
        const io::ViewAxes axes = io::axes_of("a.npy", header.shape, {});
        fuzz::require(axes.length(axes.x) >= 1 && axes.length(axes.channel) <= 4);
        // Readers require that all elements are present.
        if (io::bytes_of(header.shape, header.element) != double(bytes.size() - header.size))
            return;
        const io::Shape strides = io::strides_of(header.shape, header.fortran_order);
        const int last = axes.grid.rows * axes.grid.cols - 1;
        io::view_of(bytes.data() + header.size, header.element, axes, strides, last);
    });
}
