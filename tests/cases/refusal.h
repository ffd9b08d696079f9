#pragma once

#include <gtest/gtest.h>

#include <string>

#include "plenosr/error.h"

namespace plenosr::test {

// The message of the Error of this kind that the body must throw.
template <class Body>
std::string refusal_of(ErrorKind kind, Body body) {
    try {
        body();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error was thrown";
    return {};
}

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace plenosr::test
