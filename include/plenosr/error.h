#pragma once

#include <stdexcept>
#include <string>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// The category of an error. The program's exit code depends on it (docs/cli.md).
enum class ErrorKind {
    invalid_option,  // a value outside its range, or options that contradict each other
    input,           // a file, folder or data that is missing, unreadable or inconsistent
    output,          // a file or folder that cannot be written
    device,          // a compute device that is missing, fails or lacks memory
    cancelled,       // the progress callback returned false (plenosr/progress.h)
    memory,          // too little memory, even with small tiles
};

// Misuse or bad data. The message is one sentence: what was tried, with which value or file, and
// what would be right. Not converging is a result, not an error.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

    ErrorKind kind() const noexcept { return kind_; }

private:
    ErrorKind kind_;
};

}  // namespace PLENOSR_EXPORT
