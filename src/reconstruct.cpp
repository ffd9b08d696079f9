#include "plenosr/reconstruct.h"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"
#include "solve_tiles.h"

namespace plenosr {
namespace {

// The engine counts pixels and samples with ints.
void check_size(const LightField& light_field, const ReconstructOptions& o) {
    const double channels = o.colour == Colour::luma ? 1 : light_field.channels();
    const double low = double(light_field.width()) * light_field.height() * channels;
    const double most = std::numeric_limits<int>::max();
    if (low * double(light_field.views.size()) > most || low * o.scale * o.scale > most)
        throw Error(ErrorKind::input,
                    fmt::format("{} views of {} x {} pixels at scale {} are more than the engine "
                                "can index; use fewer views or a smaller scale",
                                light_field.views.size(), light_field.width(), light_field.height(),
                                o.scale));
}

std::vector<const Engine*> pointers(const Engines& engines) {
    std::vector<const Engine*> result;
    for (const auto& engine : engines)
        result.push_back(engine.get());
    return result;
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

PsfGrid psf_for(const ReconstructOptions& o, int low_width, int low_height) {
    return make_psf_grid(o.blur, o.scale, low_width * o.scale, low_height * o.scale);
}

int solved_channels(const ReconstructOptions& o, int channels) {
    return o.colour == Colour::luma ? 1 : channels;
}

std::vector<TilesReport> plan_reconstruct(const LightFieldSize& size, ViewPosition reference,
                                          const Image& disparity, const ReconstructOptions& given) {
    given.validate();
    require_disparity(disparity, size.width, size.height, given.scale, "given");
    return plan_with(
        make_engines(given),
        Tiling(size.width, size.height, solved_channels(given, size.channels), size.views,
               reference, disparity, psf_for(given, size.width, size.height), given));
}

std::vector<TilesReport> plan_with(const Engines& engines, const Tiling& tiling) {
    const TilePlan plan = plan_tiles(tiling, pointers(engines), limit_of(tiling.options()));
    std::vector<TilesReport> reports;
    for (const auto& engine : engines)
        reports.push_back(report_of(plan, engine->name()));
    return reports;
}

namespace {

// The light field and the options, checked, as the passes want them: with the model chosen.
struct Checked {
    Tiling tiling;
    Views views;
};
Checked check(const LightField& light_field, ViewPosition reference, const Image& disparity,
              const ReconstructOptions& o) {
    light_field.validate();
    const View* centre = light_field.find(reference);
    if (centre == nullptr)
        throw Error(ErrorKind::input, fmt::format("the view {} that is to be reconstructed is not "
                                                  "among the views",
                                                  to_string(reference)));
    require_disparity(disparity, light_field.width(), light_field.height(), o.scale, "given");
    std::vector<ViewPosition> positions;
    for (const View& view : light_field.views)
        positions.push_back(view.position);
    return {Tiling(light_field.width(), light_field.height(),
                   solved_channels(o, light_field.channels()), positions, reference, disparity,
                   psf_for(o, light_field.width(), light_field.height()), o),
            Views{light_field, std::size_t(centre - light_field.views.data()), o.colour}};
}

}  // namespace

ImageStatistics survey_with(const Engines& engines, const LightField& light_field,
                            ViewPosition reference, const Image& disparity,
                            const ReconstructOptions& given, const Progress& progress) {
    const auto [tiling, views] = check(light_field, reference, disparity, given);
    const TilePlan plan = plan_tiles(tiling, pointers(engines), limit_of(given));
    return survey_tiles({engines, tiling, views, given, tiling.options(), progress, Image(),
                         EarlierResults()},
                        plan, value_limits(light_field))
        .wide;
}

ReconstructResult reconstruct_with(const Engines& engines, const LightField& light_field,
                                   ViewPosition reference, const Image& disparity,
                                   const ReconstructOptions& given, const Progress& progress,
                                   const Image* truth, const EarlierResults& before) {
    const auto [tiling, views] = check(light_field, reference, disparity, given);
    return reconstruct_with(engines, tiling, views, given, progress, truth, before);
}

ReconstructResult reconstruct_with(const Engines& engines, const Tiling& tiling, const Views& views,
                                   const ReconstructOptions& given, const Progress& progress,
                                   const Image* truth, const EarlierResults& before) {
    const ReconstructOptions& o = tiling.options();
    check_size(views.light_field, o);
    const Image known =
        truth != nullptr ? crop_truth(*truth, tiling.width(), tiling.height(), o.scale) : Image();

    // A device without the memory it promised gets smaller tiles.
    constexpr int retries = 3;
    TilePlan plan = plan_tiles(tiling, pointers(engines), limit_of(o));
    for (int attempt = 0;; ++attempt) {
        std::string refusal;
        try {
            ReconstructResult result =
                run({engines, tiling, views, given, o, progress, known, before}, plan);
            result.tiles = report_of(plan, result.device);
            return result;
        } catch (const OutOfMemory& error) {
            refusal = error.what();
        } catch (const std::bad_alloc&) {
            refusal = "an allocation failed";
        }
        const auto smaller = o.solver == Solver::admm && attempt < retries
                                 ? find_plan(tiling, pointers(engines), plan.bytes / 2)
                                 : std::nullopt;
        if (!smaller)
            throw Error(ErrorKind::memory,
                        fmt::format("there is not enough memory for {} tiles of {} x {} pixels "
                                    "({}); use fewer views or a smaller --memory-limit",
                                    plan.tiles.size(), plan.width(), plan.height(), refusal));
        plan = *smaller;
    }
}

Image enlarge_view(const Image& view, int scale) {
    return make_engines(ReconstructOptions()).front()->enlarge_bicubic(view, scale);
}

}  // namespace plenosr
