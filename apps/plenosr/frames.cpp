#include "plenosr/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "carried_metadata.h"
#include "command.h"
#include "finish_reconstruct.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/outputs.h"
#include "progress_bar.h"
#include "solve_flags.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments : SolveFlags {
    std::vector<std::string> frames;
    std::string shifts;
    std::string motion_mask;
    bool single = false;
    BoundOptions<FramesOptions> frames_options;
};

constexpr const char* footer =
    "Frames are pictures in order, a folder of them or a TIFF with several pages. Scale, blur\n"
    "and phase are read from lightfield.json if `plenosr degrade --frames` wrote it; shifts only\n"
    "with --shifts. To use a video, extract its frames first:\n"
    "  mkdir frames && ffmpeg -i video.mp4 frames/%04d.png\n"
    "\n"
    "Examples:\n"
    "  plenosr frames burst/*.png -o out.png\n"
    "  plenosr frames scan.tif -o out.png --scale 3 --explain\n"
    "  plenosr degrade photo.png -o lr --frames 4 --shifts grid --scale 2 --gaussian 1\n"
    "  plenosr frames lr -o out.png --shifts lr/lightfield.json --truth photo.png\n";

const std::vector<Option<ReconstructOptions>>& solver_options() {
    static const std::vector<Option<ReconstructOptions>> list = [] {
        std::vector<Option<ReconstructOptions>> some = reconstruct_options();
        std::erase_if(some, [](const auto& option) { return option.views_only; });
        return some;
    }();
    return list;
}

ReconstructOptions solver_options_for(const Arguments& a, const FrameFiles& files) {
    return a.options_for(files.degradation, ReconstructOptions());
}

// Shifts may have any origin; motions are relative to the reference. Flows may leave it out.
std::vector<FrameMotion> motions_of(const Arguments& a, const FrameFiles& files,
                                    const ImageInfo& frame, int reference) {
    std::vector<FrameMotion> motions = read_motions(a.shifts, frame.width, frame.height);
    const auto is_flow = [](const FrameMotion& motion) { return !motion.flow.empty(); };
    if (motions.size() + 1 == files.frames.size() &&
        std::all_of(motions.begin(), motions.end(), is_flow))
        motions.insert(motions.begin() + reference, FrameMotion());
    if (motions.size() != files.frames.size())
        throw Error(ErrorKind::input, fmt::format("The file {} has {} shifts for {} frames.",
                                                  a.shifts, motions.size(), files.frames.size()));
    return relative_motions(std::move(motions), reference);
}

double mean_of(const Image& image) {
    double sum = 0;
    for (const float value : image.values)
        sum += double(value);
    return sum / double(image.values.size());
}

std::string name_of(Registration model) {
    FramesOptions options;
    options.registration = model;
    return frames_options().front().show(options);
}

// Without shifts from a file, the model that the motions follow.
std::string model_of(const Arguments& a, const std::vector<FrameReport>& frames) {
    return a.shifts.empty() ? name_of(frames.front().model) : "given";
}

Json json_of(const FrameReport& frame, const FrameFiles::Entry& entry) {
    Json json;
    json["file"] = entry.file.string();
    json["page"] = entry.page;
    json["matrix"] = frame.motion.matrix;
    json["flow"] = !frame.motion.flow.empty();
    json["sharpness"] = json_number(frame.sharpness);
    json["gain"] = json_number(frame.gain);
    json["offset"] = json_number(frame.offset);
    json["shading"] = frame.shading;
    json["equalised"] = frame.equalised;
    json["residual"] = json_number(frame.residual);
    json["overlap"] = json_number(frame.overlap);
    json["weight"] = json_number(frame.weight);
    json["weight_reason"] = frame.weight_reason;
    json["moved"] = json_number(frame.weights.empty() ? 0.0 : 1 - mean_of(frame.weights));
    return json;
}

// The report of `reconstruct`, with frames instead of views and disparity.
Json json_of(const ReconstructReport& job, const FrameFiles& files,
             const std::vector<FrameReport>& frames, const FramesOptions& options,
             const std::string& model, const std::optional<Quality>& interpolated, double seconds) {
    Json json = app::json_of(job);
    for (const char* key : {"views", "views_used", "disparity"})
        json.erase(key);
    json["options"] = json_options(job.options, solver_options());
    json["chosen"] = json_options(job.result.chosen, solver_options());
    json["reference"] = options.reference;
    json["reference_file"] = files.frames[std::size_t(options.reference)].file.string();
    json["motion_model"] = model;
    json["frames"] = Json::array();
    for (std::size_t k = 0; k < frames.size(); ++k)
        json["frames"].push_back(json_of(frames[k], files.frames[k]));
    json["frames_options"] = json_options(options, frames_options());
    json["registration_seconds"] = json_number(seconds);
    json["psnr_interpolated"] = interpolated ? json_number(interpolated->psnr) : Json(nullptr);
    json["ssim_interpolated"] = interpolated ? json_number(interpolated->ssim) : Json(nullptr);
    return json;
}

