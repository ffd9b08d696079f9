#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/file_errors.h"
#include "base/output_batch.h"
#include "base/temporary.h"
#include "io/exif.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/jpeg.h"
#include "io/metadata.h"
#include "io/pfm.h"
#include "io/quantise.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_picture(const fs::path& file, const std::string& reason) {
    refuse_output(file, reason, "picture");
}

// What an extension supports.
struct Encoding {
    const char* extension;
    const char* encoder;  // of the library; nullptr: ours
    bool bits8;
    bool bits16;
    bool floats;
    bool lossy;
    int longest_side_px;
};
constexpr int no_limit = std::numeric_limits<int>::max();
constexpr std::array encodings = {
    Encoding{".png", "png", true, true, false, false, no_limit},
    Encoding{".tif", "tiff", true, true, true, false, no_limit},
    Encoding{".tiff", "tiff", true, true, true, false, no_limit},
    Encoding{".jpg", "jpeg", true, false, false, true, 65500},
    Encoding{".jpeg", "jpeg", true, false, false, true, 65500},
    Encoding{".webp", "webp", true, false, false, true, 16383},
    Encoding{".exr", "openexr", false, false, true, false, no_limit},
    Encoding{".pfm", nullptr, false, false, true, false, no_limit},
};

const Encoding* encoding_of(const fs::path& file, PixelFormat format) {
    std::string extension = io::lower_extension(file);
    if (is_standard_output(file)) extension = io::extension_of(format);
    const auto found = std::find_if(encodings.begin(), encodings.end(),
                                    [&](const Encoding& e) { return extension == e.extension; });
    return found == encodings.end() ? nullptr : &*found;
}

bool allows(const Encoding& encoding, PixelFormat format) {
    if (format == PixelFormat::float32) return encoding.floats;
    return format == PixelFormat::bits16 ? encoding.bits16 : encoding.bits8;
}

const char* words_for(PixelFormat format) {
    if (format == PixelFormat::float32) return "floats";
    return format == PixelFormat::bits16 ? "16 bits" : "8 bits";
}

// The encoding for a name and a format; Error(output) if there is none.
const Encoding& required_encoding(const fs::path& file, PixelFormat format) {
    const Encoding* encoding = encoding_of(file, format);
    if (encoding != nullptr && allows(*encoding, format)) return *encoding;
    std::string names;
    for (const Encoding& e : encodings)
        if (allows(e, format)) names += (names.empty() ? "" : ", ") + std::string(e.extension);
    refuse_picture(file, fmt::format("pictures of {} are written as {}; its name must end in one "
                                     "of these",
                                     words_for(format), names));
}

// How the library encodes a picture.
struct Settings {
    std::string note;
    std::string compression = "zip";    // lossless, for TIFF and EXR; "jpeg:95"
    std::string subsampling = "4:4:4";  // of the colours of a JPEG
};

// `pages` have the size and channels of `image`; there are several in a TIFF alone.
template <class Stored>
std::string encode(const fs::path& file, const char* encoder, const Image& image,
                   const std::vector<std::vector<Stored>>& pages, OIIO::TypeDesc type,
                   const Settings& settings) {
    OIIO::ImageSpec spec(image.width, image.height, image.channels, type);
    constexpr int deflate_level = 3;  // of 9: four times as fast as 6, files 5 % larger
    spec["png:compressionLevel"] = deflate_level;
    spec["compression"] = settings.compression;
    spec["jpeg:subsampling"] = settings.subsampling;
    if (type == OIIO::TypeDesc::FLOAT) spec["tiff:predictor"] = 1;  // none: widely supported
    if (!settings.note.empty()) spec["ImageDescription"] = settings.note;
    // The encoders would write the present time: the same picture must give the same bytes.
    spec["DateTime"] = io::no_date;
    const auto output = OIIO::ImageOutput::create(encoder);
    if (!output) refuse_picture(file, OIIO::geterror());
    output->threads(1);  // views are written in parallel already
    const auto write_to = [&](const std::string& name) {
        auto mode = OIIO::ImageOutput::Create;
        for (const std::vector<Stored>& page : pages) {
            if (!output->open(name, spec, mode) || !output->write_image(type, page.data()))
                refuse_picture(file, output->geterror());
            mode = OIIO::ImageOutput::AppendSubimage;
        }
        if (!output->close()) refuse_picture(file, output->geterror());
    };
    if (output->supports("ioproxy") && pages.size() == 1) {
        std::vector<unsigned char> bytes;
        OIIO::Filesystem::IOVecOutput memory(bytes);
        output->set_ioproxy(&memory);
        write_to(std::string("memory.") + encoder);
        return {bytes.begin(), bytes.end()};
    }
    // The encoder cannot write to memory, or cannot append to it.
    int descriptor = -1;
    const auto temporary =
        Temporary::file(fs::temp_directory_path() / file.filename(), file, descriptor);
    ::close(descriptor);
    write_to(temporary.path().string());
    return io::read_bytes(temporary.path());
}

}  // namespace

