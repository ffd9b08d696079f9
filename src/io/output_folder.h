#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace plenosr::io {

// A folder under construction: files go into a hidden temporary folder beside `target`, which
// takes its place on commit(). Without a commit, everything is removed again.
class OutputFolder {
public:
    explicit OutputFolder(const std::filesystem::path& target);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    const std::filesystem::path& target() const { return target_; }
    void write(const std::string& name, std::string_view bytes) const;  // may run in parallel

    // Replaces what is at the target, if anything is.
    void commit();

private:
    [[noreturn]] void cannot_write(const std::string& reason) const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;
};

}  // namespace plenosr::io
