#include "options/device_names.h"
#include "options/option_list.h"

namespace plenosr {
namespace {

constexpr double widest = 1000;  // pixels per step between views; beyond any real light field

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
         "disparities to search, in pixels of the views per step between views; auto estimates the "
         "range from the views",
         [](O& o, const std::string& text) { o.range = parse_range(text); },
         [](const O& o) {
             return o.range ? fmt::format("{},{}", o.range->min, o.range->max)
                            : std::string("auto");
         },
         true},
        number("labels", "N", &O::labels, between(8, 1024),
               "number of disparities that are tried over the range; a parabola is fitted between "
               "them, and more than 64 gain little"),
        number("scale", "Z", &O::scale, between(1, 64),
               "scale by which the views will be super-resolved; views of a larger scale are more "
               "aliased and are smoothed more before matching"),
        basic(words("device", "cpu|opencl|opencl:INDEX|opencl:NAME-PART|auto", &O::device,
                    "where to compute: cpu, or an OpenCL device (`plenosr devices` lists them)")),
        number("threads", "N", &O::threads, between(0, 4096),
               "number of CPU threads; 0 is one per core"),
        byte_count(
            "memory-limit", &O::memory_limit,
            "bytes of memory for the matching, which works in tiles if needed; the views and "
            "the maps are not counted; none is what this process may use"),
        force_option(&O::force),
    };
    return list;
}

void DisparityOptions::validate() const {
    validate_all(*this, disparity_options());
    device_names(device);
}

}  // namespace plenosr
