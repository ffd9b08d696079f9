#include "options/option_list.h"

namespace plenosr {
namespace {

Option<FramesOptions> reference_option() {
    using O = FramesOptions;
    const auto by_number =
        number("reference", "N|sharpest", &O::reference, at_least(0),
               "number of the frame to super-resolve, counted from 0, or the sharpest one");
    Option<O> option = by_number;
    option.set = [=](O& o, const std::string& text) {
        if (text == "sharpest")
            o.reference = O::sharpest_frame;
        else
            by_number.set(o, text);
    };
    option.show = [=](const O& o) {
        return o.reference == O::sharpest_frame ? "sharpest" : by_number.show(o);
    };
    return option;
}

Option<FramesOptions> best_option() {
    using O = FramesOptions;
    return {"best", "all|N",
            "use only the N frames that fit best and are sharpest, the reference among them",
            [](O& o, const std::string& text) {
                if (text == "all")
                    o.best.reset();
                else
                    o.best = parse_number("best", text, at_least(1));
            },
            [](const O& o) { return o.best ? fmt::format("{}", *o.best) : "all"; }};
}

}  // namespace

const std::vector<Option<FramesOptions>>& frames_options() {
    using O = FramesOptions;
    static const std::vector<Option<O>> list = {
        basic(choice("register", &O::registration,
                     {{"auto", Registration::automatic},
                      {"translation", Registration::translation},
                      {"similarity", Registration::similarity},
                      {"affine", Registration::affine},
                      {"homography", Registration::homography},
                      {"flow", Registration::flow}},
                     "how the frames may have moved: translation (shifts; the fastest, for a "
                     "camera that hardly turns), similarity (rotation and zoom as well), affine "
                     "(shear as well), homography (a plane seen by a free camera) or flow (each "
                     "pixel by itself); auto is the simplest that explains the frames")),
        basic(reference_option()),
        choice(
            "photometric", &O::photometric,
            {{"auto", Photometric::automatic}, {"on", Photometric::on}, {"off", Photometric::off}},
            "match the brightness of every frame to the reference: its gain and offset, and "
            "shading that varies smoothly over the frame; auto does so where they are "
            "significant"),
        choice("motion", &O::motion, {{"on", true}, {"off", false}},
               "give samples less weight where a frame does not show what the reference shows, "
               "because something moved"),
        best_option(),
    };
    return list;
}

void FramesOptions::validate() const {
    validate_all(*this, frames_options());
}

}  // namespace plenosr
