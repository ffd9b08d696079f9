#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "plenosr/disparity.h"
#include "plenosr/jobs.h"
#include "plenosr/json_values.h"

namespace plenosr {

using Json = nlohmann::ordered_json;  // keys stay in the order of docs/cli.md

inline Json number(double value) {
    return json_number<Json>(value);
}
inline Json position(ViewPosition value) {
    return json_position<Json>(value);
}
// Null for the whole picture, of width 0.
inline Json json_of(const Box& box) {
    if (box.width == 0) return nullptr;
    return {{"x", box.x0}, {"y", box.y0}, {"width", box.width}, {"height", box.height}};
}
Json positions(const std::vector<ViewPosition>& list);

// File names need not be UTF-8, but JSON must be.
inline std::string text_of(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const ReconstructReport& report);
Json json_of(const SelfCheck& check);
// An estimate, for the reports of all commands that make one.
Json json_of(const DisparityResult& result);

}  // namespace plenosr
