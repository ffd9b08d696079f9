#include "io/shifts_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

#include "base/file_errors.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

// The numbers of a line. False if a word is no number or lies beyond farthest_shift_px.
bool parse_numbers(std::string line, std::vector<double>& numbers) {
    constexpr std::size_t most = 9;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        std::istringstream text(word);
        text.imbue(std::locale::classic());
        double value = 0;
        if (numbers.size() == most || !(text >> value) || !text.eof() ||
            !(std::abs(value) <= farthest_shift_px))
            return false;
        numbers.push_back(value);
    }
    return true;
}

// Lines of three numbers that follow one another.
struct Block {
    int line = 0;  // the first one
    std::vector<double> numbers;

    // Adds its matrices and empties it.
    void finish(const fs::path& file, std::vector<FrameMotion>& motions) {
        const std::size_t lines = numbers.size() / 3;
        const std::size_t rows = lines == 2 ? 2 : 3;
        if (lines % rows != 0)
            refuse_file(file,
                        fmt::format("the {} lines of three numbers from line {} on are no whole "
                                    "matrices of three lines",
                                    lines, line),
                        shifts_kind);
        for (std::size_t at = 0; at < numbers.size(); at += 3 * rows)
            motions.push_back(motion_of(file,
                                        {numbers.begin() + std::ptrdiff_t(at),
                                         numbers.begin() + std::ptrdiff_t(at + 3 * rows)},
                                        fmt::format("at line {}", line + int(at / 3))));
        numbers.clear();
    }
};

}  // namespace

FrameMotion motion_of(const fs::path& file, const std::vector<double>& numbers,
                      const std::string& where) {
    if (numbers.size() == 2) return FrameMotion::translation(numbers[0], numbers[1]);
    FrameMotion motion;
    std::copy(numbers.begin(), numbers.end(), motion.matrix.begin());
    std::array<double, 9>& m = motion.matrix;
    const auto refuse = [&](const char* reason) {
        refuse_file(file, fmt::format("the matrix {} {}", where, reason), shifts_kind);
    };
    constexpr double least_unit = 1e-9;
    if (!std::all_of(m.begin(), m.end(), [](double v) { return std::isfinite(v); }) ||
        std::abs(m[8]) < least_unit)
        refuse("must have finite numbers, and the last one of nine must not be 0");
    if (m[8] != 1)
        for (double& value : m)
            value /= m[8];
    constexpr double least_zoom = 1e-3;  // in area
    constexpr double most_zoom = 1e3;
    const double zoom = m[0] * m[4] - m[1] * m[3];
    if (!(zoom >= least_zoom && zoom <= most_zoom))
        refuse(fmt::format("changes areas by {:.3g}; a camera that only moves keeps them nearly "
                           "as they are",
                           zoom)
                   .c_str());
    return motion;
}

std::vector<FrameMotion> parse_motions(const fs::path& file, const std::string& text) {
    std::vector<FrameMotion> motions;
    Block block;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::vector<double> numbers;
        const bool good = parse_numbers(line.substr(0, line.find('#')), numbers);
        const std::size_t count = numbers.size();
        if (!good || (count != 0 && count != 2 && count != 3 && count != 6 && count != 9))
            refuse_file(file,
                        fmt::format("line {} must be two numbers \"dx dy\", a matrix of six or "
                                    "nine numbers, or three numbers of a matrix",
                                    number),
                        shifts_kind);
        if (count == 3) {
            if (block.numbers.empty()) block.line = number;
            block.numbers.insert(block.numbers.end(), numbers.begin(), numbers.end());
            continue;
        }
        block.finish(file, motions);
        if (count > 0)
            motions.push_back(motion_of(file, numbers, fmt::format("in line {}", number)));
    }
    block.finish(file, motions);
    if (motions.empty()) refuse_file(file, "it has no line \"dx dy\"", shifts_kind);
    return motions;
}

}  // namespace plenosr::io
