#include "io/exif.h"

#include "io/metadata.h"
#include "target.h"

// The input is a block of tags, a JPEG or a PNG with such a block, or a file that gets one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        for (const std::string_view block :
             {std::string_view(bytes), io::exif_in_jpeg(bytes), io::exif_in_png(bytes)}) {
            const io::ExifTags tags = io::parse_exif(block);
            const std::string formatted = io::format_exif(tags);
            fuzz::require(formatted.empty() == tags.empty());
            fuzz::require(formatted.size() < 65000);  // a segment of a JPEG holds it
            fuzz::require(io::parse_exif(formatted) == tags);
        }
        const std::string camera = io::format_exif({{{271, 2, std::string("C\0", 2)}}, {}});
        const std::string marked = io::with_metadata(bytes, {camera, std::string(200, 'p')});
        if (bytes.starts_with("\xff\xd8")) fuzz::require(io::exif_in_jpeg(marked) == camera);
    });
}
