#include "io/name_pattern.h"

#include <cmath>

#include "io/folder_layout.h"
#include "target.h"

// The first line is a pattern, the second a name. A pattern must match the names that it writes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const std::size_t end = text.find('\n');
        const std::string name = end == std::string::npos ? "1_2.png" : text.substr(end + 1);
        if (!name.empty()) io::parse_count(name, 1000);
        const io::NamePattern pattern(text.substr(0, end));
        if (const auto found = pattern.match(name)) {
            fuzz::require(found->row >= 0 && found->row <= io::NamePattern::largest);
            fuzz::require(found->col >= 0 && found->col <= io::NamePattern::largest);
            fuzz::require(std::isfinite(found->x) && std::isfinite(found->y));
        }
        const std::string extension = pattern.extension().empty() ? ".png" : pattern.extension();
        const auto own = pattern.match(pattern.name_of(12, 345) + extension);
        fuzz::require(own && own->row == 12 && own->col == 345);
    });
}
