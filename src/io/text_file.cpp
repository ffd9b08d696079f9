#include "base/output_batch.h"
#include "plenosr/io.h"

namespace plenosr {

void write_text_file(const std::filesystem::path& file, const std::string& text) {
    write_output_file(file, text);
}

}  // namespace plenosr
