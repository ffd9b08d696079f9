#include "tiles/film.h"

#include <fmt/format.h>

#include <algorithm>

#include "tiles/colour.h"

namespace plenosr {
namespace {

int rounded_up(int count, int unit) {
    return (count + unit - 1) / unit;
}

// Every how many iterations one is kept: with the start and the end most_pictures at most.
int step_of(int every, int steps) {
    return std::max(every, rounded_up(steps, Film::most_pictures - 1));
}

std::size_t picture_bytes(int width, int height, int channels, int reduction) {
    return sizeof(float) * std::size_t(channels) * std::size_t(rounded_up(width, reduction)) *
           std::size_t(rounded_up(height, reduction));
}

int reduction_of(int width, int height, int channels) {
    int reduction = 1;
    while (picture_bytes(width, height, channels, reduction) * Film::most_pictures >
           Film::most_bytes)
        ++reduction;
    return reduction;
}

// Sums over squares of the whole image become means.
void divide_by_areas(Image& sums, int width, int height, int reduction) {
    if (reduction == 1) return;
    const auto length = [&](int at, int size) {
        return std::min(reduction, size - at * reduction);
    };
    for (int y = 0; y < sums.height; ++y)
        for (int x = 0; x < sums.width; ++x)
            for (int c = 0; c < sums.channels; ++c)
                sums.at(y, x, c) /= float(length(x, width) * length(y, height));
}

}  // namespace

Film::Film(int every, int steps, int width, int height, int channels, const TilePlan& plan)
    : every_(every > 0 ? step_of(every, steps) : 0),
      asked_(every),
      width_(width),
      height_(height),
      reduction_(reduction_of(width, height, channels)),
      plan_(plan),
      blend_(width, height, plan),
      parts_(plan.tiles.size()) {}

std::size_t Film::bytes_for(const ReconstructOptions& options, int width, int height,
                            int channels) {
    if (options.keep_iterations == 0) return 0;
    constexpr std::size_t copies = 2;  // the parts of the tiles, which overlap, and the whole
    return copies * most_pictures *
           picture_bytes(width, height, channels, reduction_of(width, height, channels));
}

Film::Part Film::weighted(std::size_t tile, int iteration, const Image& image) const {
    const Box& box = plan_.tiles[tile].box;
    const int x0 = box.x0 / reduction_;
    const int y0 = box.y0 / reduction_;
    Part part{iteration, Image(rounded_up(box.x1(), reduction_) - x0,
                               rounded_up(box.y1(), reduction_) - y0, image.channels)};
    blend_.add_weighted(plan_.tiles[tile], image, part.image, reduction_, x0, y0);
    return part;
}

void Film::keep(std::size_t tile, int iteration, const std::function<Image()>& image) {
    if (every_ == 0 || iteration % every_ != 0) return;
    parts_[tile].push_back(weighted(tile, iteration, image()));
}

void Film::end(std::size_t tile, int iteration, const Image& image) {
    if (every_ == 0) return;
    std::vector<Part>& parts = parts_[tile];
    // The last image may differ from that of the last iteration, e.g. after denoiser steps.
    if (!parts.empty() && parts.back().iteration == iteration) parts.pop_back();
    parts.push_back(weighted(tile, iteration, image));
}

std::vector<KeptIteration> Film::pictures(const ImageView* reference, const SamplingGrid& sampling,
                                          Engine& engine) {
    std::vector<KeptIteration> film;
    if (every_ == 0) return film;
    int last = 0;
    for (const std::vector<Part>& parts : parts_)
        if (!parts.empty()) last = std::max(last, parts.back().iteration);
    const int width = rounded_up(width_, reduction_);
    const int height = rounded_up(height_, reduction_);
    Image colours;  // YCbCr
    if (reference != nullptr) {
        colours = Image(width, height, 3);
        enlarge_in_bands(rgb_to_ycbcr(to_image(*reference)), sampling, engine,
                         [&](int begin, const Image& band) {
                             for (int y = 0; y < band.height; ++y)
                                 for (int x = 0; x < band.width; ++x)
                                     for (int c = 0; c < 3; ++c)
                                         colours.at((begin + y) / reduction_, x / reduction_, c) +=
                                             band.at(y, x, c);
                         });
        divide_by_areas(colours, width_, height_, reduction_);
    }
    for (int iteration = 0;; iteration = std::min(iteration + every_, last)) {
        Image sum;
        // Tiles that ended before show their last image.
        for (std::size_t tile = 0; tile < parts_.size(); ++tile) {
            std::vector<Part>& parts = parts_[tile];
            const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) {
                return p.iteration >= iteration || &p == &parts.back();
            });
            if (part == parts.end()) continue;
            const Box& box = plan_.tiles[tile].box;
            const int x0 = box.x0 / reduction_;
            const int y0 = box.y0 / reduction_;
            if (sum.empty()) sum = Image(width, height, part->image.channels);
            for (int y = 0; y < part->image.height; ++y)
                for (int x = 0; x < part->image.width; ++x)
                    for (int c = 0; c < sum.channels; ++c)
                        sum.at(y0 + y, x0 + x, c) += part->image.at(y, x, c);
        }
        divide_by_areas(sum, width_, height_, reduction_);
        if (!colours.empty()) {
            for (std::size_t i = 0; i < sum.values.size(); ++i)
                colours.values[3 * i] = sum.values[i];
            sum = ycbcr_to_rgb(colours);
        }
        film.push_back({iteration, std::move(sum)});
        if (iteration == last) break;
    }
    parts_.clear();
    return film;
}

std::string Film::note() const {
    if (every_ == 0) return {};
    std::string text;
    if (every_ != asked_)
        text = fmt::format(
            "every {} iterations are kept, not every {}, so that there are at most "
            "{} pictures",
            every_, asked_, most_pictures);
    if (reduction_ > 1)
        text += fmt::format(
            "{}the pictures of the iterations have 1/{} of the size of the result, "
            "because all of them may take {} MB at most",
            text.empty() ? "" : "; ", reduction_, most_bytes >> 20U);
    return text;
}

}  // namespace plenosr
