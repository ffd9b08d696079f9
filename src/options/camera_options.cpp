#include "options/camera_options.h"

#include <algorithm>

namespace plenosr {

bool CameraOptions::active() const {
    return lens.has_value() || jitter > 0 || gain_spread > 0 || offset_spread > 0 ||
           vignetting > 0 || noise_correlation > 0 || demosaic != Demosaic::none || sharpen > 0 ||
           jpeg > 0;
}

// Chosen by reasoning from what such cameras are known to do; none is fitted to data. Lens blurs of
// a quarter to four tenths of a pixel are those of good to average lenses. 4000 to 8000 photons are
// the full well of small pixels at base sensitivity: noise of 4 to 2.9 grey levels in white.
const std::vector<CameraPreset>& camera_presets() {
    static const std::vector<CameraPreset> list = [] {
        CameraPreset clean{"clean", "a square pixel behind a sharp lens, nothing else", 0.25};
        CameraPreset array{"array", "an array of calibrated machine-vision cameras", 0.3, 8000, 1};
        array.camera.jitter = 0.02;
        array.camera.gain_spread = 5;
        array.camera.offset_spread = 1;
        array.camera.demosaic = Demosaic::edge_aware;
        CameraPreset lytro{"lytro", "views decoded from a plenoptic camera", 0.35, 4000, 1.5};
        lytro.camera.jitter = 0.03;
        lytro.camera.gain_spread = 3;
        lytro.camera.offset_spread = 0.5;
        lytro.camera.vignetting = 30;
        lytro.camera.noise_correlation = 0.5;
        lytro.camera.demosaic = Demosaic::bilinear;
        CameraPreset phone{"phone", "a phone moved by hand, with its own processing", 0.4, 5000, 1};
        phone.camera.jitter = 0.02;
        phone.camera.gain_spread = 2;
        phone.camera.demosaic = Demosaic::edge_aware;
        phone.camera.sharpen = 0.6;
        phone.camera.jpeg = 92;
        std::vector<CameraPreset> all{clean, array, lytro, phone};
        for (CameraPreset& preset : all)
            preset.camera.preset = preset.name;
        return all;
    }();
    return list;
}

Option<DegradeOptions> camera_preset_option() {
    std::string values = "none";
    for (const CameraPreset& preset : camera_presets())
        values += "|" + preset.name;
    return {"camera", values,
            "simulate a real camera: sets the options of the camera, --poisson and --read-noise; "
            "options that are given as well override it. The reconstruction gets the scale, but "
            "neither blur nor noise",
            [=](DegradeOptions& o, const std::string& text) {
                o.camera = {};
                if (text == "none") return;
                const auto& presets = camera_presets();
                const auto found =
                    std::find_if(presets.begin(), presets.end(),
                                 [&](const CameraPreset& preset) { return preset.name == text; });
                if (found == presets.end()) refuse("camera", text, "one of " + values);
                o.camera = found->camera;
                o.camera.lens = found->lens * o.scale;
                o.poisson = found->poisson;
                o.read_noise = found->read_noise;
            },
            [](const DegradeOptions& o) { return o.camera.preset; }};
}

namespace {

// Like automatic_number(), but the value that is not set is called none.
Option<CameraOptions> lens_option() {
    using O = CameraOptions;
    return {"lens", "none|SIGMA",
            "replaces --blur by a square pixel behind a lens of this Gaussian blur, in "
            "high-resolution pixels",
            [](O& o, const std::string& text) {
                if (text == "none")
                    o.lens.reset();
                else
                    o.lens = parse_number("lens", text, between(0.0, 50.0));
            },
            [](const O& o) { return o.lens ? fmt::format("{}", *o.lens) : "none"; }};
}

}  // namespace

const std::vector<Option<CameraOptions>>& camera_options() {
    using O = CameraOptions;
    static const std::vector<Option<O>> list = {
        lens_option(),
        number("jitter", "X", &O::jitter, between(0.0, 0.5),
               "standard deviation of the displacement of the views from their grid, as a fraction "
               "of a step; the recorded positions are those of the grid. Needs disparity maps"),
        number("gain-spread", "PERCENT", &O::gain_spread, between(0.0, 90.0),
               "the gain of each view is uniform in 1 +- PERCENT / 100"),
        number("offset-spread", "X", &O::offset_spread, between(0.0, 128.0),
               "the offset of each view is uniform in +- X, in 8-bit units"),
        number("vignetting", "PERCENT", &O::vignetting, between(0.0, 95.0),
               "light that the outermost view loses in one corner, relative to the centre view"),
        number("noise-correlation", "SIGMA", &O::noise_correlation, between(0.0, 10.0),
               "smooth the Gaussian noise by a Gaussian of SIGMA pixels, and restore its standard "
               "deviation"),
        choice(
            "demosaic", &O::demosaic,
            {{"none", Demosaic::none},
             {"bilinear", Demosaic::bilinear},
             {"edge-aware", Demosaic::edge_aware}},
            "record the views through a Bayer pattern and interpolate the colours; edge-aware is "
            "the method of Hamilton and Adams. Needs colour views; luma is computed last"),
        number("sharpen", "AMOUNT", &O::sharpen, between(0.0, 10.0),
               "unsharp mask: adds AMOUNT times the difference to the view blurred by one pixel"),
        number("jpeg", "QUALITY", &O::jpeg, between(0, 100),
               "compress and decompress the views as JPEG of this quality (1 to 100); 0 is none"),
    };
    return list;
}

}  // namespace plenosr
