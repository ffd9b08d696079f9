#include "io/tiff_pages.h"

#include <cstring>

#include "target.h"

// Directories lie within the bytes, each once. With another first page, the pages from there on are
// found.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& bytes) {
        const auto pages_of = [](const std::string& content) {
            return io::tiff_pages(
                "a.tif", content.size(), [&](std::uint64_t place, char* to, std::size_t count) {
                    fuzz::require(place <= content.size() && count <= content.size() - place);
                    std::memcpy(to, content.data() + place, count);
                    return true;
                });
        };
        const std::vector<std::uint64_t> pages = pages_of(bytes);
        fuzz::require(!pages.empty());
        const std::size_t middle = pages.size() / 2;
        std::string changed = io::tiff_header_of_page(
            "a.tif", bytes.substr(0, io::longest_tiff_header), pages[middle]);
        const std::size_t header = changed.size();
        changed += bytes.substr(header);
        // A directory inside the header changes with it.
        for (const std::uint64_t page : pages)
            if (page < header) return;
        fuzz::require(
            pages_of(changed) ==
            std::vector<std::uint64_t>(pages.begin() + std::ptrdiff_t(middle), pages.end()));
    });
}
