#include "plenosr/frames.h"

#include <fmt/format.h>

#include <memory>

#include "bind_options.h"
#include "command.h"
#include "finish_reconstruct.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "progress_bar.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::vector<std::string> frames;
    std::string output;
    std::string shifts;
    std::string bits = "8";
    std::string truth;
    bool dry_run = false;
    bool explain = false;
    BoundOptions<FramesOptions> frames_options;
    BoundOptions<ReconstructOptions> options;
    Report report;
};

constexpr const char* footer =
    "Frames are pictures in order, a folder of them or a TIFF of several pages. Scale and blur\n"
    "are taken from the record of `plenosr degrade --frames`, where there is one; shifts only\n"
    "with --shifts. docs/frames.md tells how to get frames out of a video.\n"
    "\n"
    "Examples:\n"
    "  plenosr frames burst/*.png -o out.png --scale 2 --register affine\n"
    "  plenosr frames scan.tif -o out.png --scale 3 --blur gaussian:0.8 --explain\n"
    "  plenosr degrade photo.png -o lr --frames 4 --shifts grid --scale 2 --gaussian 1\n"
    "  plenosr frames lr -o out.png --shifts lr/lightfield.json --truth photo.png\n";

// What was given, then what the input's record says, then the defaults.
ReconstructOptions options_for(const Arguments& a, const FrameFiles& files) {
    ReconstructOptions options;
    if (files.degradation) {
        options.scale = files.degradation->scale;
        options.blur = files.degradation->blur;
    } else if (!a.options.given("scale")) {
        throw Error(ErrorKind::invalid_option,
                    fmt::format("the scale is missing: {} has no record of one, so --scale Z must "
                                "be given, e.g. --scale 2",
                                a.frames.front()));
    }
    options = a.options.apply(options);
    options.validate();
    return options;
}

// Shifts are told from any origin; motions begin at the reference.
std::vector<FrameMotion> motions_of(const Arguments& a, std::size_t frames, int reference) {
    const std::vector<Place> shifts = read_shifts(a.shifts);
    if (shifts.size() != frames)
        throw Error(ErrorKind::input, fmt::format("The file {} has {} shifts for {} frames.",
                                                  a.shifts, shifts.size(), frames));
    std::vector<FrameMotion> motions;
    motions.reserve(shifts.size());
    const Place& origin = shifts[std::size_t(reference)];
    for (const Place& shift : shifts)
        motions.push_back(FrameMotion::translation(shift.x - origin.x, shift.y - origin.y));
    return motions;
}

Json json_of(const FrameReport& frame, const FrameFiles::Entry& entry) {
    Json json;
    json["file"] = entry.file.string();
    json["page"] = entry.page;
    json["matrix"] = frame.motion.matrix;
    json["flow"] = !frame.motion.flow.empty();
    json["gain"] = json_number(frame.gain);
    json["offset"] = json_number(frame.offset);
    json["residual"] = json_number(frame.residual);
    json["overlap"] = json_number(frame.overlap);
    json["weight"] = json_number(frame.weight);
    json["weight_reason"] = frame.weight_reason;
    return json;
}

// The report of `reconstruct`, with frames instead of views and disparity.
Json json_of(const ReconstructReport& job, const FrameFiles& files,
             const std::vector<FrameReport>& frames, const FramesOptions& options,
             const std::optional<Quality>& interpolated, double seconds) {
    Json json = app::json_of(job);
    json.erase("views");
    json.erase("disparity");
    json["reference"] = options.reference;
    json["frames"] = Json::array();
    for (std::size_t k = 0; k < frames.size(); ++k)
        json["frames"].push_back(json_of(frames[k], files.frames[k]));
    json["frames_options"] = json_options(options, frames_options());
    json["registration_seconds"] = json_number(seconds);
    json["psnr_interpolated"] = interpolated ? json_number(interpolated->psnr) : Json(nullptr);
    json["ssim_interpolated"] = interpolated ? json_number(interpolated->ssim) : Json(nullptr);
    return json;
}

std::string summary_of(const ReconstructReport& job, const FrameFiles& files,
                       const std::vector<FrameReport>& frames, double seconds,
                       const std::optional<Quality>& interpolated) {
    std::string text =
        fmt::format("{} x {} pixels from {} frames, registered in {:.2f} s: {} in {:.2f} s\n",
                    job.result.image.width, job.result.image.height, frames.size(), seconds,
                    job.result.message, job.seconds);
    for (std::size_t k = 0; k < frames.size(); ++k)
        if (!frames[k].weight_reason.empty())
            text += fmt::format("note: frame {} ({}) is distrusted, weight {:.4f}: {}\n", k,
                                files.frames[k].file.filename().string(), frames[k].weight,
                                frames[k].weight_reason);
    if (interpolated)
        text += fmt::format("frames interpolated on the fine grid: PSNR {:.2f} dB, SSIM {:.4f}\n",
                            interpolated->psnr, interpolated->ssim);
    return text + details_of(job) + job.output + "\n";
}

std::vector<fs::path> inputs_of(const Arguments& a, const FrameFiles& files,
                                const ReconstructOptions& options) {
    std::vector<fs::path> inputs(a.frames.begin(), a.frames.end());
    inputs.insert(inputs.end(), {a.truth, a.shifts, psf_file(options.blur)});
    for (const FrameFiles::Entry& entry : files.frames)
        inputs.push_back(entry.file);
    return inputs;
}

