#pragma once

#include "plenosr/viewer.h"

namespace plenosr {

const ViewerView* reference_of(const ViewerContent& content);
// The reference enlarged, once, before the first result; or every view, before the first series of
// views.
void add_bicubic(const SamplingGrid& sampling, ViewerContent& content);
void add_bicubic_of_views(const SamplingGrid& sampling, ViewerContent& content);
void add_map(ViewerMapKind kind, const std::string& name, const Image& map, ViewerContent& content,
             const std::string& meaning = {});

}  // namespace plenosr
