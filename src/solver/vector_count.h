#pragma once

#include "solver/admm.h"
#include "solver/gradient_descent.h"
#include "solver/plug_and_play.h"
#include "solver/vectors.h"

namespace plenosr {

// Vectors that a solver holds while it runs, x included.
inline VectorCount vector_count(Solver solver, bool splits_data, bool keeps_previous) {
    VectorCounter counter;
    counter.new_image();  // x
    if (solver == Solver::admm)
        AdmmVectors<VectorCounter>(counter, splits_data, keeps_previous);
    else
        GradientDescentVectors<VectorCounter>{counter};
    return counter.count;
}

// The same for the denoiser steps; the solver's other vectors are freed by then.
inline VectorCount plug_and_play_vector_count() {
    VectorCounter counter;
    counter.new_image();  // x
    DenoisingVectors<VectorCounter>{counter};
    return counter.count;
}

}  // namespace plenosr
