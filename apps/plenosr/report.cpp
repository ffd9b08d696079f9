#include "report.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "printable.h"

namespace plenosr::app {
namespace {

template <class T>
bool is_all(const std::string& text, T& value) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

}  // namespace

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_value(const std::string& shown) {
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    double real = 0;
    if (is_all(shown, whole)) return whole;
    if (is_all(shown, large)) return large;
    if (is_all(shown, real) && std::isfinite(real)) return real;
    return shown;
}

Json json_position(ViewPosition position) {
    const auto coordinate = [](double value) {
        return value == std::floor(value) ? Json(std::int64_t(value)) : Json(value);
    };
    return Json::array({coordinate(position.row), coordinate(position.col)});
}

namespace {

// A line of /proc/self/status, such as "VmHWM:", in bytes; 0 if there is none.
std::size_t status_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        std::size_t kibibytes = 0;
        if (word == name && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

}  // namespace

std::size_t peak_memory_bytes() {
    if (const std::size_t bytes = status_bytes("VmHWM:"); bytes > 0) return bytes;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::size_t(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

void restart_peak_memory() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // see proc(5); if it fails, the old peak stays
}

void print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Error(ErrorKind::output, fmt::format("Standard output cannot be written: {}.",
                                                   std::generic_category().message(errno)));
}

void Report::add_flags(Flags app, bool with_quiet) {
    app.add_option("--json", json, "write a report as JSON; - writes it to standard output")
        .type_name("FILE");
    if (with_quiet) app.add_flag("--quiet", quiet, "print nothing but errors");
}

void Report::require_writable() const {
    if (!json.empty() && json != "-") require_writable_file(json);
}

void Report::write(const Json& document) const {
    if (json.empty()) return;
    // File names need not be UTF-8, but JSON must be.
    const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (json == "-")
        print(printable_json(text));
    else
        write_text_file(json, text);
}

void Report::notes(const std::vector<std::string>& notes) const {
    for (const std::string& note : notes)
        summary("note: " + printable(note) + "\n");
}

void Report::summary(const std::string& text) const {
    if (quiet) return;
    const std::string shown = printable_lines(text);
    if (json == "-" || stdout_taken)
        std::fwrite(shown.data(), 1, shown.size(), stderr);
    else
        print(shown);
}

}  // namespace plenosr::app
