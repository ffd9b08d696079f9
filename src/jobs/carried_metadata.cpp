#include <fmt/format.h>

#include "plenosr/jobs.h"

namespace plenosr {

Metadata metadata_of(const FrameFiles& files, int reference, std::vector<std::string>& notes) {
    const FrameFiles::Entry& entry = files.frames[std::size_t(reference)];
    Metadata metadata = read_metadata(entry.file, entry.page);
    std::string first;
    int others = 0;
    for (const FrameFiles::Entry& frame : files.frames) {
        if (frame.page > 0 || frame.file == entry.file) continue;  // pages of one file are alike
        if (read_metadata(frame.file).icc_profile == metadata.icc_profile) continue;
        if (others++ == 0) first = frame.file.filename().string();
    }
    if (others > 0)
        notes.push_back(fmt::format(
            "{} of {} frames, {} first, have another colour profile than the reference {}, or only "
            "one of them has a profile; colours are not converted, and the result has the profile "
            "of the reference",
            others, files.frames.size(), first, entry.file.filename().string()));
    return metadata;
}

std::vector<Metadata> metadata_of(const LightFieldIndex& index) {
    std::vector<Metadata> all;
    for (std::size_t i = 0; i < index.views.size(); ++i) {
        const bool same_file = i > 0 && index.views[i].file == index.views[i - 1].file;
        all.push_back(same_file ? all.back() : read_metadata(index, index.views[i].position));
    }
    return all;
}

}  // namespace plenosr
