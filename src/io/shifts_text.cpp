#include "io/shifts_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

void refuse_shifts(const fs::path& file, const std::string& why) {
    throw Error(ErrorKind::input,
                fmt::format("The file {} is no list of shifts: {}.", file.string(), why));
}

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
        constexpr double farthest = 1e5;
        const auto value = [&](double& v) {
            std::istringstream number_text(word);
            number_text.imbue(std::locale::classic());
            if (!(number_text >> v) || !number_text.eof() || !(std::abs(v) <= farthest))
                refuse_shifts(file, fmt::format("line {} must be two numbers \"dx dy\"", number));
        };
        value(shift.x);
        if (!(words >> word)) word.clear();
        value(shift.y);
        if (words >> word)
            refuse_shifts(file, fmt::format("line {} must be two numbers \"dx dy\"", number));
        shifts.push_back(shift);
    }
    if (shifts.empty()) refuse_shifts(file, "it has no line \"dx dy\"");
    return shifts;
}

}  // namespace plenosr::io