namespace io {

std::string encode_image(const fs::path& file, const Image& image, PixelFormat format,
                         const std::string& note) {
    ImageEncoding encoding;
    encoding.format = format;
    return encode_image(file, image, encoding, note);
}

std::string encode_image(const fs::path& file, const Image& image, const ImageEncoding& given,
                         const std::string& note) {
    return encode_pages(file, {&image}, given, note);
}

std::string encode_pages(const fs::path& file, const std::vector<const Image*>& pages,
                         const ImageEncoding& given, const std::string& note) {
    const Image& image = *pages.front();
    const Encoding& encoding = required_encoding(file, given.format);
    if (encoding.encoder == nullptr) return encode_pfm(file, image);
    if (image.empty() || (image.channels != 1 && image.channels != 3)) {
        refuse_picture(
            file, fmt::format("an image of {}x{} pixels and {} channels is neither grey nor RGB",
                              image.width, image.height, image.channels));
    }
    require_encoding(file, given.format, image.width, image.height);
    const bool has_no_grey = encoding.encoder == std::string_view("webp");
    if (has_no_grey && image.channels == 1)
        return encode_image(file, merge_channels({image, image, image}), given, note);
    Settings settings{note};
    if (encoding.lossy)
        settings.compression = fmt::format("{}:{}", encoding.encoder, given.quality);
    Metadata metadata = given.metadata;
    if (!is_profile(metadata.icc_profile, image.channels)) metadata.icc_profile.clear();
    const auto encoded = [&](const auto& stored_of, OIIO::TypeDesc type) {
        std::vector<decltype(stored_of(image))> stored;
        stored.reserve(pages.size());
        for (const Image* page : pages)
            stored.push_back(stored_of(*page));
        return with_metadata(encode(file, encoding.encoder, image, stored, type, settings),
                             metadata);
    };
    switch (given.format) {
        case PixelFormat::bits8:
            return encoded([&](const Image& page) { return quantised<std::uint8_t>(file, page); },
                           OIIO::TypeDesc::UINT8);
        case PixelFormat::bits16:
            return encoded([&](const Image& page) { return quantised<std::uint16_t>(file, page); },
                           OIIO::TypeDesc::UINT16);
        case PixelFormat::float32:
            break;
    }
    return encoded(one_is_white, OIIO::TypeDesc::FLOAT);
}

std::string encode_jpeg(const Image& image, int quality) {
    const fs::path name = "picture.jpg";
    const std::vector<std::vector<std::uint8_t>> pages = {quantised<std::uint8_t>(name, image)};
    return encode(name, "jpeg", image, pages, OIIO::TypeDesc::UINT8,
                  {{}, fmt::format("jpeg:{}", quality), "4:2:0"});
}

}  // namespace io

void write_image(const fs::path& file, const Image& image, PixelFormat format) {
    write_output_file(file, io::encode_image(file, image, format));
}

void write_image(const fs::path& file, const Image& image, const ImageEncoding& encoding) {
    write_output_file(file, io::encode_image(file, image, encoding));
}

PixelFormat usual_format(const fs::path& file) {
    const Encoding* encoding = encoding_of(file, PixelFormat::bits8);
    return encoding == nullptr || encoding->bits8 ? PixelFormat::bits8 : PixelFormat::float32;
}

bool is_lossy(const fs::path& file) {
    const Encoding* encoding = encoding_of(file, PixelFormat::bits8);
    return encoding != nullptr && encoding->lossy;
}

void require_encoding(const fs::path& file, PixelFormat format, int width, int height) {
    const Encoding& encoding = required_encoding(file, format);
    if (std::max(width, height) > encoding.longest_side_px)
        refuse_picture(file,
                       fmt::format("{}x{} pixels are too many for {}, which has at most {} "
                                   "per side; .png and .tif have no such limit",
                                   width, height, encoding.extension, encoding.longest_side_px));
}

}  // namespace plenosr
