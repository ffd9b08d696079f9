#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plenosr/options.h"

namespace plenosr::python {

// Options as they were given: names and texts, as on the command line.
using Given = std::vector<std::pair<std::string, std::string>>;

inline bool is_given(const Given& given, const std::string& name) {
    for (const auto& option : given)
        if (option.first == name) return true;
    return false;
}

// Error(invalid_option) if both --psf-grid and --blur are given: they are the same.
void require_one_psf(const Given& given);

// `options` with the given values, set in the order of the list.
template <class O>
O with(O options, const Given& given, const std::vector<Option<O>>& list) {
    for (const Option<O>& option : list)
        for (const auto& [name, text] : given)
            if (name == option.name) option.set(options, text);
    return options;
}

}  // namespace plenosr::python
