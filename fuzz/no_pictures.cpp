// PSFs may be pictures. Their decoders are not ours and not fuzzed here.
#include "base/file_errors.h"
#include "plenosr/io.h"

namespace plenosr {
namespace {

[[noreturn]] void refuse_picture(const std::filesystem::path& file) {
    refuse_file(file, "pictures are not read by fuzzing targets", "picture");
}

}  // namespace

Image read_image(const std::filesystem::path& file) {
    refuse_picture(file);
}

ImageInfo image_info(const std::filesystem::path& file) {
    refuse_picture(file);
}

}  // namespace plenosr
