#pragma once

#include <cstddef>
#include <cstdint>

namespace plenosr::io {

// Bounds on what files may claim, checked before memory is taken for them. They are chosen by
// reasoning, not tuned: far above every light field in use, and low enough that products of two
// of them fit into 64 bits. No result depends on them; a larger file is refused.

inline constexpr std::int64_t longest_side_px = 1 << 16;   // of a picture or a map
inline constexpr std::int64_t longest_psf_side_px = 2047;  // of a picture of a PSF
inline constexpr std::int64_t most_pixels = 1 << 30;       // of a picture: 4 GiB per float channel
inline constexpr int most_views_per_side = 10000;          // rows or columns of a grid of views
inline constexpr int farthest_position = 10000;            // of a view, in steps between views
inline constexpr std::int64_t most_places = 1 << 18;       // rows times columns of a grid of views
inline constexpr int most_pages = 10000;                   // of a TIFF
inline constexpr std::uint64_t most_hdf5_entries = 10000;  // links or attributes of the root group
inline constexpr std::uint64_t most_mat_elements = 10000;  // variables of a MATLAB file
inline constexpr std::size_t largest_text_bytes = 1U << 20U;  // of a manifest or parameters.cfg

// Deflate compresses at most 1032 : 1 (258 bytes in two bits). A file that claims more pixels than
// its compressed bytes can hold is damaged.
inline constexpr std::uint64_t deflate_best_ratio = 1032;
// The same for the other decoders, with room for those that store constant areas as one number.
inline constexpr std::uint64_t decoder_best_ratio = 1U << 14U;
// A BMP with run lengths stores up to 255 pixels in two bytes.
inline constexpr double bmp_pixels_per_byte = 127.5;
// Each scan of a progressive JPEG is a pass over all pixels, for a few bytes of the file. Encoders
// write about ten.
inline constexpr int most_jpeg_scans = 500;

}  // namespace plenosr::io
