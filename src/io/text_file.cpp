#include "base/atomic_file.h"
#include "plenosr/io.h"

namespace plenosr {

void write_text_file(const std::filesystem::path& file, const std::string& text) {
    write_file_atomically(file, text);
}

}  // namespace plenosr
