#pragma once

#include <filesystem>
#include <string_view>

#include "base/temporary.h"

namespace plenosr {

// Every output of the library goes through these two. It becomes a part of the thread's OutputBatch
// if there is one. Otherwise it gets its final name at once.
void write_output_file(const std::filesystem::path& file, std::string_view bytes);
// `temporary` becomes `target`, as resolved_target() returns it.
void commit_output_folder(Temporary temporary, const std::filesystem::path& target);

enum class FolderExchange { if_supported, never };
// Gives the folder `temporary` the name `target`. If that is a folder with content, both change
// their names in one step, so that there is a target at any time. File systems that cannot do this
// need two steps; if the process is killed in between, remove_stale_temporaries() repairs it.
// Error(output)
void replace_folder(const std::filesystem::path& temporary, const std::filesystem::path& target,
                    FolderExchange exchange = FolderExchange::if_supported);

}  // namespace plenosr
