#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiment/experiments.h"

namespace plenosr::app {
namespace {

struct Spread {
    double mean = 0;
    double deviation = 0;
};

Spread spread_of(const Image& image) {
    double sum = 0;
    double squares = 0;
    for (const float value : image.values) {
        sum += double(value);
        squares += double(value) * double(value);
    }
    const double n = double(image.values.size());
    return {sum / n, std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)))};
}

}  // namespace

void run_weights(Lab& lab) {
    const DegradeOptions made = degradation(2, 1, 1);
    const Scene scene = lab.scene("boardgames", "5x5");
    const Degraded low = lab.degrade(scene, made);
    Page& page = lab.page();
    page.text.push_back(fmt::format(
        "{}, x2, 25 views, noise of standard deviation 1 and 1 % impulses. White pixels are "
        "smoothed most; dark ones are edges, which are smoothed least.",
        scene.name));
    Table table{"weights",
                "Weights e of the prior",
                {{"model"}, {"iterations"}, {"mean", 3}, {"standard deviation", 3}},
                {}};
    const std::vector<Model> models = lab.models(made);
    lab.expect(2 * int(models.size()));
    const Part part = busiest_part(low.truth, std::min(96, low.truth.width / 2));
    for (const Model& model : models) {
        Pictures pictures{
            {{"truth", low.truth}}, part.x, part.y, std::min(96, low.truth.width / 2)};
        for (const int iterations : {0, 10}) {
            ReconstructOptions options = model.options;
            options.iterations = iterations;
            options.denoiser = Denoiser::none;
            options.init = Initial::bicubic;
            options.weights = true;
            const Image weights = lab.solve(low, options).weights;
            const Spread spread = spread_of(weights);
            table.rows.push_back({model.name, iterations, spread.mean, spread.deviation});
            pictures.pictures.push_back(
                {iterations == 0 ? "at the first iteration" : "after 10 iterations",
                 grey_picture(weights)});
            lab.done();
        }
        page.figures.push_back({model.name == "auto" ? "weights-auto" : "weights-paper",
                                model.name + ": truth, weights at the start, after 10 iterations",
                                pictures});
    }
    page.tables.push_back(table);
}

}  // namespace plenosr::app
