#pragma once

#include "batch/item_options.h"
#include "batch/parts.h"

namespace plenosr {

// An item as `plenosr reconstruct` or `plenosr frames` would do it with the same options.
struct SolvedItem {
    Image image;
    ImageEncoding encoding;
    std::string report;  // JSON, as the command writes it
    Estimates estimates;
};
// Error(input) or Error(invalid_option) if the item cannot be done, also if the solver diverged.
SolvedItem solve_item(const BatchPlan& plan, std::size_t item, const ItemOptions& options,
                      const Progress& progress);

}  // namespace plenosr
