#include <fmt/format.h>

#include <algorithm>

#include "experiment/experiments.h"

namespace plenosr::app {

void run_iterations(Lab& lab) {
    const DegradeOptions made = degradation(4, 1, 1);
    const Scene scene = lab.scene("dishes", "star17");
    const Degraded low = lab.degrade(scene, made);
    const std::vector<std::pair<int, double>> paper = {{0, 21.72}, {1, 24.96}, {5, 29.53}};
    show_by_iteration(lab, scene.name + ", x4, 17 views of a star, noise 1/1", low, paper);
}

void run_motion_blur(Lab& lab) {
    DegradeOptions made = degradation(2, 1);
    made.blur.text = "motion:9,45";
    const Scene scene = lab.scene("vinyl", "5x5");
    const Degraded low = lab.degrade(scene, made);
    const std::vector<std::pair<int, double>> paper = {{0, 26.86}, {1, 30.27}, {10, 35.43}};
    show_by_iteration(lab,
                      scene.name +
                          ", x2, 25 views, motion of 9 pixels at 45 degrees (the paper does not "
                          "say how long its motion is), noise 1/0",
                      low, paper);
}

void show_by_iteration(Lab& lab, const std::string& what, const Degraded& low,
                       const std::vector<std::pair<int, double>>& paper) {
    Page& page = lab.page();
    page.text.push_back(
        what +
        ". Row n is the image after n iterations; where a denoiser step follows, its rows "
        "come last, and where the disparity was refined all rows are of the last round. `bicubic` "
        "is the reference view alone, enlarged.");
    const std::vector<Model> models = lab.models(low.made);
    lab.expect(int(models.size()));
    const Image bicubic = bicubic_of(low);
    const Quality start = quality_of(bicubic, low.truth);
    const auto compare_with_paper = [&](const std::string& model, const std::string& where,
                                        double ours, double theirs) {
        if (low.papers) page.found.push_back(beside_paper(model, where, ours, theirs));
    };
    compare_with_paper("bicubic", "the start", start.psnr, paper.front().second);

    Table table{page.name,
                "PSNR in dB by iteration",
                {{"model"}, {"iteration"}, {"PSNR"}, {"SSIM", 4}, {"paper's PSNR"}},
                {}};
    table.rows.push_back({"bicubic", 0, start.psnr, start.ssim, paper.front().second});
    Plot plot{"iteration", "PSNR, dB", false, false, {}};
    const int side = std::min(96, low.truth.width / 2);
    const Part part = busiest_part(low.truth, side);
    Pictures pictures{
        {{"truth", low.truth}, {fmt::format("bicubic {:.2f} dB", start.psnr), bicubic}},
        part.x,
        part.y,
        side};
    for (const Model& model : models) {
        const ReconstructResult result = lab.solve(low, model.options);
        Series series{model.name, {}, {}};
        for (const IterationReport& row : result.iterations) {
            Json theirs;
            for (const auto& [iteration, psnr] : paper)
                if (iteration == row.iteration && iteration > 0) {
                    theirs = psnr;
                    compare_with_paper(model.name, fmt::format("iteration {}", iteration), row.psnr,
                                       psnr);
                }
            table.rows.push_back({model.name, row.iteration, row.psnr, row.ssim, theirs});
            series.x.push_back(double(row.iteration));
            series.y.push_back(row.psnr);
        }
        plot.series.push_back(series);
        const Quality end = quality_of(result.image, low.truth);
        compare_with_paper(model.name, "the end", end.psnr, paper.back().second);
        pictures.pictures.push_back(
            {fmt::format("{} {:.2f} dB", model.name, end.psnr), result.image});
        lab.done();
    }
    Series theirs{"the paper", {}, {}, true};
    for (const auto& [iteration, psnr] : paper) {
        theirs.x.push_back(double(iteration));
        theirs.y.push_back(psnr);
    }
    if (low.papers) plot.series.push_back(theirs);
    page.tables.push_back(table);
    page.figures.push_back({page.name, "PSNR by iteration", plot});
    page.figures.push_back({page.name + "-pictures", "truth, start and results", pictures});
}

}  // namespace plenosr::app
