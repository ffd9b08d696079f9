#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "base/output_batch.h"
#include "devices/make_engines.h"
#include "estimate_blur.h"
#include "io/image_file.h"
#include "io/jpeg.h"
#include "jobs/measure_result.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "solver/solve.h"

namespace plenosr {
namespace {

constexpr int least_side = 48;     // pixels: too small to measure a shift
constexpr int largest_side = 768;  // pixels: the middle of larger pictures suffices

// The middle of a picture, at most largest_side wide and high.
Image middle_of(const Image& image) {
    const int width = std::min(image.width, largest_side);
    const int height = std::min(image.height, largest_side);
    return luma(
        crop(image, {(image.width - width) / 2, (image.height - height) / 2, width, height}));
}

// A note if the true picture is displaced against the result by a fifth of a pixel or more; else
// empty.
std::string displaced_truth_note(const Image& result, const Image& truth,
                                 const SamplingGrid& sampling) {
    constexpr double noticed = 0.2;  // pixels
    constexpr double alike = 0.15;   // pixels: tolerance of the estimated shift
    if (std::min(truth.width, truth.height) < least_side) return {};
    // The result shows at q what the truth shows at q + shift: shift = true phase - assumed phase.
    FramesOptions shift;
    shift.registration = Registration::translation;
    const FrameMotion motion =
        register_frames({middle_of(truth), middle_of(result)}, shift)[1].motion;
    const double x = motion.matrix[2];
    const double y = motion.matrix[5];
    const double largest = std::max(std::abs(x), std::abs(y));
    if (!(largest >= noticed)) return {};
    std::string text = fmt::format(
        "the true picture is displaced against the result by {:.2f} pixels to the right and {:.2f} "
        "down",
        x, y);
    const double phase = sampling.phase + (x + y) / 2;
    for (const char* name : {"corner", "centre"}) {
        const double named = sampling_grid({}, {name}, sampling.scale).phase;
        if (std::abs(x - y) < alike && std::abs(phase - named) < alike && named != sampling.phase)
            return text + fmt::format(": the pixels of the views seem to lie at --phase {}, not {}",
                                      name, phase_spec(sampling).text);
    }
    return text + "; it may show another view, or have been resized";
}

std::vector<ViewPosition> views_for(const std::string& selection, const LightFieldIndex& index,
                                    ViewPosition reference) {
    auto views = select_views(selection, reference, index.positions());
    if (std::find(views.begin(), views.end(), reference) == views.end())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("views = {} must contain the view {} that is reconstructed",
                                selection, to_string(reference)));
    return views;
}

// Puts the views in order and reads them. Sets reference, views, disparity and notes of the report.
LightFieldView read_input(LightFieldSource& source, const ViewChoice& choice,
                          const OpenOptions& open, const Progress& progress,
                          ReconstructReport& report) {
    const ViewOrder order = put_in_order(source, open, progress);
    if (report.views.empty() || !order.is_right()) choose_views(source, choice, order, report);
    report.notes.insert(report.notes.end(), source.notes.begin(), source.notes.end());
    return read_views(source, report.views, progress);
}

}  // namespace

ReconstructOptions with_record(ReconstructOptions options,
                               const std::optional<DegradeOptions>& record) {
    options.blur.text = "auto";
    if (!record) return options;
    options.scale = record->scale;
    if (!record->blur.text.empty()) options.blur = record->blur;
    // Also with another --blur, --phase stays as recorded.
    options.phase = phase_spec(sampling_grid(record->blur, record->phase, record->scale));
    return options;
}

SamplingGrid sampling_of(const ReconstructOptions& options) {
    return sampling_grid(options.blur, options.phase, options.scale);
}

std::filesystem::path film_file(const std::filesystem::path& output) {
    std::filesystem::path file = output;
    return file.replace_extension(".iterations.tif");
}

void write_film(const std::filesystem::path& file, const std::vector<KeptIteration>& film,
                PixelFormat format) {
    std::vector<const Image*> pages;
    pages.reserve(film.size());
    for (const KeptIteration& kept : film)
        pages.push_back(&kept.image);
    ImageEncoding encoding;
    encoding.format = format;
    write_output_file(file, io::encode_pages(file, pages, encoding));
}

Image as_written(Image image, PixelFormat format) {
    if (format == PixelFormat::float32) return image;
    const float steps = format == PixelFormat::bits16 ? 65535.0F / 255.0F : 1.0F;
    for (float& value : image.values)
        value = std::round(std::clamp(value, 0.0F, 255.0F) * steps) / steps;
    return image;
}

