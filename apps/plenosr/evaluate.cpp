#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/metrics.h"
#include "plenosr/version.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string estimate;
    std::string truth;
    int border = 0;
    std::string channel = "y";
    Report report;
};

constexpr const char* footer =
    "PSNR in dB with peak 255; SSIM with an 11x11 Gaussian window of sigma 1.5. Values are in\n"
    "8-bit units, whatever the depth of the files; A is clipped to 0-255 first.\n"
    "\n"
    "Example:\n"
    "  plenosr evaluate out.png scene/input_Cam040.png --border 4\n";

void require_comparable(const Arguments& a, const Image& estimate, const Image& truth) {
    const bool channels_matter = a.channel == "rgb";
    if (estimate.same_size(truth) && (!channels_matter || estimate.channels == truth.channels))
        return;
    throw Error(ErrorKind::input,
                fmt::format("{} ({}x{} pixels, {} channels) and {} ({}x{}, {}) cannot be compared: "
                            "both must have one size{}.",
                            a.estimate, estimate.width, estimate.height, estimate.channels, a.truth,
                            truth.width, truth.height, truth.channels,
                            channels_matter ? " and number of channels" : ""));
}

void run(const Arguments& a) {
    require_one_of("channel", a.channel, "y|rgb");
    if (a.border < 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("border = {} must be at least 0", a.border));
    a.report.require_writable();
    require_no_input(a.report.json, {a.estimate, a.truth});

    const Image estimate = read_image(a.estimate);
    const Image truth = read_image(a.truth);
    require_comparable(a, estimate, truth);
    const Quality quality = compare(estimate, truth, {a.border, a.channel == "rgb"});

    Json json;
    json["psnr"] = json_number(quality.psnr);
    json["ssim"] = json_number(quality.ssim);
    json["mse"] = json_number(quality.mse);
    json["a"] = a.estimate;
    json["b"] = a.truth;
    json["border"] = a.border;
    json["channel"] = a.channel;
    json["version"] = PLENOSR_VERSION;
    a.report.write(json);
    if (a.report.json != "-")
        print(fmt::format("PSNR {:.3f} dB\nSSIM {:.4f}\nMSE  {:.4f}\n", quality.psnr, quality.ssim,
                          quality.mse));
}

}  // namespace

Command add_evaluate(CLI::App& program) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = program.add_subcommand("evaluate", "compare two pictures: PSNR, SSIM, MSE");
    app->add_option("A", arguments->estimate, "the picture to judge")->required();
    app->add_option("B", arguments->truth, "the true picture")->required();
    app->add_option("--border", arguments->border, "pixels to leave out on each side")
        ->type_name("N")
        ->default_str("0");
    app->add_option("--channel", arguments->channel, "compare BT.601 luma, or all three channels")
        ->type_name("y|rgb")
        ->default_str("y");
    arguments->report.add_flags(*app, false);
    app->footer(footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
