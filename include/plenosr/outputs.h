#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// Outputs that appear together. While a batch exists, every function of this library that the same
// thread calls writes its files and folders completely under temporary names. commit() gives them
// their final names. Without a commit, all of them are removed again.
class OutputBatch {
public:
    OutputBatch();
    ~OutputBatch();
    OutputBatch(const OutputBatch&) = delete;
    OutputBatch& operator=(const OutputBatch&) = delete;

    // Writes to devices and pipes first, because that may fail and cannot be undone. Throws
    // Error(output) if an output cannot be renamed, and Error(cancelled) after abandon_outputs().
    void commit();

    struct Content;  // used by the library
    Content& content() { return *content_; }

private:
    std::unique_ptr<Content> content_;
    OutputBatch* outer_;
};

// Error(output) if two outputs have the same target, by any name or link, or if one lies within the
// other: a folder is replaced as a whole. Empty paths are ignored.
void require_distinct_outputs(const std::vector<std::filesystem::path>& outputs);

// Removes the temporary files of all threads. From then on, writing throws Error(cancelled). For a
// program that has to end at once while other threads still work. Returns whether outputs were
// committed before.
bool abandon_outputs();

}  // namespace PLENOSR_EXPORT
