#pragma once

#include <filesystem>

#include "flags.h"
#include "plenosr/viewer.h"

namespace plenosr::app {

// --report FILE of the commands that make results.
void add_page_flag(Flags app, std::string& file);
// Checks that the page of --report can be written; nothing if it is not asked for.
void require_writable_page(const std::filesystem::path& file);
// Writes the page, and returns the lines for the summary.
std::string write_page_file(const std::filesystem::path& file, const ViewerContent& content,
                            const ViewerOptions& options, const Progress& progress);

}  // namespace plenosr::app
