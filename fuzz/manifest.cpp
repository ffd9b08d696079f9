#include "io/manifest.h"

#include "target.h"

// A parsed manifest can be written and parsed again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        const io::Manifest manifest = io::parse_manifest("/folder", text);
        for (const io::Manifest::View& view : manifest.views) {
            fuzz::require(!view.file.empty() && view.file.front() != '/');
            fuzz::require(("/" + view.file + "/").find("/../") == std::string::npos);
        }
        if (manifest.degradation) {
            const std::string psf = psf_file(manifest.degradation->options.blur);
            fuzz::require(psf.empty() || psf.starts_with("/folder/"));
        }
        if (manifest.grid.rows == 0) return;
        const std::string written = io::format_manifest(manifest, "/folder");
        const io::Manifest again = io::parse_manifest("/folder", written);
        fuzz::require(again.views.size() == manifest.views.size() && again.grid == manifest.grid);
    });
}
