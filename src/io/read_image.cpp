#include <fmt/format.h>

#include <fstream>

#include "io/exif.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/jpeg.h"
#include "io/metadata.h"
#include "io/orientation.h"
#include "io/pfm.h"
#include "io/picture_decoder.h"
#include "io/tiff_pages.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

bool is_pfm_file(const fs::path& file) {
    return io::is_pfm(io::read_bytes(file, 3));
}

Image read_upright(const fs::path& file, std::uint64_t page = 0) {
    io::Picture picture = io::open_picture(file, true, page);
    const int orientation = picture.orientation();
    return io::upright(io::decode(file, picture), orientation);
}

// The place of a page's directory; 0 for the only one.
std::uint64_t place_of_page(const fs::path& file, int page) {
    if (page == 0) return 0;
    const std::vector<std::uint64_t> places =
        io::is_tiff(io::read_bytes(file, io::longest_tiff_header)) ? io::tiff_pages(file)
                                                                   : std::vector<std::uint64_t>{0};
    if (page < 0 || std::size_t(page) >= places.size())
        io::refuse_picture(file, fmt::format("it has no page {}", page));
    return places[std::size_t(page)];
}

std::string exif_of(const fs::path& file, const io::Picture& picture, std::uint64_t page) {
    if (picture.decoder == "jpeg")
        return format_exif(io::parse_exif(io::exif_in_jpeg(io::read_bytes(file))));
    if (picture.decoder == "png")
        return format_exif(io::parse_exif(io::exif_in_png(io::read_bytes(file))));
    if (picture.decoder != "tiff") return {};
    std::ifstream stream(file, std::ios::binary);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error || !stream) return {};
    const auto read_at = [&](std::uint64_t place, char* to, std::size_t count) {
        stream.seekg(std::streamoff(place));
        return bool(stream.read(to, std::streamsize(count)));
    };
    return format_exif(io::parse_exif(size, read_at, page));
}

std::string profile_of(const io::Picture& picture) {
    const OIIO::ParamValue* stored = picture.spec.find_attribute("ICCProfile");
    if (stored == nullptr || stored->type().basetype != OIIO::TypeDesc::UINT8) return {};
    const std::string_view bytes(static_cast<const char*>(stored->data()),
                                 std::size_t(stored->datasize()));
    return io::is_profile(bytes, picture.colours()) ? std::string(bytes) : std::string();
}

}  // namespace

ImageInfo image_info(const fs::path& file) {
    return io::with_decoder_errors(file, [&] {
        if (is_pfm_file(file)) return io::pfm_info(file);
        const io::Picture picture = io::open_picture(file, false);
        ImageInfo info{picture.spec.width, picture.spec.height, picture.spec.nchannels,
                       picture.format()};
        if (io::exchanges_sides(picture.orientation())) std::swap(info.width, info.height);
        return info;
    });
}

Image read_image(const fs::path& file) {
    return io::with_decoder_errors(file, [&] {
        if (is_pfm_file(file)) return read_pfm(file);
        return read_upright(file);
    });
}

Metadata read_metadata(const fs::path& file, int page) {
    return io::with_decoder_errors(file, [&] {
        if (is_pfm_file(file)) return Metadata();
        const std::uint64_t place = place_of_page(file, page);
        const io::Picture picture = io::open_picture(file, false, place);
        return Metadata{exif_of(file, picture, place), profile_of(picture)};
    });
}

Metadata read_metadata(const LightFieldIndex& index, ViewPosition position) {
    const LightFieldIndex::Entry* entry = index.find(position);
    if (entry == nullptr || index.format == "array" || !io::looks_like_picture(entry->file))
        return {};
    return read_metadata(entry->file, index.format == "pages" ? entry->part : 0);
}

std::vector<Metadata> metadata_of_views(const LightFieldIndex& index) {
    std::vector<Metadata> all;
    all.reserve(index.views.size());
    for (const LightFieldIndex::Entry& entry : index.views) {
        const bool same_picture = !all.empty() && index.format != "pages" &&
                                  entry.file == index.views[all.size() - 1].file;
        all.push_back(same_picture ? all.back() : read_metadata(index, entry.position));
    }
    return all;
}

namespace io {

namespace {

// The pixels of a file in memory that this library has written.
Image decoded(const fs::path& name, std::string bytes, const std::string& decoder) {
    return with_decoder_errors(name, [&] {
        Picture picture;
        picture.bytes = std::move(bytes);
        picture.source = std::make_unique<OIIO::Filesystem::IOMemReader>(picture.bytes.data(),
                                                                         picture.bytes.size());
        picture.input = OIIO::ImageInput::create(decoder);
        if (!picture.input || !picture.input->set_ioproxy(picture.source.get()))
            refuse_picture(
                name,
                fmt::format("the library for pictures cannot decode {} from memory", decoder));
        picture.input->threads(1);
        if (!picture.input->open(name.string(), picture.spec, OIIO::ImageSpec()))
            refuse_picture(name, one_line(picture.input->geterror()));
        return decode(name, picture);
    });
}

}  // namespace

Image through_jpeg(const Image& image, int quality) {
    return decoded("picture.jpg", encode_jpeg(image, quality), "jpeg");
}

Image through_lossy_file(const Image& image, const fs::path& file, const ImageEncoding& encoding) {
    ImageEncoding pixels = encoding;
    pixels.metadata = {};
    const std::string bytes = encode_image(file, image, pixels);
    Image stored = decoded(file, bytes, bytes.starts_with("RIFF") ? "webp" : "jpeg");
    // WebP has no grey.
    return stored.channels == image.channels ? stored : channel(stored, 0);
}

Image read_exr_flow(const fs::path& file) {
    return with_decoder_errors(file, [&] {
        Picture picture = open_picture(file, true, 0, Channels::flow);
        return decode(file, picture, Channels::flow);
    });
}

bool looks_like_picture(const fs::path& file) {
    const std::string first = read_bytes(file, picture_header_bytes);
    return is_pfm(first) || known_decoder(first) != nullptr;
}

Pages::Pages(const fs::path& file) : file_(file), places_{0} {
    if (is_tiff(read_bytes(file, longest_tiff_header))) places_ = tiff_pages(file);
}

Image Pages::read(int page) const {
    return with_decoder_errors(file_, [&] {
        if (page < 0 || std::size_t(page) >= places_.size())
            refuse_picture(file_, fmt::format("it has no page {}", page));
        if (places_.size() == 1) return read_image(file_);
        return read_upright(file_, places_[std::size_t(page)]);
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
