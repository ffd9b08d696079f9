#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

namespace plenosr {

// Every refusal of a file or folder has one sentence form:
//   "The PNG file a.png cannot be read: it ends within its header."
// `kind` says what the path was expected to be, `reason` what is wrong and what would be right.

// Error(input)
[[noreturn]] void refuse_file(const std::filesystem::path& path, std::string_view reason,
                              std::string_view kind = "file");
// Error(output): "The folder out cannot be written: the disk is full."
[[noreturn]] void refuse_output(const std::filesystem::path& path, std::string_view reason,
                                std::string_view kind = "file");

// The message of another error as a reason: without its full stop.
std::string as_reason(const std::exception& error);

}  // namespace plenosr
