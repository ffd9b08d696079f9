#pragma once

#include "plenosr/image.h"

namespace plenosr::io {

// Orientations as EXIF and TIFF number them: where the first row and the first column of the stored
// pixels belong in the upright picture. 1: as stored; 2, 4: mirrored; 3: turned by 180 degrees;
// 6, 8: turned by 90 degrees; 5, 7: turned and mirrored.
inline constexpr int upright_orientation = 1;

// True if width and height of the upright picture are those of the stored one exchanged.
inline bool exchanges_sides(int orientation) {
    return orientation >= 5 && orientation <= 8;
}

// The picture as it is meant to be seen. Unknown orientations count as 1.
Image upright(Image stored, int orientation);

}  // namespace plenosr::io
