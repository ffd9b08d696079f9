#include "camera_list.h"

#include <fmt/format.h>

#include "plenosr/options.h"

namespace plenosr::app {
namespace {

constexpr std::size_t widest = 94;  // characters of a line

}  // namespace

std::string camera_list() {
    std::string text = "Cameras (their lens is in pixels of the result here):\n";
    for (const CameraPreset& preset : camera_presets()) {
        DegradeOptions options;
        options.camera = preset.camera;
        options.poisson = preset.poisson;
        options.read_noise = preset.read_noise;
        text += fmt::format("  {:<6} {}:\n", preset.name, preset.description);
        std::string line = fmt::format("         lens {}", preset.lens);
        for (const auto& option : degrade_options()) {
            const std::string value = option.show(options);
            if (option.name == "camera" || value == option.show(DegradeOptions())) continue;
            line += ",";
            if (line.size() + option.name.size() + value.size() > widest) {
                text += line + "\n";
                line = "        ";
            }
            line += fmt::format(" {} {}", option.name, value);
        }
        text += line + "\n";
    }
    return text;
}

}  // namespace plenosr::app
