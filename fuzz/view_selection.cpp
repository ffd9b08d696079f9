#include "plenosr/light_field.h"
#include "target.h"

// Any accepted selection is a non-empty part of the available views.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        std::vector<ViewPosition> available;
        for (int i = 0; i < 25; ++i)
            available.push_back({double(i / 5), i % 5 + 0.125 * (i % 2)});
        const auto selected = select_views(text, {2, 2}, available);
        fuzz::require(!selected.empty() && selected.size() <= available.size());
    });
}
