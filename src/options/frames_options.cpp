#include "options/option_list.h"

namespace plenosr {

const std::vector<Option<FramesOptions>>& frames_options() {
    using O = FramesOptions;
    static const std::vector<Option<O>> list = {
        basic(choice("register", &O::registration,
                     {{"translation", Registration::translation},
                      {"affine", Registration::affine},
                      {"homography", Registration::homography},
                      {"flow", Registration::flow}},
                     "how the frames may have moved: translation (shifts; the fastest, for a "
                     "camera that hardly turns), affine (rotation and zoom as well), homography "
                     "(a plane seen by a free camera) or flow (each pixel by itself)")),
        basic(number("reference", "N", &O::reference, at_least(0),
                     "number of the frame to super-resolve, counted from 0")),
        choice("photometric", &O::photometric, {{"on", true}, {"off", false}},
               "match the gain and offset of every frame to the reference, for exposures that "
               "differ"),
    };
    return list;
}

void FramesOptions::validate() const {
    validate_all(*this, frames_options());
}

}  // namespace plenosr
