#include "report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "printable.h"

namespace plenosr::app {

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
    // File names need not be UTF-8, but JSON must be.
    if (!json.empty()) write(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Report::write(const std::string& text) const {
    if (json.empty()) return;
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
