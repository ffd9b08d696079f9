#include "write_page.h"

#include <fmt/format.h>

#include "output_checks.h"

namespace plenosr::app {

void add_page_flag(Flags app, std::string& file) {
    app.add_option("--report", file,
                   "write a page for the browser: views, result, maps and figures, as `plenosr "
                   "report` does")
        .type_name("FILE.html");
}

void require_writable_page(const std::filesystem::path& file) {
    if (file.empty()) return;
    require_extension(file, {".html", ".htm"});
    require_writable_file(file);
}

std::string write_page_file(const std::filesystem::path& file, const ViewerContent& content,
                            const ViewerOptions& options, const Progress& progress) {
    if (file.empty()) return {};
    const std::string page = viewer_page(content, options, progress);
    write_text_file(file, page);
    std::string text = fmt::format("{}: {:.1f} MB, opens in a browser\n", file.string(),
                                   double(page.size()) / 1e6);
    if (page.size() > large_page_bytes)
        text +=
            "note: a page of this size opens slowly; `plenosr view` shows the same and loads "
            "pictures when they are needed\n";
    return text;
}

}  // namespace plenosr::app
