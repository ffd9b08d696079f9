#pragma once

#include "plenosr/batch.h"
#include "plenosr/jobs.h"

namespace plenosr {

// What the options of a plan mean for its items: what `plenosr reconstruct`, or `plenosr frames`,
// makes of the same flags.
struct ItemOptions {
    OpenOptions open;
    ViewChoice choice;
    FramesOptions frames;
    bool reference_given = false;
    bool single = false;
    ImageEncoding encoding;
    GivenOptions given;

    // The given options, else those that the record of `plenosr degrade` has.
    ReconstructOptions solve(const std::optional<DegradeOptions>& record) const;
};

// Error(invalid_option) if an option does not exist for this kind of items, or has a wrong value.
ItemOptions item_options(const BatchPlan& plan);

// The files that the options name.
std::vector<std::filesystem::path> option_files(const GivenOptions& options);
// With absolute names of files.
GivenOptions with_absolute_files(GivenOptions options);

}  // namespace plenosr
