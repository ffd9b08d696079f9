#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "plenosr/all_views.h"

namespace plenosr {

// One view of a job over all views.
struct FinishedView {
    Image image;
    Image disparity;  // at full size, as the last round used it
    int refinements = 0;
};

// Finished views on disk, in AllViewsOptions::state, under a key that holds all that they depend
// on: the program, the machine's instructions, the options, and the content of views, maps and
// PSFs. Without such a folder nothing is stored.
class FinishedViews {
public:
    FinishedViews(const LightFieldView& light_field, const std::vector<Image>& maps,
                  const AllViewsOptions& options, const Engines& engines);

    std::optional<FinishedView> load(ViewPosition position) const;
    void store(ViewPosition position, const FinishedView& view) const;

private:
    std::string key(ViewPosition position) const;

    std::filesystem::path folder_;
    std::string fingerprint_;
    int width_;  // of the result
    int height_;
    int channels_;
};

}  // namespace plenosr