std::string summary_of(const ReconstructReport& job, const std::vector<FrameReport>& frames,
                       const std::string& model, double seconds,
                       const std::optional<Quality>& interpolated) {
    const auto used = std::count_if(frames.begin(), frames.end(),
                                    [](const FrameReport& frame) { return frame.weight > 0; });
    std::string text = fmt::format(
        "{} x {} pixels (x{}) from {} of {} frames, registered in {:.2f} s (motion: {}): {} in "
        "{:.2f} s\n",
        job.result.image.width, job.result.image.height, job.options.scale, used, frames.size(),
        seconds, model, job.result.message, job.seconds);
    if (interpolated)
        text += fmt::format("frames interpolated on the fine grid: PSNR {:.2f} dB, SSIM {:.4f}\n",
                            interpolated->psnr, interpolated->ssim);
    return text + details_of(job) + job.output + "\n";
}

// Notes on frames that count less than the others, on brightness and on motion.
std::vector<std::string> notes_on(const std::vector<FrameReport>& frames, const FrameFiles& files,
                                  const FramesOptions& options, const Image& moved) {
    std::vector<std::string> notes;
    const auto equalised = std::count_if(frames.begin(), frames.end(),
                                         [](const FrameReport& f) { return f.equalised; });
    if (options.photometric == Photometric::automatic && equalised > 0)
        notes.push_back(fmt::format(
            "the brightness of {} of {} frames was matched to the reference (--photometric off "
            "keeps it)",
            equalised, frames.size()));
    constexpr double noticed = 0.01;  // of the picture
    if (!moved.empty() && mean_of(moved) > noticed)
        notes.push_back(fmt::format(
            "{:.1f} % of the samples do not show what the reference shows and were left out "
            "(--motion-mask shows where, --motion off uses them)",
            100 * mean_of(moved)));
    for (std::size_t k = 0; k < frames.size(); ++k)
        if (!frames[k].weight_reason.empty())
            notes.push_back(fmt::format("frame {} ({}) has the weight {:.3g}: {}", k,
                                        files.frames[k].file.filename().string(), frames[k].weight,
                                        frames[k].weight_reason));
    return notes;
}

std::vector<fs::path> inputs_of(const Arguments& a, const FrameFiles& files,
                                const ReconstructOptions& options) {
    std::vector<fs::path> inputs(a.frames.begin(), a.frames.end());
    inputs.insert(inputs.end(), {a.truth, a.shifts, psf_file(options.blur)});
    for (const FrameFiles::Entry& entry : files.frames)
        inputs.push_back(entry.file);
    return inputs;
}

// One frame holds no more detail than it shows.
void require_frames(const Arguments& a, std::size_t frames) {
    if (frames == 1 && !a.single)
        throw Error(ErrorKind::input,
                    "There is one frame, and super-resolution needs at least two; --single "
                    "enlarges it alone.");
    if (frames > 1 && a.single)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("--single enlarges one frame, but {} were given", frames));
}

// Fractions as grey levels.
Image as_levels(Image fractions) {
    for (float& value : fractions.values)
        value *= 255;
    return fractions;
}

