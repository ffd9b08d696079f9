#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/file_errors.h"
#include "base/output_batch.h"
#include "base/temporary.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/jpeg.h"
#include "io/pfm.h"
#include "io/quantise.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_picture(const fs::path& file, const std::string& reason) {
    refuse_output(file, reason, "picture");
}

// The pixel formats that an extension supports.
struct Encoding {
    const char* extension;
    const char* encoder;
    bool whole_numbers;
    bool floats;
};
constexpr std::array encodings = {
    Encoding{".png", "png", true, false},
    Encoding{".tif", "tiff", true, true},
    Encoding{".tiff", "tiff", true, true},
    Encoding{".exr", "openexr", false, true},
};

const Encoding* encoding_of(const std::string& extension) {
    const auto found = std::find_if(encodings.begin(), encodings.end(),
                                    [&](const Encoding& e) { return extension == e.extension; });
    return found == encodings.end() ? nullptr : &*found;
}

template <class Stored>
std::string encode(const fs::path& file, const char* encoder, const Image& image,
                   const std::vector<Stored>& stored, OIIO::TypeDesc type, const std::string& note,
                   const std::string& compression = "zip") {
    OIIO::ImageSpec spec(image.width, image.height, image.channels, type);
    constexpr int deflate_level = 3;  // of 9: four times as fast as 6, files 5 % larger
    spec["png:compressionLevel"] = deflate_level;
    spec["compression"] = compression;  // zip: lossless, for TIFF and EXR
    if (compression != "zip") spec["jpeg:subsampling"] = "4:2:0";   // colours at half resolution
    if (type == OIIO::TypeDesc::FLOAT) spec["tiff:predictor"] = 1;  // none: widely supported
    if (!note.empty()) spec["ImageDescription"] = note;
    // The encoders would write the present time: the same picture must give the same bytes.
    spec["DateTime"] = "1970:01:01 00:00:00";
    const auto output = OIIO::ImageOutput::create(encoder);
    if (!output) refuse_picture(file, OIIO::geterror());
    output->threads(1);  // views are written in parallel already
    const auto write_to = [&](const std::string& name) {
        if (!output->open(name, spec) || !output->write_image(type, stored.data()) ||
            !output->close()) {
            refuse_picture(file, output->geterror());
        }
    };
    if (output->supports("ioproxy")) {
        std::vector<unsigned char> bytes;
        OIIO::Filesystem::IOVecOutput memory(bytes);
        output->set_ioproxy(&memory);
        write_to(std::string("memory.") + encoder);
        return {bytes.begin(), bytes.end()};
    }
    // The encoder cannot write to memory.
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
    const std::string extension = lower_extension(file);
    const bool floats = format == PixelFormat::float32;
    if (floats && extension == ".pfm") return encode_pfm(file, image);
    const Encoding* encoding = encoding_of(extension);
    if (encoding == nullptr || !(floats ? encoding->floats : encoding->whole_numbers)) {
        refuse_picture(file,
                       fmt::format("pictures of {} are written as {}; its name must end in one "
                                   "of these",
                                   floats ? "floats" : "8 or 16 bit",
                                   floats ? ".pfm, .exr, .tif" : ".png, .tif"));
    }
    if (image.empty() || (image.channels != 1 && image.channels != 3)) {
        refuse_picture(
            file, fmt::format("an image of {}x{} pixels and {} channels is neither grey nor RGB",
                              image.width, image.height, image.channels));
    }
    switch (format) {
        case PixelFormat::bits8:
            return encode(file, encoding->encoder, image, quantised<std::uint8_t>(file, image),
                          OIIO::TypeDesc::UINT8, note);
        case PixelFormat::bits16:
            return encode(file, encoding->encoder, image, quantised<std::uint16_t>(file, image),
                          OIIO::TypeDesc::UINT16, note);
        case PixelFormat::float32:
            break;
    }
    return encode(file, encoding->encoder, image, one_is_white(image), OIIO::TypeDesc::FLOAT, note);
}

std::string encode_jpeg(const Image& image, int quality) {
    const fs::path name = "picture.jpg";
    return encode(name, "jpeg", image, quantised<std::uint8_t>(name, image), OIIO::TypeDesc::UINT8,
                  {}, fmt::format("jpeg:{}", quality));
}

}  // namespace io

void write_image(const fs::path& file, const Image& image, PixelFormat format) {
    write_output_file(file, io::encode_image(file, image, format));
}

}  // namespace plenosr
