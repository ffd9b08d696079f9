#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plenosr::io {

// A pattern for file names that contain the position of a view: text with fields in braces.
//   {row} {col}  digits; {row:3} writes at least three
//   {y} {x}      real numbers
//   {name}       text that begins with a letter
// A pattern without an extension matches every picture extension.
class NamePattern {
public:
    struct Match {
        int row = 0;
        int col = 0;
        double y = 0;
        double x = 0;
        std::string name;
    };

    // Error(invalid_option) if the text is not a valid pattern.
    explicit NamePattern(const std::string& text);

    // Nothing if the name does not match, or if its row or column exceeds `largest`.
    std::optional<Match> match(const std::string& file_name) const;
    // The file name without extension. Error(output) if the pattern has fields besides row and col.
    std::string name_of(int row, int col) const;
    // The extension in the pattern, or "".
    const std::string& extension() const { return extension_; }

    // Larger numbers are dates and times, e.g. of photographs.
    static constexpr int largest = 9999;

private:
    enum class Field { text, row, col, y, x, name };
    struct Part {
        Field field = Field::text;
        std::string text;
        int digits = 1;
    };
    static bool continues_number(Field field, std::string_view text);
    void add_field(const std::string& whole, std::string_view name);
    bool match_from(std::size_t part, std::string_view rest, Match& found) const;

    std::string text_;
    std::string extension_;
    std::vector<Part> parts_;
};

}  // namespace plenosr::io
