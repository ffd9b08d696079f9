#pragma once

#include <string>
#include <vector>

namespace plenosr::io {

// A manifest cannot name files outside its folder. So a folder that is made with the PSF of a file
// holds a copy of that file.
struct PsfCopy {
    struct File {
        std::string name;
        std::string bytes;
    };
    std::string prefix;       // of the blur's text: psf: or psf-grid:
    std::vector<File> files;  // the first one is the one to name; none if the blur needs no file
};

// The files that the folder needs for a blur with this text. Their PSFs are the same bit by bit.
// Error(input) if a file of the blur cannot be read.
PsfCopy copy_psf(const std::string& blur);

// True if copy_psf() gives this name to a file.
bool is_psf_copy(const std::string& name);

}  // namespace plenosr::io
