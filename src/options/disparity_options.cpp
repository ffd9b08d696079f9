#include "options/device_names.h"
#include "options/option_list.h"

namespace plenosr {
namespace {

constexpr double widest = 1000;  // pixels per step

std::optional<DisparityInterval> parse_range(const std::string& text) {
    if (text == "auto") return std::nullopt;
    const std::string rule = fmt::format(
        "auto, or MIN,MAX with MIN < MAX, in pixels of the views per step, within +-{}", widest);
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) refuse("range", text, rule);
    const auto parse = [&](const std::string& part) {
        double value = 0;
        const char* end = part.data() + part.size();
        const auto [stop, error] = std::from_chars(part.data(), end, value);
        if (error != std::errc() || stop != end || !(std::abs(value) <= widest))
            refuse("range", text, rule);
        return value;
    };
    const DisparityInterval range{parse(text.substr(0, comma)), parse(text.substr(comma + 1))};
    if (!(range.min < range.max)) refuse("range", text, rule);
    return range;
}

}  // namespace

const std::vector<Option<DisparityOptions>>& disparity_options() {
    using O = DisparityOptions;
    static const std::vector<Option<O>> list = {
        {"range", "auto|MIN,MAX",
         "the disparities to look for, in pixels of the views per step between views; auto finds "
         "them in the views",
         [](O& o, const std::string& text) { o.range = parse_range(text); },
         [](const O& o) {
             return o.range ? fmt::format("{},{}", o.range->min, o.range->max)
                            : std::string("auto");
         }},
        number("labels", "N", &O::labels, between(8, 1024),
               "planes of the sweep over the range; a parabola is fitted between them, and more "
               "than 64 gain little"),
        number("scale", "Z", &O::scale, between(1, 64),
               "by which the views will be super-resolved: the more, the more they are aliased, "
               "and the more they are smoothed before they are matched"),
        words("device", "cpu|opencl|opencl:INDEX|opencl:NAME-PART|auto", &O::device,
              "where to compute: the native engine or an OpenCL device (`plenosr devices` lists "
              "them)"),
        number("threads", "N", &O::threads, between(0, 4096), "0: one per core"),
    };
    return list;
}

void DisparityOptions::validate() const {
    validate_all(*this, disparity_options());
    device_names(device);
}

}  // namespace plenosr
