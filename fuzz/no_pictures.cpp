// PSFs may be pictures. Their decoders are not ours and not fuzzed here.
#include "base/file_errors.h"
#include "plenosr/io.h"

namespace plenosr {

Image read_image(const std::filesystem::path& file) {
    refuse_file(file, "pictures are not read by fuzzing targets", "picture");
}

}  // namespace plenosr
