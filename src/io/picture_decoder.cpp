#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

#include "base/file_errors.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/jpeg.h"
#include "io/limits.h"
#include "io/memory_limit.h"
#include "io/pfm.h"
#include "io/picture_headers.h"
#include "io/png_structure.h"
#include "io/tiff_page.h"
#include "io/tiff_pages.h"
#include "io/unread_formats.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr float white = 255.0F;
constexpr float white_16_bit = 65535.0F;

[[noreturn]] void refuse_picture(const fs::path& file, const std::string& reason) {
    refuse_file(file, reason, "picture");
}

// The first bytes select the decoder, not the file name: wrong extensions do no harm, and unknown
// content never reaches a decoder. PFM has its own reader and no entry here.
struct Signature {
    const char* decoder;
    std::string_view bytes;
};
using namespace std::string_view_literals;
constexpr std::array signatures = {
    Signature{"png", "\x89PNG\r\n\x1a\n"sv},
    Signature{"jpeg", "\xff\xd8\xff"sv},
    Signature{"tiff", "II*\0"sv},
    Signature{"tiff", "MM\0*"sv},
    Signature{"tiff", "II+\0"sv},
    Signature{"tiff", "MM\0+"sv},
    Signature{"openexr", "\x76\x2f\x31\x01"sv},
    Signature{"bmp", "BM"sv},
    Signature{"pnm", "P2"sv},
    Signature{"pnm", "P3"sv},
    Signature{"pnm", "P5"sv},
    Signature{"pnm", "P6"sv},
};

const char* known_decoder(const std::string& first_bytes) {
    for (const Signature& signature : signatures) {
        if (first_bytes.starts_with(signature.bytes)) return signature.decoder;
    }
    return nullptr;
}

const char* decoder_for(const fs::path& file, const std::string& first_bytes) {
    if (first_bytes.empty()) refuse_picture(file, "it is empty");
    if (const char* decoder = known_decoder(first_bytes)) return decoder;
    const std::string hint = io::unread_format_hint(file);
    refuse_picture(file,
                   hint.empty() ? fmt::format("only {} are read", io::readable_pictures) : hint);
}

// The message of a decoder as one line without a full stop. Decoders may repeat a message for every
// row of pixels.
std::string one_line(const std::string& text) {
    constexpr std::size_t most_messages = 3;
    std::vector<std::string> messages;
    for (std::size_t begin = 0; begin < text.size() && messages.size() < most_messages;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string message = text.substr(begin, end - begin);
        while (!message.empty() && (message.back() == '.' || message.back() == ' '))
            message.pop_back();
        if (!message.empty() &&
            std::find(messages.begin(), messages.end(), message) == messages.end())
            messages.push_back(std::move(message));
        begin = end + 1;
    }
    return messages.empty() ? "it is damaged" : fmt::format("{}", fmt::join(messages, "; "));
}

// An open picture and the bytes that its decoder reads from.
struct Picture {
    std::string bytes;
    std::unique_ptr<OIIO::Filesystem::IOProxy> source;
    OIIO::ImageSpec spec;
    std::unique_ptr<OIIO::ImageInput> input;

    int colours() const { return spec.alpha_channel >= 0 ? spec.nchannels - 1 : spec.nchannels; }
};

// The length of the shortest file that can hold these pixels.
double fewest_bytes(const OIIO::ImageSpec& spec) {
    if (spec.get_string_attribute("compression") != "none")
        return double(spec.image_bytes()) / double(io::decoder_best_ratio);
    // Palettes have one number per pixel, and the chroma of YCbCr may be sampled more coarsely.
    constexpr int palette = 3;
    constexpr int ycbcr = 6;
    const int type = spec.get_int_attribute("tiff:PhotometricInterpretation");
    const int samples = type == palette || type == ycbcr ? 1 : spec.nchannels;
    const int bits = spec.get_int_attribute("oiio:BitsPerSample", int(spec.format.size()) * 8);
    return double(spec.width) * spec.height * samples * bits / 8;
}

