#include "options/option_list.h"

namespace plenosr {

const std::vector<Option<ConvertOptions>>& convert_options() {
    using O = ConvertOptions;
    static const std::vector<Option<O>> list = {
        basic(words("to", "auto|NAME", &O::to,
                    "format of the output; auto chooses by the name of OUT: .npy, .h5, a picture "
                    "(mosaic), else a folder (hci, or list if views do not lie on a grid)")),
        basic(words("views", "3x3|5x5|7x7|9x9|star17|cross5|all|LIST", &O::views,
                    "views to keep: NxN around the centre, star17, cross5, all, or a list "
                    "'R,C;R,C;...'")),
        basic(number("resize", "X", &O::resize, between(0.001, 64.0),
                     "factor on the width and height, by anti-aliased cubic interpolation; "
                     "disparity maps are scaled as well")),
        choice("equalise", &O::equalise, {{"on", true}, {"off", false}},
               "scale each view and channel to the mean of the centre view, against vignetting"),
        optional_choice("colour-space", "input", &O::colour_space,
                        {{"srgb", ColourSpace::srgb}, {"linear", ColourSpace::linear}},
                        "convert to this colour space by the sRGB curve; the manifest records that "
                        "of the input, otherwise it is srgb, or linear for OpenEXR"),
        basic(optional_choice("bits", "input", &O::bits,
                              {{"8", PixelFormat::bits8},
                               {"16", PixelFormat::bits16},
                               {"float", PixelFormat::float32}},
                              "bit depth of the output")),
        choice("encoding", &O::encoding,
               {{"auto", std::string("auto")},
                {"png", std::string("png")},
                {"tif", std::string("tif")},
                {"exr", std::string("exr")},
                {"pfm", std::string("pfm")}},
               "file format of the pictures in a folder; auto is png, or pfm for float"),
        words("names", "NAME", &O::names,
              "file names of the views in a row_col folder, e.g. 'SAI_{row:2}_{col:2}.png'"),
    };
    return list;
}

}  // namespace plenosr
