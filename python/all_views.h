#pragma once

#include "plenosr/jobs.h"

namespace plenosr::python {

struct AllViews {
    AllViewsReport report;
    LightFieldIndex input;
};

}  // namespace plenosr::python
