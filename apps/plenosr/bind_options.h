#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flags.h"
#include "plenosr/options.h"

namespace plenosr::app {

// Flags made from one of the lists of plenosr/options.h: --name VALUES, description, default.
// --help lists the basic ones, --help-all lists all.
template <class O>
class BoundOptions {
public:
    // `list` must outlive this object. `other_defaults` describes the defaults that are not those
    // of the struct.
    void bind(Flags app, const std::vector<Option<O>>& list, const O& defaults,
              const std::map<std::string, std::string>& other_defaults = {}) {
        list_ = &list;
        texts_.resize(list.size());  // CLI11 keeps their addresses
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto other = other_defaults.find(list[i].name);
            const std::string shown =
                other != other_defaults.end() ? other->second : list[i].show(defaults);
            // --profile alone turns it on. A default_str would make CLI11 use it as the value
            // there.
            const bool alone = is_switch(i) && shown == "off";
            flags_.push_back(app.add_option("--" + list[i].name, texts_[i],
                                            list[i].description + (alone ? " (default: off)" : ""))
                                 .type_name(list[i].values));
            if (alone)
                flags_.back().expected(0, 1);
            else
                flags_.back().default_str(shown);
            if (!list[i].basic) advanced(flags_.back());
        }
    }

    bool given(const std::string& name) const {
        for (std::size_t i = 0; i < flags_.size(); ++i)
            if ((*list_)[i].name == name) return flags_[i].count() > 0;
        return false;
    }

    // The names and texts of those that were given, in the order of the list.
    std::vector<std::pair<std::string, std::string>> given_texts() const {
        std::vector<std::pair<std::string, std::string>> given;
        for (std::size_t i = 0; i < flags_.size(); ++i)
            if (flags_[i].count() > 0) given.emplace_back((*list_)[i].name, text_of(i));
        return given;
    }

    // `options` with the given values, set in the order of the list.
    O apply(O options) const {
        for (std::size_t i = 0; i < flags_.size(); ++i)
            if (flags_[i].count() > 0) (*list_)[i].set(options, text_of(i));
        return options;
    }

private:
    std::string text_of(std::size_t i) const {
        return texts_[i].empty() && is_switch(i) ? "on" : texts_[i];
    }
    bool is_switch(std::size_t i) const { return (*list_)[i].values == "on|off"; }

    const std::vector<Option<O>>* list_ = nullptr;
    std::vector<std::string> texts_;
    std::vector<Flag> flags_;
};

}  // namespace plenosr::app