void run(const Arguments& a) {
    // Everything is checked before the long work.
    FramesOptions registration = a.frames_options.apply(FramesOptions());
    registration.validate();
    solver_options_for(a, {});
    if (!a.shifts.empty() && a.frames_options.given("register"))
        throw Error(ErrorKind::invalid_option,
                    "--shifts gives the motion and --register estimates it; use only one of them");
    a.report.require_writable();
    ImageEncoding encoding = a.encoding();
    if (!a.motion_mask.empty()) {
        if (!registration.motion)
            throw Error(ErrorKind::invalid_option,
                        "--motion-mask shows what --motion on finds; it needs --motion on");
        require_extension(a.motion_mask, {".png"});
        require_writable_file(a.motion_mask);
    }

    const FrameFiles files = list_frames({a.frames.begin(), a.frames.end()});
    ReconstructReport job;
    job.output = a.output;
    job.bits = bits_of(encoding.format);
    job.explain = a.explain;
    job.options = solver_options_for(a, files);
    job.notes = files.notes;
    for (const std::string& path : a.frames)
        for (std::string& note : unread_file_notes(path))
            job.notes.push_back(std::move(note));
    require_outputs({a.output, a.report.json, a.motion_mask}, inputs_of(a, files, job.options));
    require_frames(a, files.frames.size());
    if (registration.reference >= int(files.frames.size()))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("reference = {} must be a frame from 0 to {}",
                                registration.reference, files.frames.size() - 1));
    std::vector<FrameMotion> motions;
    const ImageInfo info = image_info(files.frames.front().file);
    const bool sharpest = registration.reference == FramesOptions::sharpest_frame;
    if (!a.shifts.empty())
        motions = motions_of(a, files, info, sharpest ? 0 : registration.reference);
    const int scale = job.options.scale;
    require_encoding(a.output, encoding.format, info.width * scale, info.height * scale);
    if (a.dry_run) {
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
    registration.clipped = files.clipped || shows_clipping(frames);
    Image truth;
    if (!a.truth.empty()) {
        const int width = frames.front().width * scale;
        const int height = frames.front().height * scale;
        require_border(job.options.border, width, height);
        truth = read_truth(a.truth, width, height, scale);
    }
    const double read_seconds = reading.seconds();

    // register
    const Stopwatch registering;
    if (sharpest) {
        registration.reference = rank_by_sharpness(frames, registration).order.front();
        job.notes.push_back(
            fmt::format("frame {} is the sharpest and the reference", registration.reference));
        if (!motions.empty())
            motions = relative_motions(std::move(motions), registration.reference);
    }
    const auto examined = [&] {
        return motions.empty() ? register_frames(frames, registration, bar.callback())
                               : examine_frames(frames, motions, registration, bar.callback());
    };
    std::vector<FrameReport> reports = examined();
    ReferenceCheck check = check_reference(frames, reports, registration, bar.callback());
    if (check.better >= 0 && a.frames_options.given("reference") && !sharpest) {
        check.reason += fmt::format("; --reference {} may suit better", check.better);
    } else if (check.better >= 0) {
        check.reason += fmt::format("; frame {} is used as the reference instead", check.better);
        registration.reference = check.better;
        if (!motions.empty()) motions = relative_motions(std::move(motions), check.better);
        reports = examined();
    }
    if (registration.best) keep_best(reports, registration.reference, *registration.best);
    const Image moved = registration.motion ? weigh_by_motion(frames, reports, registration,
                                                              job.options, bar.callback())
                                            : Image();
    const double registration_seconds = registering.seconds();
    encoding.metadata = metadata_of(files, registration.reference, job.notes);
    std::optional<Quality> interpolated;
    if (!truth.empty()) {
        std::vector<FrameMotion> found;
        found.reserve(reports.size());
        for (const FrameReport& report : reports)
            found.push_back(report.motion);
        interpolated = compare(
            interpolate_frames(frames, found, registration.reference, sampling_of(job.options)),
            truth, {.border = job.options.border});
    }

    // reconstruct
    const Image reference = truth.empty() ? Image() : frames[std::size_t(registration.reference)];
    job.result = reconstruct_frames(std::move(frames), reports, registration, job.options,
                                    bar.callback(), truth.empty() ? nullptr : &truth);
    if (check.better >= 0) job.notes.push_back(check.reason);
    if (a.single)
        job.notes.emplace_back(
            "one frame alone was enlarged: the result has no detail from other frames");
    for (std::string& note : notes_on(reports, files, registration, moved))
        job.notes.push_back(std::move(note));
    OutputBatch outputs;
    finish_reconstruct(job, reference, truth, encoding, read_seconds);
    if (!a.motion_mask.empty()) write_image(a.motion_mask, as_levels(moved));
    bar.clear();
    const std::string model = model_of(a, reports);
    a.report.write(
        json_of(job, files, reports, registration, model, interpolated, registration_seconds));
    outputs.commit();
    a.report.summary(summary_of(job, reports, model, registration_seconds, interpolated));
}

}  // namespace

Command add_frames(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand(
        "frames", "super-resolve a burst or part of a video: frames of a camera that moved");
    app.add_option("FRAMES", a->frames, "pictures, a folder of them, or a TIFF with several pages")
        .required();
    a->add_output(app,
                  "the picture to write: .png, .tif, .jpg, .webp, .exr or .pfm; - for a PNG on "
                  "standard output");
    a->frames_options.bind(app, frames_options(), FramesOptions());
    advanced(app.add_option("--shifts", a->shifts,
                            "known motions of the frames, instead of --register: a text file with "
                            "a line \"dx dy\" for each frame, in pixels of the frames (pixel x of "
                            "the frame shows x + dx of the reference; # begins a comment), or with "
                            "a 2x3 or 3x3 matrix for each; a NumPy array of them; the "
                            "lightfield.json of `plenosr degrade --frames`; or a folder of flows "
                            "(.flo, .exr, .npy), one for each frame (docs/frames.md)")
                 .type_name("FILE"));
    advanced(app.add_option("--motion-mask", a->motion_mask,
                            "write a PNG of the frames' size that shows where something moved: "
                            "white is left out of all frames but the reference, black of none")
                 .type_name("FILE"));
    advanced(app.add_flag("--single", a->single,
                          "enlarge one frame alone, which is an error otherwise"));
    a->add_solver(app, solver_options());
    a->add_report(app, "the true picture: PSNR and SSIM are reported, the result does not change");
    app.footer(footer);
    return {app, [a] {
                a->report.stdout_taken = a->output == "-";
                run(*a);
            }};
}

}  // namespace plenosr::app
