#include <fmt/format.h>

#include <algorithm>

#include "jobs/json.h"
#include "jobs/measure_result.h"
#include "light_field/valid_values.h"
#include "plenosr/error.h"
#include "solver/solve.h"

namespace plenosr {
namespace {

double mean_of(const Image& image) {
    double sum = 0;
    for (const float value : image.values)
        sum += double(value);
    return sum / double(image.values.size());
}

// The metadata that the result takes from its reference. Adds a note if the colour profiles of the
// frames differ: colours are not converted. Frames in memory have none.
Metadata metadata_of(const FrameFiles& files, int reference, std::vector<std::string>& notes) {
    if (files.in_memory) return {};
    const FrameFiles::Entry& entry = files.frames[std::size_t(reference)];
    Metadata metadata = read_metadata(entry.file, entry.page);
    std::string first;
    int others = 0;
    for (const FrameFiles::Entry& frame : files.frames) {
        if (frame.page > 0 || frame.file == entry.file) continue;  // pages of one file are alike
        if (read_metadata(frame.file).icc_profile == metadata.icc_profile) continue;
        if (others++ == 0) first = frame.file.filename().string();
    }
    if (others > 0)
        notes.push_back(fmt::format(
            "{} of {} frames, {} first, have another colour profile than the reference {}, or only "
            "one of them has a profile; colours are not converted, and the result has the profile "
            "of the reference",
            others, files.frames.size(), first, entry.file.filename().string()));
    return metadata;
}

std::string name_of(Registration model) {
    FramesOptions options;
    options.registration = model;
    return frames_options().front().show(options);
}

Json json_of(const FrameReport& frame, const FrameFiles::Entry& entry) {
    Json json;
    json["file"] = entry.file.string();
    json["page"] = entry.page;
    json["matrix"] = frame.motion.matrix;
    json["flow"] = !frame.motion.flow.empty();
    json["sharpness"] = number(frame.sharpness);
    json["gain"] = number(frame.gain);
    json["offset"] = number(frame.offset);
    json["shading"] = frame.shading;
    json["equalised"] = frame.equalised;
    json["residual"] = number(frame.residual);
    json["overlap"] = number(frame.overlap);
    json["weight"] = number(frame.weight);
    json["weight_reason"] = frame.weight_reason;
    json["moved"] = number(frame.weights.empty() ? 0.0 : 1 - mean_of(frame.weights));
    return json;
}

// Notes on frames that count less than the others, on brightness and on motion.
std::vector<std::string> notes_on(const FramesReport& report) {
    const std::vector<FrameReport>& frames = report.frames;
    std::vector<std::string> notes;
    if (report.single)
        notes.emplace_back(
            "one frame alone was enlarged: the result has no detail from other frames");
    const auto equalised = std::count_if(frames.begin(), frames.end(),
                                         [](const FrameReport& f) { return f.equalised; });
    if (report.options.photometric == Photometric::automatic && equalised > 0)
        notes.push_back(fmt::format(
            "the brightness of {} of {} frames was matched to the reference (--photometric off "
            "keeps it)",
            equalised, frames.size()));
    constexpr double noticed = 0.01;  // of the picture
    if (!report.moved.empty() && mean_of(report.moved) > noticed)
        notes.push_back(fmt::format(
            "{:.1f} % of the samples do not show what the reference shows and were left out "
            "(--motion-mask shows where, --motion off uses them)",
            100 * mean_of(report.moved)));
    for (std::size_t k = 0; k < frames.size(); ++k)
        if (!frames[k].weight_reason.empty())
            notes.push_back(fmt::format("frame {} ({}) has the weight {:.3g}: {}", k,
                                        report.files.frames[k].file.filename().string(),
                                        frames[k].weight, frames[k].weight_reason));
    return notes;
}

}  // namespace

const std::vector<Option<ReconstructOptions>>& frames_solver_options() {
    static const std::vector<Option<ReconstructOptions>> list = [] {
        std::vector<Option<ReconstructOptions>> some = reconstruct_options();
        std::erase_if(some, [](const auto& option) { return option.views_only; });
        return some;
    }();
    return list;
}

void require_frames(std::size_t frames, const FramesOptions& options, bool single) {
    if (frames == 1 && !single)  // it holds no more detail than it shows
        throw Error(ErrorKind::input,
                    "There is one frame, and super-resolution needs at least two; --single "
                    "enlarges it alone.");
    if (frames > 1 && single)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("--single enlarges one frame, but {} were given", frames));
    if (options.reference >= int(frames))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("reference = {} must be a frame from 0 to {}", options.reference,
                                frames - 1));
}

