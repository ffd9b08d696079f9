#include "noise/automatic_lambda.h"

#include <algorithm>
#include <cmath>

#include "noise/lambda_parameters.h"

namespace plenosr {

using namespace lambda_rule;

namespace {

// The slope of the data term per sample, for a residual of the size of the noise.
double data_slope(double lambda1, double lambda2, double noise) {
    return lambda1 + l2_slope * lambda2 * noise;
}

}  // namespace

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

double Texture::value(double noise, std::size_t views, double least_share) const {
    const double mean = count_ > 0 ? sum_ / count_ : 0.0;
    const double from_noise = noise_in_differences * noise / std::sqrt(double(views));
    const double left = mean * mean - from_noise * from_noise;
    return std::sqrt(
        std::max({left, least_share * least_share * mean * mean, least_texture * least_texture}));
}

double automatic_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                        double texture) {
    return data_slope(lambda1, lambda2, noise) * samples_per_pixel *
           (model_error + per_noise * noise * std::pow(typical_texture / texture, texture_power));
}

double frames_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                     double blur_energy) {
    const double rho = std::max(samples_per_pixel, least_weight);
    const double relative = std::max(noise, frames_least_noise) / (frames_noise * std::sqrt(rho));
    return data_slope(lambda1, lambda2, noise) * rho * frames_level *
           std::pow(relative, frames_energy_power * blur_energy + frames_least_power);
}

double frames_lambda_factor(double effective_noise) {
    return std::min(1.0, frames_factor_level * std::pow(effective_noise, frames_factor_power));
}

double frames_lambda_factor_of_blur(double blur_energy) {
    return std::min(1.0, std::pow(blur_energy / x2_blur_energy, frames_factor_blur_power));
}

double effective_noise(double noise, double impulses, double weight_per_pixel) {
    return noise / std::sqrt(std::max(weight_per_pixel * (1 - impulses), least_weight));
}

double mixture_lambda(double effective_noise, double blur_energy, double texture, double denoised,
                      double views, double wide_blur_factor) {
    const double energy = blur_energy / x2_blur_energy;  // b
    const double by_noise =
        std::min(std::pow(energy, blur_power) * (offset + per_precision / effective_noise),
                 most_per_energy * blur_energy * std::max(1.0, views / views_of_rule));
    const double expected_texture =
        (mixture_texture + denoised * (mixture_texture_denoised - mixture_texture)) *
        std::pow(energy, texture_blur_power);
    const double ratio =
        std::clamp(expected_texture / texture, least_texture_ratio, most_texture_ratio);
    return by_noise * (1 + (wide_blur_factor - 1) * std::min(1.0, ratio)) *
           std::pow(ratio, effective_noise / (effective_noise + texture_half_noise * energy));
}

double lambda_factor_of_wide_blur(double blur_energy, double default_energy) {
    return std::clamp(std::sqrt(default_energy / blur_energy), 1.0, largest_blur_factor);
}

}  // namespace plenosr
