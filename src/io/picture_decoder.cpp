#include "io/picture_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/file_errors.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/memory_limit.h"
#include "io/orientation.h"
#include "io/picture_headers.h"
#include "io/png_structure.h"
#include "io/tiff_page.h"
#include "io/unread_formats.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr float white = 255.0F;
constexpr float white_16_bit = 65535.0F;

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

const char* decoder_for(const fs::path& file, const std::string& first_bytes) {
    if (first_bytes.empty()) refuse_picture(file, "it is empty");
    if (const char* decoder = known_decoder(first_bytes)) return decoder;
    const std::string hint = unread_format_hint(file);
    refuse_picture(file, hint.empty() ? fmt::format("only {} are read", readable_pictures) : hint);
}

// The length of the shortest file that can hold these pixels.
double fewest_bytes(const OIIO::ImageSpec& spec) {
    if (spec.get_string_attribute("compression") != "none")
        return double(spec.image_bytes()) / double(decoder_best_ratio);
    // Palettes have one number per pixel, and the chroma of YCbCr may be sampled more coarsely.
    constexpr int palette = 3;
    constexpr int ycbcr = 6;
    const int type = spec.get_int_attribute("tiff:PhotometricInterpretation");
    const int samples = type == palette || type == ycbcr ? 1 : spec.nchannels;
    const int bits = spec.get_int_attribute("oiio:BitsPerSample", int(spec.format.size()) * 8);
    return double(spec.width) * spec.height * samples * bits / 8;
}

void require_readable_layout(const fs::path& file, const Picture& picture, Channels channels) {
    const OIIO::ImageSpec& spec = picture.spec;
    require_sane_size(file, spec.width, spec.height);
    const bool alpha_is_last = spec.alpha_channel < 0 || spec.alpha_channel == spec.nchannels - 1;
    const int colours = picture.colours();
    if (channels == Channels::flow) {
        if (spec.depth > 1 || spec.deep || colours != 2 || spec.alpha_channel >= 0)
            refuse_picture(file, fmt::format("it has {} channels; a flow has two, right and down",
                                             spec.nchannels));
    } else if (spec.depth > 1 || spec.deep || !alpha_is_last || (colours != 1 && colours != 3)) {
        refuse_picture(
            file, fmt::format("it has {} channels; it must be grey or RGB, with or without alpha",
                              spec.nchannels));
    }
    // The stored values with the image or, if it is turned, the image twice.
    const std::size_t value_bytes =
        sizeof(float) + (picture.orientation() == upright_orientation
                             ? spec.format.size()
                             : std::max(spec.format.size(), sizeof(float)));
    require_memory(file, "the picture",
                   double(spec.width) * spec.height * colours * double(value_bytes),
                   memory_limit(0));
    std::error_code error;
    if (fewest_bytes(spec) > double(fs::file_size(file, error))) {
        refuse_picture(file, fmt::format("it is too short for the {}x{} pixels that it claims",
                                         spec.width, spec.height));
    }
}

static_assert(picture_header_bytes >= longest_bmp_header);

// Before a decoder sees the file.
void require_plausible_header(const fs::path& file, std::string_view decoder,
                              const std::string& first_bytes) {
    if (decoder == "png") png_header(file, first_bytes);
    std::error_code error;
    const std::uintmax_t length = fs::file_size(file, error);
    const double size = error ? 0.0 : double(length);
    if (decoder == "bmp") require_plausible_bmp(file, first_bytes, size);
    if (decoder == "pnm") require_plausible_pnm(file, read_bytes(file, longest_pnm_header), size);
    if (decoder == "jpeg") require_plausible_jpeg(file, read_bytes(file));
    if (decoder == "openexr")
        require_plausible_exr(file, read_bytes(file, longest_exr_header), size);
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

}  // namespace

void refuse_picture(const fs::path& file, const std::string& reason) {
    refuse_file(file, reason, "picture");
}

const char* known_decoder(const std::string& first_bytes) {
    for (const Signature& signature : signatures) {
        if (first_bytes.starts_with(signature.bytes)) return signature.decoder;
    }
    return nullptr;
}

// Decoders may repeat a message for every row of pixels.
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

PixelFormat Picture::format() const {
    const bool mixed = !spec.channelformats.empty();
    if (!mixed && spec.format == OIIO::TypeDesc::UINT8) return PixelFormat::bits8;
    if (!mixed && spec.format == OIIO::TypeDesc::UINT16) return PixelFormat::bits16;
    return PixelFormat::float32;
}

// Only these formats define an orientation. OpenEXR may hold any attribute of that name.
int Picture::orientation() const {
    if (decoder != "jpeg" && decoder != "png" && decoder != "tiff") return upright_orientation;
    const int stored = spec.get_int_attribute("Orientation", upright_orientation);
    // For YCbCr, Lab and LogLuv the decoder uses a function of libtiff that mirrors the picture so
    // that its first pixel comes first, but does not exchange rows and columns.
    constexpr std::array<int, 6> mirrored_by_decoder = {6, 8, 9, 10, 32844, 32845};
    if (decoder != "tiff" || std::find(mirrored_by_decoder.begin(), mirrored_by_decoder.end(),
                                       spec.get_int_attribute("tiff:PhotometricInterpretation")) ==
                                 mirrored_by_decoder.end())
        return stored;
    if (!exchanges_sides(stored)) return upright_orientation;
    constexpr int exchanged = 5;
    constexpr int exchanged_and_turned = 7;
    return stored == 5 || stored == 7 ? exchanged : exchanged_and_turned;
}

Picture open_picture(const fs::path& file, bool whole, std::uint64_t page, Channels channels) {
    Picture picture;
    picture.bytes = read_bytes(file, picture_header_bytes);
    picture.decoder = decoder_for(file, picture.bytes);
    require_plausible_header(file, picture.decoder, picture.bytes);
    picture.input = OIIO::ImageInput::create(picture.decoder);
    if (!picture.input) refuse_picture(file, one_line(OIIO::geterror()));
    if (is_png(picture.bytes) && whole) {
        picture.bytes = read_bytes(file);
        require_intact_png(file, picture.bytes);
        picture.source = std::make_unique<OIIO::Filesystem::IOMemReader>(picture.bytes.data(),
                                                                         picture.bytes.size());
    }
    if (page > 0) picture.source = std::make_unique<TiffPage>(file, page);
    if (picture.source) picture.input->set_ioproxy(picture.source.get());
    picture.input->threads(1);  // views are read in parallel already
    OIIO::ImageSpec configuration;
    configuration["oiio:UnassociatedAlpha"] = 1;  // colours as stored, not multiplied by alpha
    if (!picture.input->open(file.string(), picture.spec, configuration)) {
        refuse_picture(file, one_line(picture.input->geterror()));
    }
    require_readable_layout(file, picture, channels);
    return picture;
}

Image decode(const fs::path& file, Picture& picture, Channels channels) {
    if (channels == Channels::flow)
        return decode<float>(file, picture, OIIO::TypeDesc::FLOAT,
                             [](float value) { return value; });
    switch (picture.format()) {
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

}  // namespace plenosr::io