Image as_written(const Image& image, const std::filesystem::path& file,
                 const ImageEncoding& encoding) {
    return is_lossy(file) ? io::through_lossy_file(image, file, encoding)
                          : as_written(image, encoding.format);
}

void require_one_of(const std::string& name, const std::string& value, const std::string& words) {
    if (value.find('|') == std::string::npos && !value.empty() &&
        ("|" + words + "|").find("|" + value + "|") != std::string::npos)
        return;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} = {} must be one of {}", name, value, words));
}

void require_border(int border, int width, int height) {
    constexpr int least = 11;  // pixels per side that SSIM needs
    const int most = (std::min(width, height) - least) / 2;
    if (border > 0 && border > most)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("border = {} must be at most {}, so that it leaves {}x{} pixels of "
                                "the result of {}x{}",
                                border, std::max(0, most), least, least, width, height));
}

void require_blur_of_part(const BlurSpec& blur, const LightFieldIndex& index) {
    if (index.part.width > 0 && is_psf_grid(blur))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("crop cannot be used with blur = {}, which belongs to whole views; "
                                "give another blur or leave out crop",
                                blur.text));
}

void choose_views(const LightFieldSource& source, const ViewChoice& choice, const ViewOrder& order,
                  ReconstructReport& report) {
    const LightFieldIndex& index = source.index;
    require_blur_of_part(report.options.blur, index);
    report.part = index.part;
    report.reference = reference_for(choice.view, index);
    report.views = views_for(choice.views, index, report.reference);
    report.disparity =
        choice.map.empty()
            ? choose_disparity(index, report.reference, choice.disparity, choice.disparity_from,
                               order)
            : DisparityChoice{index.path, "array", part_of(index, choice.map, "the disparity map")};
    if (report.disparity.from != "estimate")
        require_disparity(report.disparity.map, index.image.width, index.image.height,
                          report.options.scale, report.disparity.file.string());
}

void run_reconstruct(LightFieldSource& source, const ViewChoice& choice, const OpenOptions& open,
                     const Image& truth, const ImageEncoding& encoding, const Progress& progress,
                     ReconstructReport& report) {
    const Stopwatch reading;
    const auto light_field = read_input(source, choice, open, progress, report);
    const double read_seconds = reading.seconds();

    const Image* known = truth.empty() ? nullptr : &truth;
    report.result =
        report.disparity.from == "estimate"
            ? reconstruct(light_field, report.reference, report.options, progress, known)
            : reconstruct(light_field, report.reference, report.disparity.map, report.options,
                          progress, known);
    report.result.seconds.io = read_seconds;
    report.metadata = read_metadata(source.index, report.reference);
    measure_result(light_field.find(report.reference)->image, truth, encoding, report);
}

ForwardOperator make_operator(LightFieldSource& source, const ViewChoice& choice,
                              const OpenOptions& open, const Progress& progress,
                              ReconstructReport& report) {
    const auto light_field = read_input(source, choice, open, progress, report);
    ReconstructOptions& o = report.options;
    const auto of_views = [&](const LightFieldView& views) -> ForwardOperator {
        const Image& map = report.disparity.map;
        if (is_automatic(o.blur)) {
            report.result.blur =
                estimate_blur(make_engines(o, progress), views, report.reference, map, o, progress);
            o.blur = report.result.blur->blur;
        }
        return {views, report.reference, map, o, progress};
    };
    if (report.disparity.from != "estimate") return of_views(light_field);
    DisparityResult found =
        finished(estimate_disparity(light_field, report.reference, matching_options(o), progress));
    const LightFieldView fewer = without(light_field, found.left_out);
    report.disparity.map = std::move(found.disparity);
    report.result.estimated = std::move(found);
    return of_views(fewer);
}

void measure_result(const ImageView& reference, const Image& truth, const ImageEncoding& encoding,
                    ReconstructReport& report) {
    report.seconds = report.result.wall_seconds;
    const Termination end = report.result.termination;
    if (truth.empty() || (end != Termination::converged && end != Termination::max_iterations))
        return;
    const QualityOptions inside{.border = report.options.border};
    const SamplingGrid sampling = sampling_of(report.options);
    const auto quality = [&](const Image& image) {
        return compare(as_written(image, report.output, encoding), truth, inside);
    };
    report.bicubic = quality(enlarge_view(reference, sampling));
    report.initial = quality(report.result.initial);
    report.final = quality(report.result.image);
    const std::string note = displaced_truth_note(report.result.image, truth, sampling);
    if (!note.empty()) report.notes.push_back(note);
}

}  // namespace plenosr
