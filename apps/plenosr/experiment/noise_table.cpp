#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "experiment/experiments.h"
#include "plenosr/io.h"

namespace plenosr::app {
namespace {

struct Noise {
    double gaussian;
    double impulse;
    double paper_bicubic;  // means over the five scenes of the paper
    double paper_ours;
    std::string name() const { return fmt::format("{}/{}", gaussian, impulse); }
};

struct Method {
    std::string name;
    std::function<std::optional<Quality>(const Scene&, const Degraded&, const Noise&)> run;
};

// DIR/SCENE_SIGMA_NU.png, e.g. dishes_20_5.png
std::optional<Quality> read_result(const std::filesystem::path& folder, const Scene& scene,
                                   const Degraded& low, const Noise& noise) {
    const auto file =
        folder / fmt::format("{}_{}_{}.png", scene.name, noise.gaussian, noise.impulse);
    if (!std::filesystem::exists(file)) return std::nullopt;
    return compare(luma(read_image(file)), low.truth);
}

}  // namespace

void run_noise_table(Lab& lab) {
    // From the table of the paper: means over its five scenes, of another data set.
    const std::vector<Noise> noises = {{20, 0, 22.29, 29.66},
                                       {20, 5, 18.68, 29.55},
                                       {50, 0, 16.04, 27.03},
                                       {50, 20, 12.94, 26.29}};
    const std::vector<Scene> scenes =
        lab.scenes({"dishes", "vinyl", "medieval2", "boardgames", "cotton"}, "5x5");
    Page& page = lab.page();
    page.text.emplace_back(
        "x2, 25 views, luma; noise is written as standard deviation / per cent of impulses. "
        "`median` is the median of all views, the initial image of `auto`. The means of the paper "
        "are of five other scenes: compare gains, not values. Results of other methods are added "
        "with --add NAME=DIR, where DIR has files SCENE_SIGMA_NU.png, such as dishes_20_5.png.");

    std::vector<Method> methods;
    methods.push_back({"bicubic", [](const Scene&, const Degraded& low, const Noise&) {
                           return std::optional(quality_of(bicubic_of(low), low.truth));
                       }});
    methods.push_back({"median", [&](const Scene&, const Degraded& low, const Noise&) {
                           ReconstructOptions options;
                           options.init = Initial::median;
                           options.iterations = 0;
                           options.denoiser = Denoiser::none;
                           return std::optional(
                               quality_of(lab.solve(low, options).initial, low.truth));
                       }});
    const auto solve_with = [&](const ReconstructOptions& options, bool estimated) {
        return [&lab, options, estimated](const Scene&, Degraded low, const Noise&) {
            if (estimated) low.disparity = {};
            return std::optional(quality_of(lab.solve(low, options).image, low.truth));
        };
    };
    for (const Model& model : lab.models({})) {
        methods.push_back({model.name, solve_with(model.options, false)});
        if (model.name != "auto") continue;
        ReconstructOptions plain = model.options;
        plain.denoiser = Denoiser::none;
        methods.push_back({"auto, no denoiser", solve_with(plain, false)});
        methods.push_back({"auto, estimated disparity", solve_with(model.options, true)});
    }
    for (const auto& [name, folder] : lab.options().add)
        methods.push_back(
            {name, [folder = folder](const Scene& scene, const Degraded& low, const Noise& noise) {
                 return read_result(folder, scene, low, noise);
             }});

    Table table{"noise-table", "PSNR in dB / SSIM", {{"noise"}, {"scene"}}, {}};
    Table means{"noise-means", "Means over the scenes, PSNR in dB", {{"noise"}}, {}};
    Table raw{"noise-raw",
              "Every figure",
              {{"noise"}, {"scene"}, {"method"}, {"PSNR", 3}, {"SSIM", 4}},
              {}};
    for (const Method& method : methods) {
        table.columns.push_back({method.name});
        means.columns.push_back({method.name});
    }
    means.columns.push_back({"the paper's bicubic"});
    means.columns.push_back({"the paper's"});
    std::vector<Series> series(methods.size());
    lab.expect(int(noises.size() * scenes.size() * methods.size()));
    std::map<std::string, int> absent;
    for (std::size_t n = 0; n < noises.size(); ++n) {
        const Noise& noise = noises[n];
        std::vector<double> psnr(methods.size(), 0);
        std::vector<double> ssim(methods.size(), 0);
        std::vector<int> count(methods.size(), 0);
        double margin = std::numeric_limits<double>::infinity();
        for (const Scene& scene : scenes) {
            double median = 0;
            const Degraded low = lab.degrade(scene, degradation(2, noise.gaussian, noise.impulse));
            std::vector<Json> row = {noise.name(), scene.name};
            for (std::size_t m = 0; m < methods.size(); ++m) {
                const auto quality = methods[m].run(scene, low, noise);
                lab.done();
                if (!quality) {
                    row.push_back(nullptr);
                    ++absent[methods[m].name];
                    continue;
                }
                row.push_back(fmt::format("{:.2f} / {:.3f}", quality->psnr, quality->ssim));
                raw.rows.push_back(
                    {noise.name(), scene.name, methods[m].name, quality->psnr, quality->ssim});
                if (methods[m].name == "median") median = quality->psnr;
                if (methods[m].name == "auto") margin = std::min(margin, quality->psnr - median);
                psnr[m] += quality->psnr;
                ssim[m] += quality->ssim;
                ++count[m];
            }
            table.rows.push_back(row);
        }
        if (std::isfinite(margin))
            page.found.push_back(
                fmt::format("{}: every scene is at least {:.2f} dB above the median of its views.",
                            noise.name(), margin));
        std::vector<Json> mean_row = {noise.name()};
        for (std::size_t m = 0; m < methods.size(); ++m) {
            const double number = count[m];
            mean_row.push_back(count[m] == 0 ? Json(nullptr)
                                             : Json(fmt::format("{:.2f} / {:.3f}", psnr[m] / number,
                                                                ssim[m] / number)));
            series[m].name = methods[m].name;
            series[m].x.push_back(double(n));
            series[m].y.push_back(count[m] == 0 ? NAN : psnr[m] / number);
        }
        mean_row.push_back(noise.paper_bicubic);
        mean_row.push_back(noise.paper_ours);
        means.rows.push_back(mean_row);
    }
    for (const auto& [name, number] : absent)
        page.missing.push_back(fmt::format("{} results of {}: no such file.", number, name));
    page.tables = {means, table, raw};
    Plot plot{"noise", "mean PSNR, dB", false, false, series};
    for (std::size_t n = 0; n < noises.size(); ++n)
        plot.x_ticks.emplace_back(double(n), noises[n].name());
    page.figures.push_back({"noise-table", "mean PSNR at four kinds of noise", plot});
}

}  // namespace plenosr::app
