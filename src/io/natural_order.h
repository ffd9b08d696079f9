#pragma once

#include <string>

namespace plenosr::io {

// Natural order of names: numbers compare by value, so that frame2 comes before frame10. A strict
// weak order.
inline bool natural_order_less(const std::string& x, const std::string& y) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    // The digits without leading zeros; `at` moves behind them.
    const auto number = [&](const std::string& text, std::size_t& at) {
        while (at < text.size() && text[at] == '0')
            ++at;
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at]))
            ++at;
        return text.substr(begin, at - begin);
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < x.size() && j < y.size()) {
        if (!is_digit(x[i]) || !is_digit(y[j])) {
            if (x[i] != y[j]) return x[i] < y[j];
            ++i, ++j;
            continue;
        }
        const std::string m = number(x, i);
        const std::string n = number(y, j);
        if (m.size() != n.size()) return m.size() < n.size();
        if (m != n) return m < n;
    }
    return x.size() - i < y.size() - j;
}

}  // namespace plenosr::io
