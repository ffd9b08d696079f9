#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/reconstruct.h"

namespace plenosr PLENOSR_EXPORT {

// The model of the camera that reconstruct() inverts, for solvers of your own:
//   A x: the samples of all views of the high-resolution reference view x
// x is one channel in (y, x) order, samples are in (view, y, x) order, all in floats. Samples that
// the model cannot predict, since they lie outside of the reference, are 0 in A x, in data() and in
// weights(), and A' ignores them. The adjoint is exact up to rounding. Results do not depend on the
// number of threads. Calls of several threads wait for each other.
class ForwardOperator {
public:
    // The operator that reconstruct() would use for these arguments in its first round, without
    // tiles, on the CPU. Of the options those of the model count: scale, blur, phase, visibility,
    // interpolation, operator_form, colour and threads. Throws as reconstruct() does.
    ForwardOperator(const LightFieldView& light_field, ViewPosition reference,
                    const Image& disparity, const ReconstructOptions& options,
                    const Progress& progress = {});
    ~ForwardOperator();
    ForwardOperator(ForwardOperator&&) noexcept;
    ForwardOperator& operator=(ForwardOperator&&) noexcept;

    int width() const;  // of x
    int height() const;
    int views() const;
    int low_width() const;  // of a view
    int low_height() const;
    int channels() const;  // that reconstruct() would solve for: 1 or 3, each with this operator
    std::size_t pixels() const { return std::size_t(width()) * std::size_t(height()); }
    std::size_t samples() const {
        return std::size_t(views()) * std::size_t(low_width()) * std::size_t(low_height());
    }

    // Spans of other sizes throw Error(invalid_option).
    void forward(std::span<const float> x, std::span<float> samples) const;  // A x
    void adjoint(std::span<const float> samples, std::span<float> x) const;  // A' samples
    void normal(std::span<const float> x, std::span<float> result) const;    // A'MA x
    void diagonal(std::span<float> result) const;  // a positive estimate of diag(A'MA)

    std::span<const float> data(int channel = 0) const;  // y
    std::span<const float> weights() const;              // diag(M): visibility and trust

private:
    struct Content;
    std::unique_ptr<Content> content_;
};

}  // namespace PLENOSR_EXPORT
