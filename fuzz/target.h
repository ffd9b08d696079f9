#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "plenosr/error.h"

namespace plenosr::fuzz {

// A condition that must hold for every input; the fuzzer reports the input that violates it.
inline void require(bool law) {
    if (!law) std::abort();
}

// The body must throw Error.
template <class Body>
void require_error(Body body) {
    bool refused = false;
    try {
        body();
    } catch (const Error&) {
        refused = true;
    }
    require(refused);
}

// Runs a parser, which must succeed or throw Error with a message.
template <class Body>
int run(const std::uint8_t* data, std::size_t size, Body body) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        body(bytes);
    } catch (const Error& error) {
        require(error.what()[0] != '\0');
    }
    return 0;
}

}  // namespace plenosr::fuzz
