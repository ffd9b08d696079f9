#include "options/option_list.h"

namespace plenosr {

namespace {

// Whole numbers of a text like "WxH+X+Y", whose other characters are `marks` in order.
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

template <class O, class E>
Option<O> choice_or_input(std::string name, std::optional<E> O::*field,
                          std::vector<std::pair<std::string, E>> names, std::string description) {
    std::string values = "input";
    for (const auto& entry : names)
        values += "|" + entry.first;
    return {name, values, std::move(description),
            [=](O& o, const std::string& text) {
                if (text == "input") return (o.*field).reset();
                for (const auto& [word, value] : names)
                    if (word == text) return void(o.*field = value);
                refuse(name, text, "one of " + values);
            },
            [=](const O& o) {
                for (const auto& [word, value] : names)
                    if (o.*field && value == *(o.*field)) return word;
                return std::string("input");
            }};
}

}  // namespace

const std::vector<Option<ConvertOptions>>& convert_options() {
    using O = ConvertOptions;
    static const std::vector<Option<O>> list = {
        words("to", "auto|NAME", &O::to,
              "layout of the output; auto goes by its name: .npy, .h5, a picture (mosaic), else a "
              "folder (hci, or list where views lie between places)"),
        words("views", "3x3|5x5|7x7|9x9|star17|cross5|all|LIST", &O::views,
              "the views to keep: NxN around the centre, star17, cross5, all, or a list "
              "'R,C;R,C;...'"),
        {"crop", "WxH+X+Y", "the part of each view to keep, in pixels from the top left",
         [](O& o, const std::string& text) {
             LightFieldIndex::Crop& c = o.crop;
             if (text == "none")
                 c = {};
             else if (!parse_numbers(text, "x++", {&c.width, &c.height, &c.x, &c.y}) ||
                      c.width < 1 || c.height < 1)
                 refuse("crop", text, "width x height + x + y in pixels, e.g. 256x256+128+64");
         },
         [](const O& o) {
             const LightFieldIndex::Crop& c = o.crop;
             return c.width == 0 ? std::string("none")
                                 : fmt::format("{}x{}+{}+{}", c.width, c.height, c.x, c.y);
         }},
        number("resize", "X", &O::resize, between(0.001, 64.0),
               "how many times as many pixels along each axis, by cubic interpolation that does "
               "not alias; disparity follows"),
        choice("equalise", &O::equalise, {{"on", true}, {"off", false}},
               "multiply each view and channel so that its mean is the centre view's, against "
               "vignetting"),
        choice_or_input("colour-space", &O::colour_space,
                        {{"srgb", ColourSpace::srgb}, {"linear", ColourSpace::linear}},
                        "convert by the sRGB curve; what the input has is told by its manifest, "
                        "else srgb, and linear for OpenEXR"),
        choice_or_input("bits", &O::bits,
                        {{"8", PixelFormat::bits8},
                         {"16", PixelFormat::bits16},
                         {"float", PixelFormat::float32}},
                        "depth of the output"),
        choice("encoding", &O::encoding,
               {{"auto", std::string("auto")},
                {"png", std::string("png")},
                {"tif", std::string("tif")},
                {"exr", std::string("exr")},
                {"pfm", std::string("pfm")}},
               "of the pictures in a folder; auto is png, and pfm for float"),
        words("names", "NAME", &O::names,
              "how the views of a row_col folder are named, e.g. 'SAI_{row:2}_{col:2}.png'"),
    };
    return list;
}

}  // namespace plenosr
