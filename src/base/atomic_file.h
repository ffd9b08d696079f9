#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/temporary.h"

namespace plenosr {

// The absolute path of an output with links resolved, without "." and without a slash at the end.
// Error(output) if the last part is a symbolic link whose target does not exist.
std::filesystem::path resolved_target(const std::filesystem::path& path,
                                      std::string_view kind = "file");

// "-" stands for standard output; a file of that name is "./-".
inline bool is_standard_output(const std::filesystem::path& file) {
    return file == "-";
}

enum class FileUse {
    output,  // on the disk before it gets its final name; permissions by the umask or as replaced
    cache    // for this user alone; after a power failure the content may be damaged
};

// A file that is complete under a temporary name. Standard output, devices and pipes have no
// temporary name: their bytes are kept in memory.
class PendingFile {
public:
    PendingFile(const std::filesystem::path& file, std::string_view bytes, FileUse use);

    const std::filesystem::path& target() const { return target_; }
    void write_to_device() const;  // nothing, unless the target is a device or a pipe
    void rename() const;           // nothing, if it is

private:
    std::filesystem::path shown_;
    std::filesystem::path target_;
    bool device_ = false;
    std::string bytes_;
    Temporary temporary_;
};

// Creates a new file in a folder that sync_content() writes to the disk. On failure it is removed
// again, and Error(output) names `shown`, the path that the user knows.
void write_new_file(const std::filesystem::path& file, std::string_view bytes,
                    const std::filesystem::path& shown);

// The file appears complete or not at all, at once: not as a part of an OutputBatch.
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes, FileUse use);

// Both return 0 or the errno of the failure. File systems that cannot sync folders are no failure.
int sync_folder(const std::filesystem::path& folder);  // its names
// All files in it. One call for the whole file system takes 5 to 20 ms for 40 small files; a call
// for each of them takes 150 to 220 ms.
int sync_content(const std::filesystem::path& folder);

}  // namespace plenosr
