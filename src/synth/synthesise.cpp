#include <fmt/core.h>
#include <fmt/ranges.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "options/option_list.h"
#include "plenosr/error.h"
#include "synth/scene.h"

namespace plenosr {
namespace synth {
namespace {

// How a pixel is averaged: over its own square, or with the falling weights of a tent that is two
// pixels wide, as a lens does. The tent halves what aliases just beyond the limit of the pixel
// grid.
enum class Filter { box, tent };

struct Entry {
    SynthScene scene;
    std::unique_ptr<Scene> (*make)(const Stage&);
    Filter filter = Filter::box;
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all{
        {{"planes", "slanted cards with text, a zone plate, bars and cloth on a wooden table"},
         planes_scene},
        {{"discs", "patterned discs and thin rods, one before the other, before a brick wall"},
         discs_scene},
        {{"curved", "one smooth surface of hills and hollows, without occlusions"}, curved_scene},
        {{"staircase", "seven steps of constant disparity, each with a texture of its own"},
         staircase_scene},
        {{"flat", "a test chart in one plane of constant disparity"}, flat_scene},
        {{"random", "another layout for each --seed: tilted and curved surfaces, thin rods, steps"},
         random_scene,
         Filter::tent}};
    return all;
}

const Entry* find_entry(const std::string& name) {
    for (const Entry& entry : entries())
        if (entry.scene.name == name) return &entry;
    return nullptr;
}

// The places of the rays along one axis: the centres of parts of the filter with equal weight.
std::vector<double> ray_offsets(Filter filter, int supersampling) {
    std::vector<double> offsets;
    for (int i = 0; i < supersampling; ++i) {
        const double box = (i + 0.5) / supersampling - 0.5;
        // The part of a tent's area beyond x is (1 - x)² / 2.
        const double tent = 1 - std::sqrt(1 - 2 * std::abs(box));
        offsets.push_back(filter == Filter::box ? box : box < 0 ? -tent : tent);
    }
    return offsets;
}

// The mean over one ray for each pair of offsets.
Rgb pixel_colour(const Scene& scene, const Ray& centre, const std::vector<double>& offsets) {
    Rgb sum;
    for (const double dy : offsets)
        for (const double dx : offsets) {
            Ray ray = centre;
            ray.x += dx;
            ray.y += dy;
            sum = sum + scene.colour(scene.trace(ray));
        }
    return 1.0F / float(offsets.size() * offsets.size()) * sum;
}

void render(const Scene& scene, double u, double v, const std::vector<double>& offsets,
            Image& image, Image& disparity) {
    tbb::parallel_for(0, image.height, [&](int y) {
        for (int x = 0; x < image.width; ++x) {
            const Ray centre{double(x), double(y), u, v};
            disparity.at(y, x) = float(scene.trace(centre).disparity);
            const Rgb colour = pixel_colour(scene, centre, offsets);
            float* pixel = &image.values[image.index(y, x)];
            if (image.channels == 3) {
                pixel[0] = std::clamp(colour.r, 0.0F, 255.0F);
                pixel[1] = std::clamp(colour.g, 0.0F, 255.0F);
                pixel[2] = std::clamp(colour.b, 0.0F, 255.0F);
            } else {
                pixel[0] = std::clamp(0.299F * colour.r + 0.587F * colour.g + 0.114F * colour.b,
                                      0.0F, 255.0F);  // BT.601, before the channels are clipped
            }
        }
    });
}

}  // namespace

Stage::Stage(const SynthOptions& options)
    : width(options.width),
      height(options.height),
      unit(std::min(options.width, options.height)),
      // The centre is the later of two middle views, so the first view is the farthest.
      max_u(options.cols / 2),
      max_v(options.rows / 2),
      disparity_scale(options.disparity_scale),
      flat_disparity(options.disparity),
      seed(options.seed),
      textures(options.textures) {}

}  // namespace synth

const std::vector<SynthScene>& synth_scenes() {
    static const std::vector<SynthScene> scenes = [] {
        std::vector<SynthScene> result;
        for (const synth::Entry& entry : synth::entries())
            result.push_back(entry.scene);
        return result;
    }();
    return scenes;
}

void SynthOptions::validate() const {
    const auto refuse = [](const std::string& sentence) {
        throw Error(ErrorKind::invalid_option, sentence);
    };
    if (synth::find_entry(scene) == nullptr) {
        std::vector<std::string> names;
        for (const SynthScene& known : synth_scenes())
            names.push_back(known.name);
        refuse(fmt::format("scene = \"{}\" is unknown; it must be one of {}", scene,
                           fmt::join(names, ", ")));
    }
    validate_all(*this, synth_options());
    if (channels != 1 && channels != 3)
        refuse(fmt::format("channels = {} must be 1 or 3", channels));
    if (!textures.empty() && scene != "random")
        refuse(fmt::format("texture = {} needs scene = random; the scene {} has its own textures",
                           textures.front().string(), scene));
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    constexpr double largest_result_gib = 64;  // chosen by reasoning: a larger result is a mistake
    const double memory =
        double(rows) * cols * width * height * (channels + 1) * sizeof(float) / gibibyte;
    if (memory > largest_result_gib)
        refuse(fmt::format(
            "{}x{} views of {}x{} pixels would take {:.0f} GiB; choose fewer or smaller "
            "views, at most {} GiB",
            rows, cols, width, height, memory, largest_result_gib));
}

SynthResult synthesise(const SynthOptions& options, const Progress& progress) {
    options.validate();
    const synth::Stage stage(options);
    const synth::Entry& entry = *synth::find_entry(options.scene);
    const auto scene = entry.make(stage);
    const std::vector<double> offsets = synth::ray_offsets(entry.filter, options.supersampling);
    SynthResult result;
    result.light_field.grid = {0, 0, options.rows, options.cols};
    const ViewPosition centre = result.light_field.grid.centre();
    const int steps = options.rows * options.cols;
    int step = 0;
    for (int row = 0; row < options.rows; ++row)
        for (int col = 0; col < options.cols; ++col) {
            if (!report(progress, {"rendering", step++, steps, 0})) throw Cancelled();
            Image image(options.width, options.height, options.channels);
            Image disparity(options.width, options.height);
            synth::render(*scene, col - centre.col, row - centre.row, offsets, image, disparity);
            result.light_field.views.push_back({{double(row), double(col)}, std::move(image)});
            result.disparity.push_back(std::move(disparity));
        }
    report(progress, {"rendering", steps, steps, 0});
    return result;
}

}  // namespace plenosr
