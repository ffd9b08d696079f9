#include "io/natural_order.h"

#include <array>

#include "target.h"

// Three lines are three names: the order is a strict weak one, as std::sort needs it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plenosr;
    return fuzz::run(data, size, [](const std::string& text) {
        std::array<std::string, 3> names;
        std::size_t begin = 0;
        for (std::string& name : names) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            name = text.substr(begin, end - begin);
            begin = std::min(end + 1, text.size());
        }
        const auto& [a, b, c] = names;
        const auto less = io::natural_order_less;
        const auto equal = [&](const std::string& x, const std::string& y) {
            return !less(x, y) && !less(y, x);
        };
        fuzz::require(!less(a, a));
        fuzz::require(!(less(a, b) && less(b, a)));
        if (less(a, b) && less(b, c)) fuzz::require(less(a, c));
        if (equal(a, b) && equal(b, c)) fuzz::require(equal(a, c));
    });
}
