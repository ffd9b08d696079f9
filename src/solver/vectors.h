#pragma once

#include <concepts>
#include <cstddef>

namespace plenosr {

// Allocates the vectors of a solver (solver/backend.h lists their kinds).
template <class B>
concept VectorSource = requires(B b) {
    { b.new_image() } -> std::same_as<typename B::Vector>;
    { b.new_weights() } -> std::same_as<typename B::Vector>;
    { b.new_samples() } -> std::same_as<typename B::Vector>;
    { b.new_field() } -> std::same_as<typename B::Vector>;
};

// Number of vectors of each kind.
struct VectorCount {
    std::size_t images = 0;
    std::size_t samples = 0;
    std::size_t fields = 0;
    std::size_t weights = 0;
};

// A source that allocates nothing and counts. Constructing the solvers' structs of vectors on it
// counts how many they take (vector_count.h), so that plans of memory cannot differ from
// allocations.
struct VectorCounter {
    struct Vector {};
    VectorCount count;

    Vector new_image() { return ++count.images, Vector(); }
    Vector new_weights() { return ++count.weights, Vector(); }
    Vector new_samples() { return ++count.samples, Vector(); }
    Vector new_field() { return ++count.fields, Vector(); }
};
static_assert(VectorSource<VectorCounter>);

}  // namespace plenosr
