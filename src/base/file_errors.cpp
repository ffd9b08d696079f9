#include "base/file_errors.h"

#include <fmt/core.h>

#include "plenosr/error.h"

namespace plenosr {

void refuse_file(const std::filesystem::path& path, std::string_view reason,
                 std::string_view kind) {
    throw Error(ErrorKind::input,
                fmt::format("The {} {} cannot be read: {}.", kind, path.string(), reason));
}

void refuse_output(const std::filesystem::path& path, std::string_view reason,
                   std::string_view kind) {
    throw Error(ErrorKind::output,
                fmt::format("The {} {} cannot be written: {}.", kind, path.string(), reason));
}

std::string as_reason(const std::exception& error) {
    std::string reason = error.what();
    if (reason.ends_with('.')) reason.pop_back();
    return reason;
}

}  // namespace plenosr