std::vector<FrameMotion> known_motions(std::vector<FrameMotion> motions, std::size_t frames,
                                       const FramesOptions& options, const std::string& name) {
    const int reference = std::max(0, options.reference);
    const auto is_flow = [](const FrameMotion& motion) { return !motion.flow.empty(); };
    if (motions.size() + 1 == frames && std::all_of(motions.begin(), motions.end(), is_flow))
        motions.insert(motions.begin() + reference, FrameMotion());
    if (motions.size() != frames)
        throw Error(ErrorKind::input,
                    fmt::format("{} has {} shifts for {} frames.", name, motions.size(), frames));
    return relative_motions(std::move(motions), reference);
}

void run_frames(std::vector<Image> frames, std::vector<FrameMotion> motions, bool reference_given,
                const Image& truth, const ImageEncoding& encoding, const Progress& progress,
                FramesReport& report) {
    ReconstructReport& job = report.job;
    FramesOptions& registration = report.options;

    for (std::size_t i = 0; i < frames.size(); ++i)
        if (const std::string fault = invalid_value(frames[i]); !fault.empty())
            throw Error(ErrorKind::input, fmt::format("Frame {} cannot be used: {}.", i, fault));

    // register
    const Stopwatch registering;
    const auto refer_to = [&](int reference) {
        registration.reference = reference;
        if (!motions.empty()) motions = relative_motions(std::move(motions), reference);
    };
    const bool sharpest = registration.reference == FramesOptions::sharpest_frame;
    if (sharpest) {
        refer_to(rank_by_sharpness(frames, registration).order.front());
        job.notes.push_back(
            fmt::format("frame {} is the sharpest and the reference", registration.reference));
    }
    const auto examined = [&](const Progress& within) {
        return motions.empty() ? register_frames(frames, registration, within)
                               : examine_frames(frames, motions, registration, within);
    };
    std::vector<FrameReport>& reports = report.frames;
    reports = examined(progress);
    ReferenceCheck check = check_reference(frames, reports, registration, progress);
    if (check.better >= 0 && reference_given && !sharpest) {
        check.reason += fmt::format("; --reference {} may suit better", check.better);
    } else if (check.better >= 0) {
        check.reason += fmt::format("; frame {} is used as the reference instead", check.better);
        refer_to(check.better);
        reports = examined([&](const ProgressEvent& event) {
            const bool again = event.stage == "registering";
            return plenosr::report(progress, {again ? "registering again" : event.stage, event.step,
                                              event.steps, 0, event.fraction});
        });
    }
    report.motion_model = motions.empty() ? name_of(reports.front().model) : "given";
    if (registration.best) keep_best(reports, registration.reference, *registration.best);
    if (registration.motion)
        report.moved = weigh_by_motion(frames, reports, registration, job.options, progress);
    report.registration_seconds = registering.seconds();
    if (!truth.empty()) {
        std::vector<FrameMotion> found;
        found.reserve(reports.size());
        for (const FrameReport& frame : reports)
            found.push_back(frame.motion);
        report.interpolated = compare(
            interpolate_frames(frames, found, registration.reference, sampling_of(job.options)),
            truth, {.border = job.options.border});
    }

    // reconstruct
    const Image reference = truth.empty() ? Image() : frames[std::size_t(registration.reference)];
    job.result = reconstruct_frames(std::move(frames), reports, registration, job.options, progress,
                                    truth.empty() ? nullptr : &truth);
    if (check.better >= 0) job.notes.push_back(check.reason);
    for (std::string& note : notes_on(report))
        job.notes.push_back(std::move(note));
    job.metadata = metadata_of(report.files, registration.reference, job.notes);
    measure_result(reference, truth, encoding, job);
}

// The report of `reconstruct`, with frames instead of views and disparity.
std::string json_report(const FramesReport& r) {
    Json json = json_of(r.job);
    for (const char* key : {"crop", "views", "views_used", "disparity"})
        json.erase(key);
    json["options"] = json_options<Json>(r.job.options, frames_solver_options());
    json["chosen"] = json_options<Json>(r.job.result.chosen, frames_solver_options());
    json["reference"] = r.options.reference;
    json["reference_file"] = r.files.frames[std::size_t(r.options.reference)].file.string();
    json["motion_model"] = r.motion_model;
    json["frames"] = Json::array();
    for (std::size_t k = 0; k < r.frames.size(); ++k)
        json["frames"].push_back(json_of(r.frames[k], r.files.frames[k]));
    json["frames_options"] = json_options<Json>(r.options, frames_options());
    json["registration_seconds"] = number(r.registration_seconds);
    json["psnr_interpolated"] = r.interpolated ? number(r.interpolated->psnr) : Json(nullptr);
    json["ssim_interpolated"] = r.interpolated ? number(r.interpolated->ssim) : Json(nullptr);
    return text_of(json);
}

}  // namespace plenosr