void require_readable_layout(const fs::path& file, const Picture& picture) {
    const OIIO::ImageSpec& spec = picture.spec;
    io::require_sane_size(file, spec.width, spec.height);
    const bool alpha_is_last = spec.alpha_channel < 0 || spec.alpha_channel == spec.nchannels - 1;
    const int colours = picture.colours();
    if (spec.depth > 1 || spec.deep || !alpha_is_last || (colours != 1 && colours != 3)) {
        refuse_picture(
            file, fmt::format("it has {} channels; it must be grey or RGB, with or without alpha",
                              spec.nchannels));
    }
    io::require_memory(
        file, "the picture",
        double(spec.width) * spec.height * colours * (sizeof(float) + spec.format.size()),
        io::memory_limit(0));
    std::error_code error;
    if (fewest_bytes(spec) > double(fs::file_size(file, error))) {
        refuse_picture(file, fmt::format("it is too short for the {}x{} pixels that it claims",
                                         spec.width, spec.height));
    }
}

// Enough for every signature and a PNG header.
constexpr std::size_t header_bytes = io::longest_bmp_header;

// Before a decoder sees the file.
void require_plausible_header(const fs::path& file, std::string_view decoder,
                              const std::string& first_bytes) {
    if (decoder == "png") io::png_header(file, first_bytes);
    std::error_code error;
    const std::uintmax_t length = fs::file_size(file, error);
    const double size = error ? 0.0 : double(length);
    if (decoder == "bmp") io::require_plausible_bmp(file, first_bytes, size);
    if (decoder == "pnm")
        io::require_plausible_pnm(file, io::read_bytes(file, io::longest_pnm_header), size);
    if (decoder == "jpeg") io::require_plausible_jpeg(file, io::read_bytes(file));
    if (decoder == "openexr")
        io::require_plausible_exr(file, io::read_bytes(file, io::longest_exr_header), size);
}

// `page` is the place of a directory in a TIFF, or 0 for the first one.
Picture open_picture(const fs::path& file, bool whole, std::uint64_t page = 0) {
    Picture picture;
    picture.bytes = io::read_bytes(file, header_bytes);
    const char* decoder = decoder_for(file, picture.bytes);
    require_plausible_header(file, decoder, picture.bytes);
    picture.input = OIIO::ImageInput::create(decoder);
    if (!picture.input) refuse_picture(file, one_line(OIIO::geterror()));
    if (io::is_png(picture.bytes) && whole) {
        picture.bytes = io::read_bytes(file);
        io::require_intact_png(file, picture.bytes);
        picture.source = std::make_unique<OIIO::Filesystem::IOMemReader>(picture.bytes.data(),
                                                                         picture.bytes.size());
    }
    if (page > 0) picture.source = std::make_unique<io::TiffPage>(file, page);
    if (picture.source) picture.input->set_ioproxy(picture.source.get());
    picture.input->threads(1);  // views are read in parallel already
    OIIO::ImageSpec configuration;
    configuration["oiio:UnassociatedAlpha"] = 1;  // colours as stored, not multiplied by alpha
    if (!picture.input->open(file.string(), picture.spec, configuration)) {
        refuse_picture(file, one_line(picture.input->geterror()));
    }
    require_readable_layout(file, picture);
    return picture;
}

template <class Stored, class Convert>
Image decode(const fs::path& file, Picture& picture, OIIO::TypeDesc type, Convert convert) {
    Image image(picture.spec.width, picture.spec.height, picture.colours());
    std::vector<Stored> stored(image.values.size());
    // To convert, the library takes 64 MB for any picture, which is slow under the sanitizers and
    // may exceed a limit of addresses. Without a type it reads into our memory.
    const bool converts = picture.spec.format != type || !picture.spec.channelformats.empty();
    const bool done = picture.input->read_image(0, 0, 0, picture.colours(),
                                                converts ? type : OIIO::TypeDesc(), stored.data());
    // Some decoders fill the missing part of a damaged file, report success and leave a message.
    if (!done || picture.input->has_error())
        refuse_picture(file, one_line(picture.input->geterror()));
    std::transform(stored.begin(), stored.end(), image.values.begin(), convert);
    return image;
}

