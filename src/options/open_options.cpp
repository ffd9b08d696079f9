#include "options/option_list.h"

namespace plenosr {

namespace {

// "RxC", or "N" for NxN; false for other text.
bool parse_grid(const std::string& text, int& rows, int& cols) {
    constexpr int most = 10000;
    const auto parse = [](const std::string& digits, int& number) {
        const char* end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, number);
        return error == std::errc() && stop == end && number >= 1 && number <= most;
    };
    const std::size_t cross = text.find('x');
    return parse(text.substr(0, cross), rows) &&
           parse(cross == std::string::npos ? text : text.substr(cross + 1), cols);
}

}  // namespace

const std::vector<Option<OpenOptions>>& open_options() {
    using O = OpenOptions;
    static const std::vector<Option<O>> list = {
        words("format", "auto|NAME", &O::format,
              "format of the input; auto recognises it by content and file names "
              "(`plenosr info --formats` lists the formats)"),
        {"grid", "RxC",
         "rows and columns of views, for inputs that do not record them: a mosaic, a lenslet "
         "picture or a plain list of pictures",
         [](O& o, const std::string& text) {
             if (text == "auto")
                 o.rows = o.cols = 0;
             else if (!parse_grid(text, o.rows, o.cols))
                 refuse("grid", text, "rows x columns of views, e.g. 14x14");
         },
         [](const O& o) {
             return o.rows == 0 ? std::string("auto") : fmt::format("{}x{}", o.rows, o.cols);
         },
         true},
        words("pattern", "NAME", &O::pattern,
              "file names of the views in a folder, e.g. 'SAI_{row}_{col}.png'"),
        choice(
            "order", &O::check_order, {{"auto", true}, {"given", false}},
            "order of the views: auto corrects exchanged or mirrored rows and columns, and a map "
            "of the wrong sign, if the parallax of the views shows them (reconstruct, disparity "
            "and convert); given keeps the order of the file names"),
    };
    return list;
}

}  // namespace plenosr
