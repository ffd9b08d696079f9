#pragma once

#include <cstddef>

#include "plenosr/reconstruct.h"

namespace plenosr {

// Vectors (solver/backend.h) that a solver holds at its peak, x included. Backends plan their
// memory from this.
struct VectorCount {
    std::size_t images = 0;
    std::size_t samples = 0;
    std::size_t fields = 0;
    std::size_t weights = 0;
};

// admm.h: images x, gradient, p, q, Z and the previous x; samples s and u; weights e and e_old.
// gradient_descent.h: images x, gradient, trial.
inline VectorCount vector_count(Solver solver, bool splits_data, bool keeps_previous) {
    if (solver == Solver::admm)
        return {.images = keeps_previous ? 6U : 5U,
                .samples = splits_data ? 2U : 1U,
                .fields = 1,
                .weights = 2};
    return {.images = 3, .samples = 1, .fields = 0, .weights = 1};
}

// plug_and_play.h: images x, gradient, p, q, Z, start, v. The solver's own vectors are gone by
// then.
inline VectorCount plug_and_play_vector_count() {
    return {.images = 7, .samples = 1, .fields = 0, .weights = 1};
}

}  // namespace plenosr
