#include "plenosr/forward_operator.h"

#include <fmt/format.h>

#include "devices/make_engines.h"
#include "devices/problem_operator.h"
#include "plenosr/error.h"
#include "reconstruct_view.h"
#include "solve_tiles.h"
#include "tiles/tile_problem.h"

namespace plenosr {

struct ForwardOperator::Content {
    int width = 0;
    int height = 0;
    int low_width = 0;
    int low_height = 0;
    int views = 0;
    int channels = 1;
    std::unique_ptr<ProblemOperator> a;
};

namespace {

// A'MA as it is defined: the assembled stencils round their coefficients.
constexpr NormalForm exact = NormalForm::direct;

Problem whole_problem(const LightFieldView& light_field, ViewPosition reference,
                      const Image& disparity, const ReconstructOptions& options,
                      const Progress& progress) {
    ReconstructOptions on_cpu = options;
    on_cpu.device = "cpu";
    const Engines engines = make_engines(on_cpu, progress);
    const EarlierResults none;
    const Setup setup = checked_setup(light_field, reference, disparity, on_cpu, none);
    const Views views{light_field, index_of_reference(light_field, reference), on_cpu.colour};
    TilePlan plan;
    plan.tiles = {setup.geometry.whole()};
    plan.normal = exact;
    Surveyed surveyed =
        survey_tiles({engines, setup, views, on_cpu, progress, Image(), none}, plan);
    return tile_problem(setup, plan.tiles.front(), plan.normal, surveyed.statistics,
                        value_limits(light_field), std::move(*surveyed.only))
        .problem;
}

void require_size(const char* name, std::size_t given, std::size_t right) {
    if (given != right)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("{} has {} values, but must have {}", name, given, right));
}

}  // namespace

ForwardOperator::ForwardOperator(const LightFieldView& light_field, ViewPosition reference,
                                 const Image& disparity, const ReconstructOptions& options,
                                 const Progress& progress)
    : content_(std::make_unique<Content>()) {
    options.validate();
    const Problem problem = whole_problem(light_field, reference, disparity, options, progress);
    *content_ = {problem.width,
                 problem.height,
                 problem.low_width(),
                 problem.low_height(),
                 int(problem.observations.size()),
                 problem.channels,
                 std::make_unique<ProblemOperator>(problem, options.threads)};
}

ForwardOperator::~ForwardOperator() = default;
ForwardOperator::ForwardOperator(ForwardOperator&&) noexcept = default;
ForwardOperator& ForwardOperator::operator=(ForwardOperator&&) noexcept = default;

int ForwardOperator::width() const {
    return content_->width;
}
int ForwardOperator::height() const {
    return content_->height;
}
int ForwardOperator::views() const {
    return content_->views;
}
int ForwardOperator::low_width() const {
    return content_->low_width;
}
int ForwardOperator::low_height() const {
    return content_->low_height;
}
int ForwardOperator::channels() const {
    return content_->channels;
}

void ForwardOperator::forward(std::span<const float> x, std::span<float> result) const {
    require_size("x", x.size(), pixels());
    require_size("the result", result.size(), samples());
    content_->a->forward(x, result);
}

void ForwardOperator::adjoint(std::span<const float> values, std::span<float> x) const {
    require_size("samples", values.size(), samples());
    require_size("x", x.size(), pixels());
    content_->a->adjoint(values, x);
}

void ForwardOperator::normal(std::span<const float> x, std::span<float> result) const {
    require_size("x", x.size(), pixels());
    require_size("the result", result.size(), pixels());
    content_->a->normal(x, result);
}

void ForwardOperator::diagonal(std::span<float> result) const {
    require_size("the result", result.size(), pixels());
    content_->a->diagonal(result);
}

std::span<const float> ForwardOperator::data(int channel) const {
    if (channel < 0 || channel >= channels())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("channel = {} must be between 0 and {}", channel, channels() - 1));
    return content_->a->data(channel);
}

std::span<const float> ForwardOperator::weights() const {
    return content_->a->weights();
}

}  // namespace plenosr
