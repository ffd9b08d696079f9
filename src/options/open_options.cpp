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

// Reads whole numbers from a text such as "WxH+X+Y"; `marks` are the characters between them.
bool parse_numbers(const std::string& text, const std::string& marks, std::vector<int*> numbers) {
    const char* at = text.data();
    const char* end = at + text.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0 && (at == end || *at++ != marks[i - 1])) return false;
        const auto [stop, error] = std::from_chars(at, end, *numbers[i]);
        if (error != std::errc() || *numbers[i] < 0) return false;
        at = stop;
    }
    return at == end;
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
        {"crop", "WxH+X+Y",
         "use this part of each view alone, in pixels of the views from the top left; maps and "
         "true pictures of the whole views are cropped as well",
         [](O& o, const std::string& text) {
             Box& c = o.crop;
             if (text == "none")
                 c = {};
             else if (!parse_numbers(text, "x++", {&c.width, &c.height, &c.x0, &c.y0}) ||
                      c.width < 1 || c.height < 1)
                 refuse("crop", text, "width x height + x + y in pixels, e.g. 256x256+128+64");
         },
         [](const O& o) {
             const Box& c = o.crop;
             return c.width == 0 ? std::string("none")
                                 : fmt::format("{}x{}+{}+{}", c.width, c.height, c.x0, c.y0);
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
