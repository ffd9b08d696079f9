#include "cases/problems.h"

#include <string>

#include "cases/random_values.h"

namespace plenosr::test {

PsfGrid varied_psfs(int rows, int cols) {
    static const char* const blurs[] = {"gaussian:0.6", "motion:5,30",  "disc:2.3", "none",
                                        "gaussian:1.4", "motion:6,120", "disc:1.2"};
    std::vector<Psf> psfs;
    for (int i = 0; i < rows * cols; ++i)
        psfs.push_back(make_psf({blurs[i % 7]}, 2));
    return {rows, cols, psfs};
}

namespace {

// The image over which the grid is spread is larger than a tile.
PsfGrid psf_for(const ProblemCase& c, const Problem& p) {
    const std::string text = c.blur;
    if (!text.starts_with("grid "))
        return make_psf_grid({text}, sampling_grid({text}, {}, c.scale));
    const PsfGrid grid = varied_psfs(text[5] - '0', text[7] - '0');
    if (c.crop == 0) return grid.spread_over(p.width, p.height);
    return grid.spread_over(2 * p.width, 2 * p.height, p.width / 2, p.height / 3);
}

}  // namespace

Problem make_problem(const ProblemCase& c, std::uint64_t seed) {
    RandomValues random(seed);
    Problem p;
    p.width = (c.low_width - c.crop) * c.scale;
    p.height = (c.low_height - c.crop) * c.scale;
    p.channels = c.channels;
    p.scale = c.scale;
    p.psf = psf_for(c, p);
    p.interpolation = c.interpolation;
    p.form = c.form;
    p.normal = c.normal;
    p.directions = window_directions(1);
    static constexpr double offsets[][2] = {{0, 0},  {1, 0},  {0, -1}, {-2, 1}, {0.5, 2.25},
                                            {3, -3}, {-4, 4}, {2, 2},  {-1, -1}};
    for (int k = 0; k < c.views; ++k) {
        Observation o;
        o.u = offsets[k][0];
        o.v = offsets[k][1];
        o.values = random.image(c.low_width, c.low_height, c.channels);
        o.disparity =
            c.form == OperatorForm::chain
                ? random.image(c.low_width * c.scale, c.low_height * c.scale, 1, c.disparity_low,
                               c.disparity_high)
                : random.image(c.low_width, c.low_height, 1, c.disparity_low, c.disparity_high);
        if (c.weighted) {
            o.weight = random.image(c.low_width, c.low_height, 1, -0.2F, 1.0F);
            for (float& m : o.weight.values)
                m = std::max(m, 0.0F);
        }
        if (c.geometry == ProblemCase::Geometry::displacement) {
            o.disparity = {};
            o.displacement = random.image(c.low_width, c.low_height, 2, -3.0F, 3.0F);
        } else if (c.geometry != ProblemCase::Geometry::disparity) {
            // each frame has one weight; every other frame lacks its last column
            o.disparity = {};
            const bool whole = c.geometry == ProblemCase::Geometry::whole_shifts;
            o.x0 = whole ? double(k % c.scale) : double(random.next(-2.0F, 2.0F));
            o.y0 = whole ? double(k / c.scale) : double(random.next(-2.0F, 2.0F));
            o.weight = Image(c.low_width, c.low_height, 1, random.next(0.2F, 1.0F));
            for (int y = 0; y < c.low_height && k % 2 == 1; ++y)
                o.weight.at(y, c.low_width - 1) = 0;
        }
        if (c.crop > 0) {
            o.x0 = -c.scale * (k % (c.crop + 1));
            o.y0 = -c.scale * ((k + 1) % (c.crop + 1));
        }
        p.observations.push_back(o);
    }
    return p;
}

const std::vector<ProblemCase>& problem_cases() {
    using enum Interpolation;
    constexpr auto chain = OperatorForm::chain;
    constexpr auto sampling = OperatorForm::sampling;
    static const std::vector<ProblemCase> cases = {
        {"sampling_x2", 17, 13, 2},
        {"sampling_x3_odd", 11, 7, 3},
        {"sampling_x4", 9, 10, 4},
        {"sampling_x4_direct", 9, 10, 4, "gaussian", bicubic, sampling, NormalForm::direct},
        {"sampling_x2_direct", 17, 13, 2, "gaussian", bicubic, sampling, NormalForm::direct},
        {"sampling_bilinear", 17, 13, 2, "gaussian", bilinear},
        {"sampling_motion", 15, 16, 2, "motion:7,30"},
        {"sampling_bicubic_centre", 15, 16, 2, "bicubic"},
        {"sampling_x3_bicubic_centre", 11, 9, 3, "bicubic"},
        {"sampling_no_blur", 15, 16, 2, "none"},
        {"sampling_wide_blur_tiny_image", 3, 2, 2, "gaussian:2.5"},
        {"sampling_one_column", 1, 9, 2},
        {"sampling_one_row", 9, 1, 3},
        {"sampling_far_outside", 12, 12, 2, "gaussian", bicubic, sampling, NormalForm::stencil_f16,
         -40, 40},
        {"sampling_many_views", 12, 12, 2, "gaussian", bicubic, sampling, NormalForm::stencil_f16,
         -3, 3, 9},
        {"sampling_three_channels", 10, 9, 2, "gaussian", bicubic, sampling,
         NormalForm::stencil_f16, -2, 2, 4, true, 3},
        {"sampling_wide", 300, 20, 2},
        {"sampling_crops", 17, 13, 2, "gaussian", bicubic, sampling, NormalForm::stencil_f16, -2, 2,
         5, true, 1, 4},
        {"sampling_grid", 17, 13, 2, "grid 3x4"},
        {"sampling_grid_direct", 14, 13, 2, "grid 3x2", bicubic, sampling, NormalForm::direct},
        {"sampling_grid_one_row", 19, 11, 3, "grid 1x5", bilinear},
        {"sampling_grid_tiny_image", 2, 1, 2, "grid 3x2"},
        {"sampling_grid_wide", 90, 12, 2, "grid 3x3"},
        {"sampling_grid_crops", 17, 13, 2, "grid 3x4", bicubic, sampling, NormalForm::stencil_f16,
         -2, 2, 5, true, 1, 4},
        {"chain_grid", 12, 11, 2, "grid 3x2", bicubic, chain},
        {"chain_grid_crops", 15, 13, 2, "grid 3x3", bicubic, chain, NormalForm::direct, -2, 2, 5,
         true, 1, 4},
        {"frames_x2", 17, 13, 2, "gaussian", bicubic, sampling, NormalForm::periodic, 0, 0, 4, true,
         1, 0, ProblemCase::Geometry::shifts},
        {"frames_x3_whole", 15, 11, 3, "gaussian", bicubic, sampling, NormalForm::periodic, 0, 0, 9,
         true, 1, 0, ProblemCase::Geometry::whole_shifts},
        {"frames_x4_bilinear", 12, 9, 4, "gaussian", bilinear, sampling, NormalForm::periodic, 0, 0,
         3, true, 1, 0, ProblemCase::Geometry::shifts},
        {"frames_tiny", 3, 2, 2, "none", bicubic, sampling, NormalForm::periodic, 0, 0, 4, true, 1,
         0, ProblemCase::Geometry::shifts},
        {"frames_displaced", 13, 11, 2, "gaussian", bicubic, sampling, NormalForm::stencil_f16, 0,
         0, 4, true, 1, 0, ProblemCase::Geometry::displacement},
        {"chain_bicubic_centre", 12, 9, 2, "bicubic", bicubic, chain},
        {"chain_x2", 17, 13, 2, "gaussian", bicubic, chain},
        {"chain_x3_bilinear", 7, 9, 3, "gaussian", bilinear, chain},
        {"chain_motion", 9, 8, 2, "motion:5,120", bicubic, chain},
        {"chain_far_outside", 9, 8, 2, "gaussian", bicubic, chain, NormalForm::direct, -30, 30},
        {"chain_one_row", 9, 1, 2, "gaussian", bicubic, chain},
        {"chain_crops", 17, 13, 2, "gaussian", bicubic, chain, NormalForm::direct, -2, 2, 5, true,
         1, 4},
    };
    return cases;
}

}  // namespace plenosr::test
