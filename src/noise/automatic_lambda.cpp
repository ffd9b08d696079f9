#include "noise/automatic_lambda.h"

#include <algorithm>
#include <cmath>

namespace plenosr {

void Texture::add(const Image& pilot, const Box& core) {
    for (int y = core.y0; y < core.y1(); ++y)
        for (int x = core.x0; x < core.x1(); ++x) {
            const double here = double(pilot.at(y, x));
            if (x + 1 < pilot.width) sum_ += std::abs(double(pilot.at(y, x + 1)) - here), ++count_;
            if (y + 1 < pilot.height) sum_ += std::abs(double(pilot.at(y + 1, x)) - here), ++count_;
        }
}

void Texture::add(const Texture& other) {
    sum_ += other.sum_;
    count_ += other.count_;
}

double Texture::value(double noise, std::size_t views, double least) const {
    const double mean = count_ > 0 ? sum_ / count_ : 0.0;
    const double from_noise = 0.8 * noise / std::sqrt(double(views));
    const double left = mean * mean - from_noise * from_noise;
    return std::sqrt(std::max({left, least * least * mean * mean, 0.25}));
}

double automatic_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                        double texture) {
    const double slope = lambda1 + 1.6 * lambda2 * noise;
    return slope * samples_per_pixel * (0.04 + 0.009 * noise * std::pow(4.0 / texture, 0.7));
}

double frames_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                     double blur_energy) {
    const double slope = lambda1 + 1.6 * lambda2 * noise;
    const double rho = std::max(samples_per_pixel, 1e-6);
    const double relative = std::max(noise, 0.5) / (5 * std::sqrt(rho));
    return slope * rho * 0.26 * std::pow(relative, 2.5 * blur_energy + 0.6);
}

double frames_share(double effective_noise) {
    return std::min(1.0, 0.65 * std::pow(effective_noise, 0.3));
}

double frames_share_of_blur(double blur_energy) {
    return std::min(1.0, std::pow(blur_energy / 0.606, 0.17));
}

double effective_noise(double noise, double impulses, double weight_per_pixel) {
    return noise / std::sqrt(std::max(weight_per_pixel * (1 - impulses), 1e-6));
}

double mixture_lambda(double effective_noise, double blur_energy, double texture, bool denoised,
                      double views) {
    const double energy = blur_energy / 0.606;  // 1 for x2
    const double plain = std::min(std::pow(energy, 0.35) * (0.03 + 0.28 / effective_noise),
                                  1.1 * blur_energy * std::max(1.0, views / 25));
    const double usual = (denoised ? 3.5 : 4.5) * std::pow(energy, 0.41);
    const double detail = std::clamp(usual / texture, 0.25, 2.5);
    return plain * std::pow(detail, effective_noise / (effective_noise + 2 * energy));
}

}  // namespace plenosr
