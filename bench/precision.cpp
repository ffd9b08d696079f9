#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "backends/cpu/backend.h"
#include "backends/cpu/initial.h"
#include "benches.h"
#include "noise/residual_noise.h"
#include "plenosr/disparity.h"
#include "plenosr/io.h"
#include "plenosr/metrics.h"
#include "plenosr/synth.h"
#include "problem/geometry.h"
#include "problem/mean_weight.h"
#include "problem/planar_layout.h"
#include "solver/admm.h"

namespace plenosr::bench {
namespace {

struct Scene {
    std::string name;
    LightField light_field;  // 5 x 5 views at full size
    ViewPosition reference;
    Image disparity;
};

Scene load_scene(int size) {
    const char* data = std::getenv("PLENOSR_DATA");
    if (data != nullptr) {
        const auto folder = std::filesystem::path(data) / "hci" / "vinyl";
        if (std::filesystem::exists(folder)) {
            const LightFieldIndex index = index_light_field(folder);
            const ViewPosition centre = index.grid.centre();
            return {"vinyl",
                    read_light_field(index, select_views("5x5", centre, index.positions())), centre,
                    read_pfm(index.disparity)};
        }
    }
    SynthOptions o;
    o.rows = o.cols = 5;
    o.width = o.height = size;
    o.channels = 1;
    SynthResult made = synthesise(o);
    const ViewPosition centre = made.light_field.grid.centre();
    const auto at = std::size_t(made.light_field.find(centre) - made.light_field.views.data());
    return {"the rendered scene `" + o.scene + "`", std::move(made.light_field), centre,
            made.disparity[at]};
}

// The problem that reconstruct() would solve with its default options, and its initial image.
struct Prepared {
    Problem problem;
    std::vector<float> start;
    double lambda = 0;
};

Prepared prepare(const Scene& scene, const DegradeOptions& degradation, int threads) {
    const LightField low = degrade(scene.light_field, degradation);
    const int scale = degradation.scale;
    const Image disparity = disparity_at_full_size(reduce_disparity(scene.disparity, scale),
                                                   low.width(), low.height(), scale, scene.name);
    const Psf psf = make_psf(degradation.blur, scale);
    const auto geometry = view_geometry(
        whole_image(low, scene.reference, disparity, psf, scale, OperatorForm::sampling), {});
    std::vector<Image> views;
    for (const View& view : low.views)
        views.push_back(view.image);
    const cpu::Parallel parallel(threads);
    const Image enlarged = cpu::enlarge_bicubic(low.find(scene.reference)->image, scale, parallel);
    const MedianImage pilot =
        cpu::median_of_views(views, geometry, disparity, enlarged, scale, parallel);
    const Box core{0, 0, disparity.width, disparity.height};
    ResidualNoise residuals(low.width(), low.height(), views.size(), value_limits(low));
    residuals.add(views, geometry, ResidualNoise::blurred(pilot.median, psf), scale, core, 0, 0);
    const double noise = residuals.estimate().residual;

    Prepared result;
    ReconstructOptions once;
    once.scale = scale;
    once.data = DataTerm::l1_l2;
    once.prior = Prior::weighted;
    once.iterations = 1;
    once.cg = 1;
    result.lambda = reconstruct(low, scene.reference, disparity, once).lambda;
    Problem& p = result.problem;
    p.width = low.width() * scale;
    p.height = low.height() * scale;
    p.scale = scale;
    p.psf = psf;
    p.directions = prior_directions(Prior::weighted, 1);
    p.weights.adaptive = true;
    p.weights.occlusion = occlusion_weight(disparity, pilot.spread, noise);
    MeanWeight weight(prior_weights(Prior::weighted));
    weight.add(pilot.median, disparity, pilot.spread, core);
    p.weights.mean = weight.mean(noise);
    for (std::size_t k = 0; k < views.size(); ++k)
        p.observations.push_back({geometry[k].crop.u, geometry[k].crop.v, views[k],
                                  geometry[k].disparity,
                                  visibility_weight(geometry[k], Visibility::soft, noise)});
    result.start = to_planes(enlarged);
    return result;
}

// PSNR of the usual solve, with A'MA sample by sample in 32 bits and by the 16-bit stencil.
void compare_precision(const Scene& scene, const DegradeOptions& degradation, const Options& o) {
    const Prepared prepared = prepare(scene, degradation, o.threads);
    const Image truth = crop(luma(scene.light_field.find(scene.reference)->image),
                             prepared.problem.width, prepared.problem.height);
    const auto psnr = [&](NormalForm normal) {
        Problem problem = prepared.problem;
        problem.normal = normal;
        cpu::Backend backend(problem, o.threads);
        SolveOptions options;
        options.objective.lambda = prepared.lambda;
        auto x = backend.upload(prepared.start);
        admm(backend, options, x, [](IterationReport&, const auto&) { return true; });
        return plenosr::compare(from_planes(backend.download(x), truth.width, truth.height), truth)
            .psnr;
    };
    fmt::print("| ×{}, σ = {}, ν = {} % | {:.5f} | {:.5f} |\n", degradation.scale,
               degradation.gaussian, degradation.impulse, psnr(NormalForm::direct),
               psnr(NormalForm::stencil_f16));
}

}  // namespace

void precision(const Options& o) {
    const Scene scene = load_scene(o.size);
    fmt::print(
        "## Coefficients in 16 bits\n\nPSNR in dB of {}, 25 views, {} iterations.\n\n"
        "| case | A'MA direct, f32 | stencil, f16 |\n|---|---|---|\n",
        scene.name, SolveOptions().iterations);
    for (const int scale : {2, 4})
        for (const auto& [gaussian, impulse] : {std::pair(1.0, 0.0), std::pair(20.0, 5.0)}) {
            DegradeOptions degradation;
            degradation.scale = scale;
            degradation.gaussian = gaussian;
            degradation.impulse = impulse;
            compare_precision(scene, degradation, o);
        }
}

}  // namespace plenosr::bench
