#include "options/option_list.h"

namespace plenosr {

const std::vector<Option<FramesOptions>>& frames_options() {
    using O = FramesOptions;
    static const std::vector<Option<O>> list = {
        choice("register", &O::registration,
               {{"translation", Registration::translation},
                {"affine", Registration::affine},
                {"homography", Registration::homography},
                {"flow", Registration::flow}},
               "how the frames may have moved: shifted (the fastest, and right for a camera that "
               "hardly turns), affine, as a plane seen by a free camera, or each pixel by itself"),
        number("reference", "N", &O::reference, at_least(0),
               "the frame, counted from 0, whose place the result takes"),
        choice("photometric", &O::photometric, {{"on", true}, {"off", false}},
               "bring every frame to the reference's gain and offset: for exposures that differ"),
    };
    return list;
}

void FramesOptions::validate() const {
    validate_all(*this, frames_options());
}

}  // namespace plenosr
