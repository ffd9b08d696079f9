#include <fmt/format.h>

#include "jobs/json.h"
#include "jobs/measure_result.h"
#include "plenosr/error.h"
#include "solver/solve.h"

namespace plenosr {
namespace {

Json json_of(const FrameReport& frame, const FrameFiles::Entry& entry) {
    Json json;
    json["file"] = entry.file.string();
    json["page"] = entry.page;
    json["matrix"] = frame.motion.matrix;
    json["flow"] = !frame.motion.flow.empty();
    json["gain"] = number(frame.gain);
    json["offset"] = number(frame.offset);
    json["residual"] = number(frame.residual);
    json["overlap"] = number(frame.overlap);
    json["weight"] = number(frame.weight);
    json["weight_reason"] = frame.weight_reason;
    return json;
}

// One note for each frame that counts less than the others.
std::vector<std::string> notes_on(const std::vector<FrameReport>& frames, const FrameFiles& files) {
    std::vector<std::string> notes;
    for (std::size_t k = 0; k < frames.size(); ++k)
        if (!frames[k].weight_reason.empty())
            notes.push_back(fmt::format("frame {} ({}) has the weight {:.3g}: {}", k,
                                        files.frames[k].file.filename().string(), frames[k].weight,
                                        frames[k].weight_reason));
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

void require_frames(std::size_t frames, const FramesOptions& options,
                    const std::vector<Place>& shifts, const std::string& name) {
    if (std::size_t(options.reference) >= frames)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("reference = {} must be a frame from 0 to {}", options.reference,
                                frames - 1));
    if (!shifts.empty() && shifts.size() != frames)
        throw Error(ErrorKind::input,
                    fmt::format("{} has {} shifts for {} frames.", name, shifts.size(), frames));
}

std::vector<FrameMotion> motions_of(const std::vector<Place>& shifts, int reference) {
    std::vector<FrameMotion> motions;
    motions.reserve(shifts.size());
    const Place& origin = shifts[std::size_t(reference)];
    for (const Place& shift : shifts)
        motions.push_back(FrameMotion::translation(shift.x - origin.x, shift.y - origin.y));
    return motions;
}

void run_frames(std::vector<Image> frames, const std::vector<Place>& shifts, bool reference_given,
                const Image& truth, PixelFormat format, const Progress& progress,
                FramesReport& report) {
    ReconstructReport& job = report.job;
    FramesOptions& registration = report.options;

    // register
    const Stopwatch registering;
    const auto examined = [&] {
        return shifts.empty() ? register_frames(frames, registration, progress)
                              : examine_frames(frames, motions_of(shifts, registration.reference),
                                               registration, progress);
    };
    std::vector<FrameReport>& reports = report.frames;
    reports = examined();
    ReferenceCheck check = check_reference(frames, reports, registration, progress);
    if (check.better >= 0 && reference_given) {
        check.reason += fmt::format("; --reference {} may suit better", check.better);
    } else if (check.better >= 0) {
        check.reason += fmt::format("; frame {} is used as the reference instead", check.better);
        registration.reference = check.better;
        reports = examined();
    }
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
    for (std::string& note : notes_on(reports, report.files))
        job.notes.push_back(std::move(note));
    measure_result(reference, truth, format, job);
}

// The report of `reconstruct`, with frames instead of views and disparity.
std::string json_report(const FramesReport& r) {
    Json json = json_of(r.job);
    for (const char* key : {"views", "views_used", "disparity"})
        json.erase(key);
    json["options"] = json_options<Json>(r.job.options, frames_solver_options());
    json["chosen"] = json_options<Json>(r.job.result.chosen, frames_solver_options());
    json["reference"] = r.options.reference;
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
