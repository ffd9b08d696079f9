#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/temporary.h"

namespace plenosr::io {

// A folder that appears complete or not at all. Files are written to a hidden temporary folder
// beside `target`, which commit() renames, or the thread's OutputBatch. Without a commit,
// everything is removed again.
class OutputFolder {
public:
    explicit OutputFolder(const std::filesystem::path& target);

    const std::filesystem::path& target() const { return target_; }
    void write(const std::string& name, std::string_view bytes) const;  // thread-safe

    // Replaces an existing target.
    void commit();

private:
    std::filesystem::path target_;
    Temporary temporary_;
};

}  // namespace plenosr::io
