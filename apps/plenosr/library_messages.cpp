#include "library_messages.h"

#include <stdio.h>
#include <unistd.h>

#include <string_view>

namespace plenosr::app {

#if defined(__GLIBC__)
namespace {

// libpng prints a message and its line end by two calls. Those of several threads may mix, so the
// line ends that are to come are counted. The stream's lock guards the count.
int line_ends_to_drop = 0;

ssize_t pass_on(void*, const char* data, std::size_t size) {
    const std::string_view text(data, size);
    if (text.starts_with("libpng error: ") || text.starts_with("libpng warning: ")) {
        if (!text.ends_with('\n')) ++line_ends_to_drop;
        return ssize_t(size);
    }
    if (text == "\n" && line_ends_to_drop > 0) {
        --line_ends_to_drop;
        return ssize_t(size);
    }
    return write(STDERR_FILENO, data, size);
}

}  // namespace

void drop_library_messages() {
    cookie_io_functions_t functions{};
    functions.write = pass_on;
    FILE* filtered = fopencookie(nullptr, "w", functions);
    if (filtered == nullptr) return;
    setvbuf(filtered, nullptr, _IONBF, 0);  // one call of pass_on() per message
    stderr = filtered;
}
#else
void drop_library_messages() {}
#endif

}  // namespace plenosr::app
