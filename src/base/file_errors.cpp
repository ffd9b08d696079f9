#include "base/file_errors.h"

#include <fmt/core.h>

#include "plenosr/error.h"

namespace plenosr {
namespace {

// Texts of files and libraries in a reason may be long.
std::string shortened(std::string_view reason) {
    constexpr std::size_t longest = 800;
    if (reason.size() <= longest) return std::string(reason);
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U)
        --end;  // not within a character of UTF-8
    return std::string(reason.substr(0, end)) + "…";
}

}  // namespace

void refuse_file(const std::filesystem::path& path, std::string_view reason,
                 std::string_view kind) {
    throw Error(ErrorKind::input, fmt::format("The {} {} cannot be read: {}.", kind, path.string(),
                                              shortened(reason)));
}

void refuse_output(const std::filesystem::path& path, std::string_view reason,
                   std::string_view kind) {
    throw Error(ErrorKind::output, fmt::format("The {} {} cannot be written: {}.", kind,
                                               path.string(), shortened(reason)));
}

std::string as_reason(const std::exception& error) {
    std::string reason = error.what();
    if (reason.ends_with('.')) reason.pop_back();
    for (const std::string_view first : {"A ", "The ", "Images "})
        if (reason.starts_with(first)) reason[0] = char(std::tolower(reason[0]));
    return reason;
}

}  // namespace plenosr
