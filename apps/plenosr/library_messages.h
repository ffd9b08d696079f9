#pragma once

namespace plenosr::app {

// libpng prints errors and warnings of every picture to standard error. The errors are part of our
// own message, and most warnings are harmless; both would come once per view. From now on they are
// left out of stderr; everything else passes. For GNU libc; elsewhere nothing changes.
void drop_library_messages();

}  // namespace plenosr::app
