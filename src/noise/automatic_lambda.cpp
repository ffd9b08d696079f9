#include "noise/automatic_lambda.h"

#include <algorithm>
#include <cmath>

namespace plenosr {

double texture_of(const Image& pilot, double noise, std::size_t views) {
    double sum = 0;
    std::size_t count = 0;
    for (int y = 0; y < pilot.height; ++y)
        for (int x = 0; x < pilot.width; ++x) {
            const double here = double(pilot.at(y, x));
            if (x + 1 < pilot.width) sum += std::abs(double(pilot.at(y, x + 1)) - here), ++count;
            if (y + 1 < pilot.height) sum += std::abs(double(pilot.at(y + 1, x)) - here), ++count;
        }
    const double mean = count > 0 ? sum / double(count) : 0.0;
    const double from_noise = 0.8 * noise / std::sqrt(double(views));
    return std::sqrt(std::max(mean * mean - from_noise * from_noise, 0.25));
}

double automatic_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                        double texture) {
    const double slope = lambda1 + 1.6 * lambda2 * noise;
    return slope * samples_per_pixel * (0.04 + 0.009 * noise * std::pow(4.0 / texture, 0.7));
}

}  // namespace plenosr
