#include "io/shifts_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

#include "base/file_errors.h"

namespace plenosr::io {

namespace fs = std::filesystem;

std::vector<Place> parse_shifts(const fs::path& file, const std::string& text) {
    std::vector<Place> shifts;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        line = line.substr(0, line.find('#'));
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        std::string word;
        if (!(words >> word)) continue;
        Place shift;
        constexpr double farthest_px = 1e5;  // beyond any frame; a larger value is a mistake
        const auto refuse_line = [&] {
            refuse_file(file, fmt::format("line {} must be two numbers \"dx dy\"", number),
                        shifts_kind);
        };
        const auto value = [&](double& v) {
            std::istringstream number_text(word);
            number_text.imbue(std::locale::classic());
            if (!(number_text >> v) || !number_text.eof() || !(std::abs(v) <= farthest_px))
                refuse_line();
        };
        value(shift.x);
        if (!(words >> word)) word.clear();
        value(shift.y);
        if (words >> word) refuse_line();
        shifts.push_back(shift);
    }
    if (shifts.empty()) refuse_file(file, "it has no line \"dx dy\"", shifts_kind);
    return shifts;
}

}  // namespace plenosr::io