void run(const Arguments& a) {
    // all that can be refused is refused before the work
    const PixelFormat format = parse_bits(a.bits, true);
    FramesOptions registration = a.frames_options.apply(FramesOptions());
    registration.validate();
    a.options.apply(ReconstructOptions()).validate();
    if (!a.shifts.empty() && a.frames_options.given("register"))
        throw Error(ErrorKind::invalid_option,
                    "--shifts tells the motion and --register finds it; give one of them");
    a.report.require_writable();
    require_extension(a.output, format);
    require_writable_file(a.output);

    const FrameFiles files = list_frames({a.frames.begin(), a.frames.end()});
    ReconstructReport job;
    job.output = a.output;
    job.bits = a.bits;
    job.explain = a.explain;
    job.options = options_for(a, files);
    require_outputs(a.output, a.report.json, inputs_of(a, files, job.options));
    if (std::size_t(registration.reference) >= files.frames.size())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("reference = {} must be a frame from 0 to {}",
                                registration.reference, files.frames.size() - 1));
    std::vector<FrameMotion> motions;
    if (!a.shifts.empty()) motions = motions_of(a, files.frames.size(), registration.reference);
    const int scale = job.options.scale;
    if (a.dry_run) {
        const ImageInfo info = image_info(files.frames.front().file);
        if (motions.empty()) motions.resize(files.frames.size());
        std::string text;
        for (const TilesReport& r :
             plan_frames(info.width, info.height, info.channels >= 3 ? 3 : 1, motions, job.options))
            text += tiles_line(r) + "\n";
        return print(text);
    }

    // read
    ProgressBar bar(a.report.quiet);
    const Stopwatch reading;
    std::vector<Image> frames = read_frames(files, bar.callback());
    Image truth;
    if (!a.truth.empty())
        truth =
            read_truth(a.truth, frames.front().width * scale, frames.front().height * scale, scale);
    const double read_seconds = reading.seconds();

    // register
    const Stopwatch registering;
    const auto examined = [&] {
        return motions.empty() ? register_frames(frames, registration, bar.callback())
                               : examine_frames(frames, motions, registration, bar.callback());
    };
    std::vector<FrameReport> reports = examined();
    ReferenceCheck doubt = check_reference(frames, reports, registration, bar.callback());
    if (doubt.better >= 0 && a.frames_options.given("reference")) {
        doubt.reason += fmt::format("; --reference {} may suit better", doubt.better);
    } else if (doubt.better >= 0) {
        doubt.reason += fmt::format(": frame {} is the reference instead", doubt.better);
        registration.reference = doubt.better;
        if (!motions.empty()) motions = motions_of(a, files.frames.size(), doubt.better);
        reports = examined();
    }
    const double registration_seconds = registering.seconds();
    std::optional<Quality> interpolated;
    if (!truth.empty()) {
        std::vector<FrameMotion> found;
        found.reserve(reports.size());
        for (const FrameReport& report : reports)
            found.push_back(report.motion);
        interpolated =
            compare(interpolate_frames(frames, found, registration.reference, scale), truth);
    }

    // reconstruct
    job.result = reconstruct_frames(std::move(frames), reports, registration, job.options,
                                    bar.callback(), truth.empty() ? nullptr : &truth);
    if (doubt.better >= 0) job.result.notes.insert(job.result.notes.begin(), doubt.reason);
    finish_reconstruct(job, truth, format, read_seconds);
    bar.clear();
    a.report.write(json_of(job, files, reports, registration, interpolated, registration_seconds));
    a.report.summary(summary_of(job, files, reports, registration_seconds, interpolated));
}

}  // namespace

Command add_frames(CLI::App& program) {
    auto a = std::make_shared<Arguments>();
    CLI::App* app = program.add_subcommand(
        "frames", "super-resolve a burst, or a piece of a video: frames of a camera that moved");
    app->add_option("FRAMES", a->frames, "pictures, a folder of them, a TIFF of several pages")
        ->required();
    app->add_option("-o,--output", a->output,
                    "the picture to write: .png, or .pfm for --bits float")
        ->type_name("OUT")
        ->required();
    app->add_option("--shifts", a->shifts,
                    "the frames' shifts are known: a line \"dx dy\" each, in pixels of the frames "
                    "(pixel x of the frame shows x + dx of the reference), or the lightfield.json "
                    "of `degrade --frames`")
        ->type_name("FILE");
    a->frames_options.bind(*app, frames_options(), FramesOptions());
    a->options.bind(*app, reconstruct_options(), ReconstructOptions(),
                    {{"scale", "what the input's record says"},
                     {"blur", "what the input's record says, else gaussian"}});
    app->add_option("--bits", a->bits, "depth of the result; float writes a PFM in 8-bit units")
        ->type_name("8|16|float")
        ->default_str("8");
    app->add_option("--truth", a->truth,
                    "the true picture: PSNR and SSIM are reported, the result does not change")
        ->type_name("FILE");
    app->add_flag("--dry-run", a->dry_run,
                  "print, for each device, the memory and the tiles it would take; compute and "
                  "write nothing");
    app->add_flag("--explain", a->explain,
                  "print what was estimated from the frames, what was chosen, and why");
    a->report.add_flags(*app, true);
    app->footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
