#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plenosr::io {

// File names that tell the place of a view: text with fields in braces.
//   {row} {col}  digits; {row:3} writes at least three of them
//   {y} {x}      real numbers
//   {name}       any text that begins with a letter
// Without an extension, a pattern stands for the names of pictures of any kind.
class NamePattern {
public:
    struct Match {
        int row = 0;
        int col = 0;
        double y = 0;
        double x = 0;
        std::string name;
    };

    // Error(invalid_option) says what is wrong with the text.
    explicit NamePattern(const std::string& text);

    // Nothing if this is no name of the pattern; rows and columns beyond 9999 are none.
    std::optional<Match> match(const std::string& file_name) const;
    // The stem of a name, without extension. Error(output) if a field has no value here.
    std::string name_of(int row, int col) const;
    // The extension in the pattern, or "".
    const std::string& extension() const { return extension_; }

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
