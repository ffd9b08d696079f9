#include "batch/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/cancelled.h"
#include "base/file_errors.h"
#include "base/sha256.h"
#include "plenosr/frames.h"
#include "plenosr/light_field_source.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_of_burst(const std::vector<fs::path>& inputs) {
    std::vector<fs::path> files;
    for (const FrameFiles::Entry& entry : list_frames(inputs).frames)
        files.push_back(entry.file);
    for (const fs::path& input : inputs)
        files.push_back(input / "lightfield.json");
    return files;
}

std::vector<fs::path> files_of_light_field(const fs::path& input, const OpenOptions& open) {
    const LightFieldIndex index = index_light_field(input, open);
    std::vector<fs::path> files = files_of(index);
    if (index.degradation) {
        files.push_back(index.degradation->full_disparity);
        files.emplace_back(psf_file(index.degradation->options.blur));
    }
    return files;
}

std::string hash_of(const fs::path& file, std::uint64_t& bytes, const Progress& progress) {
    std::ifstream stream(file, std::ios::binary);
    Sha256 hash;
    constexpr std::size_t block = 1U << 20U;
    std::vector<char> buffer(block);
    while (stream) {
        if (!report(progress, {"hashing", 0, 0, 0})) throw Cancelled();
        stream.read(buffer.data(), std::streamsize(block));
        hash.update({buffer.data(), std::size_t(stream.gcount())});
        bytes += std::uint64_t(stream.gcount());
    }
    if (!stream.eof()) refuse_file(file, "reading it failed");
    return hex_text(hash.digest());
}

}  // namespace

std::vector<fs::path> files_of_item(const std::vector<fs::path>& inputs, bool frames,
                                    const OpenOptions& open) {
    std::vector<fs::path> files =
        frames ? files_of_burst(inputs) : files_of_light_field(inputs.front(), open);
    std::error_code error;
    std::erase_if(files, [&](const fs::path& file) { return !fs::is_regular_file(file, error); });
    return files;
}

FilesDigest digest_of(std::vector<fs::path> files, const Progress& progress) {
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    FilesDigest digest;
    std::vector<std::string> lines;
    for (const fs::path& file : files) {
        std::uint64_t bytes = 0;
        const std::string hash = hash_of(file, bytes, progress);
        lines.push_back(fmt::format("{}\n{} {}\n", file.filename().string(), bytes, hash));
        digest.bytes += bytes;
    }
    digest.files = files.size();
    std::sort(lines.begin(), lines.end());  // the same wherever the files lie
    Sha256 all;
    for (const std::string& line : lines)
        all.update(line);
    digest.sha256 = hex_text(all.digest());
    return digest;
}

}  // namespace plenosr