PixelFormat pixel_format(const OIIO::ImageSpec& spec) {
    const bool mixed = !spec.channelformats.empty();
    if (!mixed && spec.format == OIIO::TypeDesc::UINT8) return PixelFormat::bits8;
    if (!mixed && spec.format == OIIO::TypeDesc::UINT16) return PixelFormat::bits16;
    return PixelFormat::float32;
}

Image decode(const fs::path& file, Picture& picture) {
    switch (pixel_format(picture.spec)) {
        case PixelFormat::bits8:
            return decode<std::uint8_t>(file, picture, OIIO::TypeDesc::UINT8,
                                        [](std::uint8_t value) { return float(value); });
        case PixelFormat::bits16:
            return decode<std::uint16_t>(
                file, picture, OIIO::TypeDesc::UINT16,
                [](std::uint16_t value) { return float(value) * white / white_16_bit; });
        case PixelFormat::float32:
            break;
    }
    return decode<float>(file, picture, OIIO::TypeDesc::FLOAT,
                         [](float value) { return float(double(value) * 255.0); });
}

// Turns exceptions of decoders into Error(input).
template <class Body>
auto with_decoder_errors(const fs::path& file, Body body) {
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

bool is_pfm_file(const fs::path& file) {
    return io::is_pfm(io::read_bytes(file, 3));
}

}  // namespace

ImageInfo image_info(const fs::path& file) {
    return with_decoder_errors(file, [&] {
        if (is_pfm_file(file)) return io::pfm_info(file);
        const Picture picture = open_picture(file, false);
        return ImageInfo{picture.spec.width, picture.spec.height, picture.spec.nchannels,
                         pixel_format(picture.spec)};
    });
}

Image read_image(const fs::path& file) {
    return with_decoder_errors(file, [&] {
        if (is_pfm_file(file)) return read_pfm(file);
        Picture picture = open_picture(file, true);
        return decode(file, picture);
    });
}

namespace io {

Image through_jpeg(const Image& image, int quality) {
    const fs::path name = "picture.jpg";
    return with_decoder_errors(name, [&] {
        Picture picture;
        picture.bytes = encode_jpeg(image, quality);
        picture.source = std::make_unique<OIIO::Filesystem::IOMemReader>(picture.bytes.data(),
                                                                         picture.bytes.size());
        picture.input = OIIO::ImageInput::create("jpeg");
        if (!picture.input || !picture.input->set_ioproxy(picture.source.get()))
            refuse_picture(name, "the library for pictures cannot decode JPEG from memory");
        picture.input->threads(1);
        if (!picture.input->open(name.string(), picture.spec, OIIO::ImageSpec()))
            refuse_picture(name, one_line(picture.input->geterror()));
        return decode(name, picture);
    });
}

bool looks_like_picture(const fs::path& file) {
    const std::string first = read_bytes(file, header_bytes);
    return is_pfm(first) || known_decoder(first) != nullptr;
}

Pages::Pages(const fs::path& file) : file_(file), places_{0} {
    if (is_tiff(read_bytes(file, header_bytes))) places_ = tiff_pages(file);
}

Image Pages::read(int page) const {
    return with_decoder_errors(file_, [&] {
        if (page < 0 || std::size_t(page) >= places_.size())
            refuse_picture(file_, fmt::format("it has no page {}", page));
        if (places_.size() == 1) return read_image(file_);
        Picture picture = open_picture(file_, true, places_[std::size_t(page)]);
        return decode(file_, picture);
    });
}

std::string image_note(const fs::path& file) {
    return with_decoder_errors(file, [&]() -> std::string {
        if (is_pfm_file(file)) return {};
        const Picture picture = open_picture(file, false);
        return std::string(picture.spec.get_string_attribute("ImageDescription"));
    });
}

}  // namespace io

}  // namespace plenosr
