#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace plenosr::io {

// A folder that appears complete or not at all. Files are written to a hidden temporary folder
// beside `target`, which commit() renames. Without a commit, everything is removed again.
class OutputFolder {
public:
    explicit OutputFolder(const std::filesystem::path& target);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    const std::filesystem::path& target() const { return target_; }
    void write(const std::string& name, std::string_view bytes) const;  // thread-safe

    // Replaces an existing target.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
};

}  // namespace plenosr::io
