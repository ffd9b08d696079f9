#include <fmt/format.h>

#include <algorithm>

#include "experiment/experiments.h"

namespace plenosr::app {

void run_inputs(Lab& lab) {
    const DegradeOptions made = degradation(4, 1);
    const Scene scene = lab.scene("vinyl", "7x7");
    const Degraded all = lab.degrade(scene, made);
    const double row = all.reference.row;
    const double col = all.reference.col;
    struct Choice {
        int views;
        std::string selection;
        double paper;
    };
    const std::vector<Choice> choices = {
        {3, fmt::format("{},{};{},{};{},{}", row, col - 1, row, col, row, col + 1), 27.55},
        {5, "cross5", 29.33},
        {9, "3x3", 30.54},
        {25, "5x5", 31.65},
        {49, "7x7", 32.09}};
    Page& page = lab.page();
    page.text.push_back(fmt::format(
        "{}, x4, noise of standard deviation 1; the views are the centre with its left and right "
        "neighbours, the cross, and squares around the centre. The paper's first figure, 24.04 dB, "
        "is bicubic.",
        scene.name));
    const std::vector<Model> models = lab.models(made);
    lab.expect(int(choices.size() * models.size()));
    Table table{"inputs",
                "PSNR in dB and SSIM by number of views",
                {{"model"}, {"views"}, {"PSNR"}, {"SSIM", 4}, {"seconds", 2}, {"paper's PSNR"}},
                {}};
    const Quality start = quality_of(bicubic_of(all), all.truth);
    table.rows.push_back({"bicubic", 1, start.psnr, start.ssim, nullptr, 24.04});
    const int side = std::min(96, all.truth.width / 2);
    const Part part = busiest_part(all.truth, side);
    Pictures pictures{{{"truth", all.truth}}, part.x, part.y, side};
    Plot plot{"views", "PSNR, dB", true, false, {}};
    for (const Model& model : models) {
        Series series{model.name, {1}, {start.psnr}};
        for (const Choice& choice : choices) {
            const Degraded low = Lab::with_views(all, choice.selection);
            if (int(low.low.views.size()) < choice.views) {
                page.missing.push_back(fmt::format("{} views: the scene has no more than {}.",
                                                   choice.views, low.low.views.size()));
                lab.done();
                continue;
            }
            const ReconstructResult result = lab.solve(low, model.options);
            const Quality quality = quality_of(result.image, low.truth);
            table.rows.push_back({model.name, choice.views, quality.psnr, quality.ssim,
                                  result.wall_seconds, choice.paper});
            if (scene.papers)
                page.found.push_back(beside_paper(model.name, fmt::format("{} views", choice.views),
                                                  quality.psnr, choice.paper));
            series.x.push_back(double(choice.views));
            series.y.push_back(quality.psnr);
            if (&model == &models.back())
                pictures.pictures.push_back(
                    {fmt::format("{} views {:.2f} dB", choice.views, quality.psnr), result.image});
            lab.done();
        }
        plot.series.push_back(series);
    }
    Series theirs{"the paper", {1}, {24.04}, true};
    for (const Choice& choice : choices) {
        theirs.x.push_back(double(choice.views));
        theirs.y.push_back(choice.paper);
    }
    if (scene.papers) plot.series.push_back(theirs);
    plot.x_ticks.emplace_back(1, "1");
    for (const Choice& choice : choices)
        plot.x_ticks.emplace_back(choice.views, fmt::format("{}", choice.views));
    page.tables.push_back(table);
    page.figures.push_back({"inputs", "PSNR by number of views", plot});
    page.figures.push_back(
        {"inputs-pictures", models.back().name + ", by number of views", pictures});
}

}  // namespace plenosr::app
