#pragma once

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string>

#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr::io {

// An open picture and the bytes that its decoder reads from.
struct Picture {
    std::string bytes;
    std::unique_ptr<OIIO::Filesystem::IOProxy> source;
    OIIO::ImageSpec spec;
    std::unique_ptr<OIIO::ImageInput> input;
    std::string decoder;  // "png", "jpeg", "tiff", ...

    int colours() const { return spec.alpha_channel >= 0 ? spec.nchannels - 1 : spec.nchannels; }
    PixelFormat format() const;
    int orientation() const;  // orientation.h
};

// What the channels of a picture mean.
enum class Channels { colours, flow };  // grey or RGB, with or without alpha; or right and down

// Everything that the header claims is checked. `whole`: so is the structure of a PNG. `page` is
// the place of a directory in a TIFF, or 0 for the first one. Error(input).
Picture open_picture(const std::filesystem::path& file, bool whole, std::uint64_t page = 0,
                     Channels channels = Channels::colours);
// The pixels as stored (orientation.h), in 8-bit units; those of a flow as they are.
Image decode(const std::filesystem::path& file, Picture& picture,
             Channels channels = Channels::colours);

// Enough for every signature and the header of a PNG or BMP.
inline constexpr std::size_t picture_header_bytes = 64;
// The decoder for a file that begins with these bytes; nullptr if it is not read. PFM has its own
// reader and none of these.
const char* known_decoder(const std::string& first_bytes);

// The message of a decoder as one line without a full stop.
std::string one_line(const std::string& text);
[[noreturn]] void refuse_picture(const std::filesystem::path& file, const std::string& reason);

// Turns exceptions of decoders into Error(input).
template <class Body>
auto with_decoder_errors(const std::filesystem::path& file, Body body) {
    try {
        return body();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        refuse_picture(file, "it does not fit into memory");
    } catch (const std::exception& failure) {
        refuse_picture(file, one_line(failure.what()));
    }
}

}  // namespace plenosr::io
