#include "reconstruct_view.h"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "devices/make_engines.h"
#include "estimate_blur.h"
#include "light_field/image_bytes.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"
#include "solve_tiles.h"
#include "tiles/film.h"

namespace plenosr {
namespace {

// Engines count pixels and samples with ints.
void check_size(const LightFieldView& light_field, const Setup& setup) {
    const int scale = setup.options.scale;
    const double low = double(light_field.width()) * light_field.height() *
                       solved_channels(setup.options, light_field.channels());
    const double most = std::numeric_limits<int>::max();
    if (low * double(light_field.views.size()) > most || low * scale * scale > most)
        throw Error(ErrorKind::input,
                    fmt::format("{} views of {} x {} pixels at scale {} are more than the engine "
                                "can index; use fewer views or a smaller scale",
                                light_field.views.size(), light_field.width(), light_field.height(),
                                scale));
}

TilesReport report_of(const TilePlan& plan, const std::string& device) {
    TilesReport report;
    report.device = device;
    report.count = int(plan.tiles.size());
    report.width = plan.width();
    report.height = plan.height();
    report.overlap = plan.overlap;
    report.normal = plan.normal == NormalForm::direct     ? "direct"
                    : plan.normal == NormalForm::periodic ? "periodic"
                                                          : "stencil";
    report.memory_estimate = plan.bytes;
    return report;
}

std::optional<std::size_t> limit_of(const ReconstructOptions& o) {
    return o.memory_limit > 0 ? std::optional(o.memory_limit) : std::nullopt;
}

}  // namespace

std::size_t index_of_reference(const LightFieldView& light_field, ViewPosition reference) {
    const PlacedView* view = light_field.find(reference);
    if (view == nullptr)
        throw Error(ErrorKind::input, fmt::format("the view {} that is to be reconstructed is not "
                                                  "among the views",
                                                  to_string(reference)));
    return std::size_t(view - light_field.views.data());
}

Setup checked_setup(const LightFieldView& light_field, ViewPosition reference,
                    const Image& disparity, const ReconstructOptions& o,
                    const EarlierResults& earlier) {
    light_field.validate();
    require_disparity(disparity, light_field.width(), light_field.height(), o.scale, "given");
    std::vector<ViewPosition> positions;
    for (const PlacedView& view : light_field.views)
        positions.push_back(view.position);
    Setup setup = light_field_setup(light_field.width(), light_field.height(),
                                    light_field.channels(), positions, reference, disparity, o);
    setup.held_bytes += earlier.held_bytes;
    return setup;
}

std::vector<TilesReport> plan_reconstruct(const LightFieldSize& size, ViewPosition reference,
                                          const Image& disparity,
                                          const ReconstructOptions& options) {
    options.validate();
    ReconstructOptions given = options;
    if (is_automatic(given.blur)) given.blur = BlurSpec();  // the views are not known
    require_disparity(disparity, size.width, size.height, given.scale, "given");
    return plan_view(make_engines(given),
                     light_field_setup(size.width, size.height, size.channels, size.views,
                                       reference, disparity, given));
}

std::vector<TilesReport> plan_view(const Engines& engines, const Setup& setup) {
    const TilePlan plan = plan_tiles(setup, engines, limit_of(setup.options));
    require_process_memory(plan, setup);
    std::vector<TilesReport> reports;
    for (const auto& engine : engines)
        reports.push_back(report_of(plan, engine->name()));
    return reports;
}

ImageStatistics survey_view(const Engines& engines, const LightFieldView& light_field,
                            ViewPosition reference, const Image& disparity,
                            const ReconstructOptions& given, const Progress& progress,
                            const EarlierResults& earlier) {
    const Setup setup = checked_setup(light_field, reference, disparity, given, earlier);
    const Views views{light_field, index_of_reference(light_field, reference), given.colour};
    const TilePlan plan = plan_tiles(setup, engines, limit_of(given));
    require_process_memory(plan, setup);
    const EarlierResults none;
    return survey_tiles({engines, setup, views, given, progress, Image(), none}, plan).statistics;
}

ReconstructResult reconstruct_view(const Engines& engines, const LightFieldView& light_field,
                                   ViewPosition reference, const Image& disparity,
                                   const ReconstructOptions& given, const Progress& progress,
                                   const Image* truth, const EarlierResults& earlier) {
    const Setup setup = checked_setup(light_field, reference, disparity, given, earlier);
    const Views views{light_field, index_of_reference(light_field, reference), given.colour};
    return reconstruct_view(engines, setup, views, given, progress, truth, earlier);
}

ReconstructResult reconstruct_view(const Engines& engines, const Setup& setup, const Views& views,
                                   const ReconstructOptions& given, const Progress& progress,
                                   const Image* truth, const EarlierResults& earlier) {
    const TileGeometry& geometry = setup.geometry;
    check_size(views.light_field, setup);
    const Image known_truth =
        truth != nullptr ? crop_truth(*truth, geometry.width(), geometry.height(), geometry.scale())
                         : Image();

    // If a device lacks the memory it promised, the tiles are made smaller.
    constexpr int retries = 3;
    TilePlan plan = plan_tiles(setup, engines, limit_of(setup.options));
    const std::size_t truths =
        truth != nullptr ? image_bytes(*truth) + image_bytes(known_truth) : 0;
    require_process_memory(
        plan, setup,
        truths + Film::bytes_for(setup.options, geometry.width(), geometry.height(),
                                 views.light_field.channels()));
    for (int attempt = 0;; ++attempt) {
        std::string failure;
        try {
            ReconstructResult result =
                solve_tiles({engines, setup, views, given, progress, known_truth, earlier}, plan);
            result.tiles = report_of(plan, result.device);
            return result;
        } catch (const OutOfMemory& error) {
            failure = error.what();
        } catch (const std::bad_alloc&) {
            failure = "an allocation failed";
        }
        const auto smaller = setup.options.solver == Solver::admm && attempt < retries
                                 ? find_plan(setup, engines, plan.bytes / 2)
                                 : std::nullopt;
        if (!smaller)
            throw Error(ErrorKind::memory,
                        fmt::format("there is not enough memory for {} tiles of {} x {} pixels "
                                    "({}); use fewer views or a smaller --memory-limit",
                                    plan.tiles.size(), plan.width(), plan.height(), failure));
        plan = *smaller;
    }
}

Image enlarge_view(const ImageView& view, const SamplingGrid& sampling) {
    return make_engines(ReconstructOptions()).front()->enlarge_bicubic(to_image(view), sampling);
}

}  // namespace plenosr
