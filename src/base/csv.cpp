#include "plenosr/csv.h"

namespace plenosr {

std::string csv_field(std::string text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    for (std::size_t i = 0; (i = text.find('"', i)) != std::string::npos; i += 2)
        text.insert(i, 1, '"');
    return '"' + text + '"';
}

}  // namespace plenosr
