#include <fmt/format.h>

#include <cctype>
#include <memory>
#include <optional>

#include "command.h"
#include "output_checks.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/jobs.h"
#include "plenosr/metrics.h"
#include "plenosr/version.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string estimate;
    std::string truth;
    std::optional<int> border;  // default: 0, for disparity maps benchmark_border
    bool disparity = false;
    std::string mask;
    std::string channel = "y";
    std::string camera_of;
    Report report;
};

constexpr const char* footer =
    "PSNR in dB with peak 255; SSIM with an 11x11 Gaussian window of sigma 1.5. Values are in\n"
    "8-bit units for any depth of the files. Both are clipped to 0-255 unless B exceeds that "
    "range.\n"
    "With --disparity, A and B are disparity maps and are compared as in the HCI 4D benchmark:\n"
    "BadPix(t) is the percentage of pixels with an error above t; Q25 is 100 times the 25 %\n"
    "quantile of the error. If A is smaller than B by a whole factor, it is enlarged first.\n"
    "\n"
    "Examples:\n"
    "  plenosr evaluate out.png scene/input_Cam040.png --border 4\n"
    "  plenosr evaluate --disparity centre.pfm scene/gt_disp_lowres.pfm\n";

void require_comparable(const Arguments& a, const Image& estimate, const Image& truth) {
    const bool channels_matter = a.channel == "rgb";
    if (estimate.same_size(truth) && (!channels_matter || estimate.channels == truth.channels))
        return;
    throw Error(ErrorKind::input,
                fmt::format("{} ({}x{} pixels, {} channels) and {} ({}x{}, {}) cannot be compared: "
                            "they must have the same size{}.",
                            a.estimate, estimate.width, estimate.height, estimate.channels, a.truth,
                            truth.width, truth.height, truth.channels,
                            channels_matter ? " and number of channels" : ""));
}

// The library does not know the names of the files.
template <class Compare>
auto with_names(const Arguments& a, Compare compare) {
    try {
        return compare();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        std::string reason = error.what();
        if (!reason.empty()) reason[0] = char(std::tolower(reason[0]));
        throw Error(error.kind(),
                    fmt::format("{} and {} cannot be compared: {}", a.estimate, a.truth, reason));
    }
}

// A map of the low-resolution views is compared at full size.
Image at_size_of(const Image& truth, Image map) {
    const int scale = map.width > 0 ? truth.width / map.width : 0;
    const bool fits = scale > 1 && truth.height / map.height == scale &&
                      truth.width - map.width * scale < scale &&
                      truth.height - map.height * scale < scale;
    return fits ? enlarge_disparity(map, scale, truth.width, truth.height) : map;
}

void run_disparity(const Arguments& a) {
    const Image truth = read_disparity(a.truth);
    const Image estimate = at_size_of(truth, read_disparity(a.estimate));
    Image mask;
    if (!a.mask.empty()) mask = luma(read_image(a.mask));
    const int border = a.border.value_or(benchmark_border);
    const DisparityQuality q = with_names(a, [&] {
        return compare_disparity(estimate, truth, border, a.mask.empty() ? nullptr : &mask);
    });
    Json json;
    std::string text;
    for (std::size_t i = 0; i < bad_pixel_limits.size(); ++i) {
        json[fmt::format("badpix_{}", bad_pixel_limits[i])] = json_number(q.bad_pixels[i]);
        text += fmt::format("BadPix({}) {:.2f} %\n", bad_pixel_limits[i], q.bad_pixels[i]);
    }
    json["mse100"] = json_number(q.mse100);
    json["q25"] = json_number(q.q25);
    json["pixels"] = q.pixels;
    json["a"] = a.estimate;
    json["b"] = a.truth;
    json["border"] = border;
    json["mask"] = a.mask.empty() ? Json(nullptr) : Json(a.mask);
    json["version"] = PLENOSR_VERSION;
    a.report.write(json);
    if (a.report.json != "-")
        print(fmt::format("{}MSE*100 {:.3f}\nQ25 {:.3f}\n", text, q.mse100, q.q25));
}

// The camera that `degrade --camera` simulated; null if it did not.
Json simulated_camera(const std::string& light_field) {
    const LightFieldIndex index = index_light_field(light_field);
    if (!index.degradation || index.degradation->simulated_camera.empty()) return nullptr;
    return Json::parse(index.degradation->simulated_camera);
}

void run(const Arguments& a) {
    require_one_of("channel", a.channel, "y|rgb");
    const int border = a.border.value_or(0);
    if (border < 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("border = {} must be at least 0", border));
    if (!a.mask.empty() && !a.disparity)
        throw Error(ErrorKind::invalid_option, "--mask needs --disparity");
    a.report.require_writable();
    require_no_input(a.report.json, {a.estimate, a.truth, a.mask});
    if (!a.camera_of.empty() && a.disparity)
        throw Error(ErrorKind::invalid_option, "--camera-of cannot be used with --disparity");
    if (a.disparity) return run_disparity(a);

    const Image estimate = read_image(a.estimate);
    const Image truth = read_image(a.truth);
    require_comparable(a, estimate, truth);
    const Quality quality = with_names(a, [&] {
        return compare(estimate, truth, {border, a.channel == "rgb"});
    });

    Json json;
    json["psnr"] = json_number(quality.psnr);
    json["ssim"] = json_number(quality.ssim);
    json["mse"] = json_number(quality.mse);
    json["a"] = a.estimate;
    json["b"] = a.truth;
    json["border"] = border;
    json["channel"] = a.channel;
    if (!a.camera_of.empty()) json["simulated_camera"] = simulated_camera(a.camera_of);
    json["version"] = PLENOSR_VERSION;
    a.report.write(json);
    if (a.report.json != "-")
        print(fmt::format("PSNR {:.3f} dB\nSSIM {:.4f}\nMSE  {:.4f}\n", quality.psnr, quality.ssim,
                          quality.mse));
}

}  // namespace

Command add_evaluate(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("evaluate", "compare two pictures or disparity maps");
    app.add_option("A", arguments->estimate, "the picture or map to evaluate").required();
    app.add_option("B", arguments->truth, "the true picture or map").required();
    app.add_flag("--disparity", arguments->disparity, "A and B are disparity maps");
    app.add_option("--mask", arguments->mask,
                   "with --disparity: a picture of the size of B; black pixels are left out")
        .type_name("FILE");
    app.add_option("--border", arguments->border, "width of the border that is left out, in pixels")
        .type_name("N")
        .default_str("0, with --disparity 15");
    app.add_option("--channel", arguments->channel, "compare BT.601 luma, or all three channels")
        .type_name("y|rgb")
        .default_str("y");
    app.add_option("--camera-of", arguments->camera_of,
                   "the light field that A was made from; its simulated camera (plenosr degrade "
                   "--camera) is added to the JSON report")
        .type_name("LF");
    arguments->report.add_flags(app, false);
    app.footer(footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
