#include "self_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "light_field/rising_spectrum.h"
#include "tiles/colour.h"
#include "tiles/region_verdicts.h"
#include "tiles/summary.h"

namespace plenosr {
namespace {

// Of the draft. More change the predictions by less than 1 % (boardgames, dishes, bikes).
constexpr int draft_iterations = 5;
// With fewer samples per pixel of the result, a left-out sample is known by itself only: drafts of
// right results predict those of the reference up to 1.7 times worse than bicubic (kodim19, four
// frames without noise), a registration that is wrong by two pixels 1.9 to 2.5 times (`curved`).
// With 1.4 or 1.5 kodim08 and kodim19 keep their results and the wrong registration is found; with
// 1.6 it is not.
constexpr double few_samples = 1.5;
constexpr double allowance_of_few = 1.4;

std::string reason_to_skip(const ReconstructionJob& job, const SolveOptions& options) {
    const TileGeometry& g = job.setup.geometry;
    if (g.views().size() < 2) return "there is one picture only";
    if (std::min(g.low_width(), g.low_height()) < RegionVerdicts::least_side_px)
        return fmt::format("the pictures are smaller than {0} x {0} pixels",
                           RegionVerdicts::least_side_px);
    if (options.iterations == 0) return "without iterations the initial image is the result";
    if (job.setup.options.operator_form == OperatorForm::chain)
        return "it needs --operator sampling";
    return {};
}

}  // namespace

SelfChecker::SelfChecker(const ReconstructionJob& job, const TilePlan& plan,
                         const ImageStatistics& statistics, const ValueLimits& limits,
                         const SolveOptions& options)
    : job_(job),
      plan_(plan),
      limits_(limits),
      options_(options),
      noise_(statistics.noise),
      samples_per_pixel_(double(statistics.samples) / job.setup.geometry.pixels()),
      parts_(plan.tiles.size()) {
    if (!job.setup.options.self_check || statistics.noise.sensor <= job.earlier.check_above_noise)
        return;
    report_ = SelfCheck();
    report_->skipped = reason_to_skip(job, options);
    is_on_ = report_->skipped.empty();
    options_.plug_and_play.reset();
    options_.weights = false;
    options_.iterations = std::min(options.iterations, draft_iterations);
}

LeftOutSamples SelfChecker::choose(const Problem& problem) const {
    if (!is_on_) return {};
    return {problem, job_.views.reference, limits_, noise_.residual};
}

void SelfChecker::check(std::size_t i, TileProblem& tile, LeftOutSamples left_out, Engine& engine,
                        const Progress& progress) {
    if (!is_on_) return;
    const Stopwatch watch;
    const Charge charge(left_out.bytes());
    const Monitor monitor = [&](IterationReport& row, const auto&) {
        return report(progress, {"checking", row.iteration, options_.iterations, row.cost});
    };
    left_out.leave_out(tile.problem);
    const Solution draft =
        engine.solve(tile.problem, tile.start, job_.setup.options.solver, options_, monitor);
    left_out.put_back(tile.problem);
    Termination end = draft.summary.termination;
    if (!report_end(progress, "checking", draft.summary)) end = Termination::cancelled;
    const bool ended = end == Termination::converged || end == Termination::max_iterations;
    const Tile& at = plan_.tiles[i];
    const PredictionErrors none(at.box, job_.setup.options.scale);
    parts_[i] = {none, none};
    if (ended)
        engine.run([&] {
            using Of = PredictionErrors::Of;
            for (const Of views : {Of::other_views, Of::reference})
                (views == Of::reference ? parts_[i].reference : parts_[i].others)
                    .add(views, tile.problem, job_.views.reference, left_out, draft.image, at.box,
                         at.core, limits_, noise_);
        });
    if (end == Termination::cancelled) stopped_ = true;
    if (!ended) failed_ = true;
    const std::scoped_lock lock(mutex_);
    report_->seconds += watch.seconds();
}

void SelfChecker::finish(ReconstructResult& result) {
    if (!report_) return;
    if (failed_) report_->skipped = "the draft of the result diverged";
    if (report_->skipped.empty()) {
        const TileGeometry& g = job_.setup.geometry;
        PredictionErrors others({0, 0, g.width(), g.height()}, g.scale());
        PredictionErrors reference = others;
        for (const Part& part : parts_) {
            others.add(part.others);
            reference.add(part.reference);
        }
        RegionVerdicts verdicts(others, reference,
                                samples_per_pixel_ < few_samples ? allowance_of_few : 1);
        const SpectrumVotes votes = rising_spectrum(
            result.image, to_image(job_.views.light_field.views[job_.views.reference].image),
            g.scale());
        if (votes.is_significant()) {
            verdicts.reject_all();
            result.notes.push_back(fmt::format(
                "the result is sharpened too far: its spectrum rises with the frequency in {} of "
                "{} parts, where that of the {} falls; --blur {} is far too wide",
                votes.rising, votes.windows, job_.setup.geometry.of_frames() ? "frames" : "views",
                job_.setup.options.blur.text));
        }
        report_->regions = verdicts.regions();
        report_->better = verdicts.better();
        report_->worse = verdicts.worse();
        report_->rms = verdicts.rms_model();
        report_->rms_bicubic = verdicts.rms_bicubic();
        report_->gains = verdicts.gains();
        if (verdicts.regions() == 0) report_->skipped = "too few samples could be left out";
        if (verdicts.worse() > 0) fall_back(verdicts, result);
    }
    const SelfCheck& r = *report_;
    result.explanation.push_back(
        !r.skipped.empty()
            ? fmt::format("--self-check on: there was no check: {}.", r.skipped)
            : fmt::format("--self-check on: one sample in ten of the {0} was left out of a "
                          "draft and predicted, with an error of {1:.3g} grey levels, and of "
                          "{2:.3g} from the enlarged reference alone; the result was better in {3} "
                          "of {4} regions, and significantly worse in {5}.",
                          job_.setup.geometry.of_frames() ? "frames" : "views", r.rms,
                          r.rms_bicubic, r.better, r.regions, r.worse));
    if (r.fallback > 0)
        result.notes.push_back(fmt::format(
            "{:.1f} % of the picture are the enlarged reference alone (--self-check off keeps the "
            "result): the result explains the {} worse there; the {}, the order or the blur "
            "may be wrong, or the scene may have moved",
            100 * r.fallback, job_.setup.geometry.of_frames() ? "frames" : "views",
            job_.setup.geometry.of_frames() ? "registration" : "disparity"));
    result.self_check = report_;
}

void SelfChecker::fall_back(const RegionVerdicts& verdicts, ReconstructResult& result) {
    const TileGeometry& g = job_.setup.geometry;
    RegionVerdicts::Shares shares(verdicts, g.width(), g.height(), g.scale());
    double sum = 0;
    const ImageView& reference = job_.views.light_field.views[job_.views.reference].image;
    enlarge_in_bands(reference, g.sampling(), *job_.engines.front(),
                     [&](int begin, const Image& enlarged) {
                         for (int y = 0; y < enlarged.height; ++y) {
                             const std::vector<float>& row = shares.row(begin + y);
                             for (int x = 0; x < enlarged.width; ++x) {
                                 const float share = row[std::size_t(x)];
                                 sum += double(share);
                                 if (share == 0.0F) continue;
                                 for (int c = 0; c < enlarged.channels; ++c) {
                                     float& value = result.image.at(begin + y, x, c);
                                     value += share * (enlarged.at(y, x, c) - value);
                                 }
                             }
                         }
                     });
    report_->fallback = sum / g.pixels();
}

}  // namespace plenosr
