#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "plenosr/outputs.h"
#include "progress_bar.h"
#include "solve_flags.h"
#include "stopwatch.h"
#include "summaries.h"
#include "write_page.h"
#include "write_result.h"

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

ReconstructOptions solver_options_for(const Arguments& a, const FrameFiles& files) {
    return a.options_for(files.degradation, ReconstructOptions());
}

std::string summary_of(const FramesReport& r, bool explain) {
    const ReconstructReport& job = r.job;
    const std::vector<FrameReport>& frames = r.frames;
    const auto used = std::count_if(frames.begin(), frames.end(),
                                    [](const FrameReport& frame) { return frame.weight > 0; });
    std::string text = fmt::format(
        "{} x {} pixels (x{}) from {} of {} frames, registered in {:.2f} s (motion: {}): {} in "
        "{:.2f} s\n",
        job.result.image.width, job.result.image.height, job.options.scale, used, frames.size(),
        r.registration_seconds, r.motion_model, job.result.message, job.seconds);
    if (r.interpolated)
        text += fmt::format("frames interpolated on the fine grid: PSNR {:.2f} dB, SSIM {:.4f}\n",
                            r.interpolated->psnr, r.interpolated->ssim);
    return text + details_of(job, explain) + job.output + "\n";
}

std::vector<fs::path> inputs_of(const Arguments& a, const FrameFiles& files,
                                const ReconstructOptions& options) {
    std::vector<fs::path> inputs(a.frames.begin(), a.frames.end());
    inputs.insert(inputs.end(), {a.truth, a.shifts, psf_file(options.blur)});
    for (const FrameFiles::Entry& entry : files.frames)
        inputs.push_back(entry.file);
    return inputs;
}

// Fractions as grey levels.
Image as_levels(Image fractions) {
    for (float& value : fractions.values)
        value *= 255;
    return fractions;
}

void run(const Arguments& a) {
    // Everything is checked before the long work.
    FramesReport report;
    FramesOptions& registration = report.options;
    registration = a.frames_options.apply(FramesOptions());
    report.single = a.single;
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

    FrameFiles& files = report.files;
    files = list_frames({a.frames.begin(), a.frames.end()});
    ReconstructReport& job = report.job;
    job.output = a.output;
    job.bits = bits_of(encoding.format);
    job.options = solver_options_for(a, files);
    job.notes = files.notes;
    for (const std::string& path : a.frames)
        for (std::string& note : unread_file_notes(path))
            job.notes.push_back(std::move(note));
    require_outputs({a.output, a.report.json, a.motion_mask, a.page},
                    inputs_of(a, files, job.options));
    require_frames(files.frames.size(), registration, a.single);
    const ImageInfo info = image_info(files.frames.front().file);
    std::vector<FrameMotion> motions;
    if (!a.shifts.empty())
        motions = known_motions(read_motions(a.shifts, info.width, info.height),
                                files.frames.size(), registration, "The file " + a.shifts);
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

    run_frames(std::move(frames), std::move(motions), a.frames_options.given("reference"), truth,
               encoding.format, bar.callback(), report);
    encoding.metadata = metadata_of(files, registration.reference, job.notes);
    job.result.seconds.io = read_seconds;
    OutputBatch outputs;
    write_result(job, encoding);
    if (!a.motion_mask.empty()) write_image(a.motion_mask, as_levels(report.moved));
    std::string page;
    if (!a.page.empty()) {
        ViewerContent content = viewer_content(files);
        add_result(report, content);
        if (!truth.empty()) add_truth(truth, content);
        page = write_page_file(a.page, content, {}, bar.callback());
    }
    bar.clear();
    a.report.write(json_report(report));
    outputs.commit();
    a.report.summary(summary_of(report, a.explain) + page);
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
    a->add_solver(app, frames_solver_options());
    a->add_report(app, "the true picture: PSNR and SSIM are reported, the result does not change");
    app.footer(footer);
    return {app, [a] {
                a->report.stdout_taken = a->output == "-";
                run(*a);
            }};
}

}  // namespace plenosr::app
