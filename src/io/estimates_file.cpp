#include "io/estimates_file.h"

#include <algorithm>
#include <cmath>

#include "io/input_file.h"
#include "io/psf_file.h"
#include "plenosr/error.h"
#include "plenosr/psf.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "file of estimates";

struct Field {
    const char* name;
    double Estimates::*value;
};
constexpr Field fields[] = {
    {"noise", &Estimates::noise},
    {"sensor_noise", &Estimates::sensor_noise},
    {"quietest_noise", &Estimates::quietest_noise},
    {"impulses", &Estimates::impulses},
    {"gain", &Estimates::gain},
    {"read_noise", &Estimates::read_noise},
    {"texture", &Estimates::texture},
    {"detail", &Estimates::detail},
    {"mean_weight", &Estimates::mean_weight},
    {"lambda", &Estimates::lambda},
};
constexpr double largest = 1e9;  // of every value

// Of an even number of values the lower one of the middle: a value that was measured.
template <class T>
T median(std::vector<T> values) {
    const auto middle = values.begin() + std::ptrdiff_t((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

io::Json io::json_of(const Estimates& e) {
    Json json;
    json["of"] = e.frames ? "frames" : "views";
    json["scale"] = e.scale;
    json["blur"] = psf_file({e.blur}).empty() ? e.blur : std::string();
    for (const Field& field : fields)
        json[field.name] = e.*field.value;
    return json;
}

std::string format_estimates(const Estimates& e) {
    io::Json json;
    json["estimates"] = io::json_of(e);
    return json.dump(1) + "\n";
}

Estimates parse_estimates(const fs::path& file, const std::string& text) {
    const io::Json json = io::Json::parse(text, nullptr, false);
    if (json.is_discarded()) refuse_file(file, "it is no JSON", kind);
    const io::JsonReader reader = io::JsonReader(file, json, {}, kind).object("estimates");
    constexpr io::Names<bool, 2> kinds = {{{"views", false}, {"frames", true}}};
    Estimates e;
    e.frames = reader.choice("of", kinds);
    e.scale = reader.integer("scale", 2, 64);
    e.blur = reader.text("blur");
    if (!psf_file({e.blur}).empty()) reader.refuse("\"blur\" must not name a file");
    for (const Field& field : fields)
        e.*field.value = reader.real(field.name, 0, largest);
    return e;
}

Estimates read_estimates(const fs::path& file) {
    return parse_estimates(file, io::read_small_text(file));
}

Estimates median_of(std::vector<Estimates> all) {
    if (all.empty()) throw Error(ErrorKind::input, "There are no estimates to take the median of.");
    Estimates result = all.front();
    for (const Estimates& e : all)
        if (e.scale != result.scale || e.frames != result.frames)
            throw Error(
                ErrorKind::input,
                fmt::format("The estimates are of {} at scale {} and of {} at scale {}; they "
                            "must be of one kind.",
                            result.frames ? "frames" : "views", result.scale,
                            e.frames ? "frames" : "views", e.scale));
    for (const Field& field : fields) {
        std::vector<double> values;
        values.reserve(all.size());
        for (const Estimates& e : all)
            values.push_back(e.*field.value);
        result.*field.value = median(std::move(values));
    }
    std::stable_sort(all.begin(), all.end(), [](const Estimates& a, const Estimates& b) {
        return a.sensor_noise < b.sensor_noise;
    });
    result.blur = all[(all.size() - 1) / 2].blur;
    return result;
}

}  // namespace plenosr
