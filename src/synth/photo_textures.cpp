#include "synth/photo_textures.h"

#include <algorithm>
#include <cmath>

#include "plenosr/io.h"

namespace plenosr::synth {
namespace {

// The mean absolute difference of neighbours in a row.
double detail(const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 1; x < image.width; ++x)
            sum += std::abs(double(image.at(y, x)) - double(image.at(y, x - 1)));
    return sum / double(image.pixels());
}

}  // namespace

std::shared_ptr<const Image> PhotoTextures::cut(Dice& dice, int width, int height) {
    const std::filesystem::path& file = files_[std::size_t(dice.below(int(files_.size())))];
    if (file != loaded_) {
        photo_ = read_image(file);
        loaded_ = file;
    }
    const double across = double(photo_.width) / width;
    const double down = double(photo_.height) / height;
    const double factor = std::clamp(std::min(across, down), 1.0, dice.between(2, 8));
    width = std::min(width, int(photo_.width / factor));
    height = std::min(height, int(photo_.height / factor));
    const int from_width = std::min(photo_.width, int(width * factor));
    const int from_height = std::min(photo_.height, int(height * factor));
    std::shared_ptr<const Image> best;
    double most_detail = -1;
    for (int trial = 0; trial < 3; ++trial) {
        const int x = dice.below(photo_.width - from_width + 1);
        const int y = dice.below(photo_.height - from_height + 1);
        auto part = std::make_shared<const Image>(
            resize(crop(photo_, {x, y, from_width, from_height}), width, height));
        if (const double found = detail(*part); found > most_detail) {
            most_detail = found;
            best = std::move(part);
        }
    }
    return best;
}

}  // namespace plenosr::synth
