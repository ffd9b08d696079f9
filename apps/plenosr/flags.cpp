#include "flags.h"

#include <CLI/CLI.hpp>

#include "help.h"

namespace plenosr::app {

Flag& Flag::type_name(const std::string& values) {
    option_->type_name(values);
    return *this;
}

Flag& Flag::required() {
    option_->required();
    return *this;
}

Flag& Flag::default_str(const std::string& shown) {
    option_->default_str(shown);
    return *this;
}

Flag& Flag::capture_default_str() {
    option_->capture_default_str();
    return *this;
}

Flag& Flag::expected(int least, int most) {
    option_->expected(least, most);
    return *this;
}

Flag& Flag::excludes(Flag other) {
    option_->excludes(other.option_);
    return *this;
}

std::size_t Flag::count() const {
    return option_->count();
}

void advanced(Flag flag) {
    flag.option_->group(advanced_group);
}

Flags Flags::add_subcommand(const std::string& name, const std::string& description) {
    return Flags(*app_->add_subcommand(name, description));
}

Flag Flags::add_option(const std::string& names, std::string& value,
                       const std::string& description) {
    return Flag(*app_->add_option(names, value, description));
}

Flag Flags::add_option(const std::string& names, int& value, const std::string& description) {
    return Flag(*app_->add_option(names, value, description));
}

Flag Flags::add_option(const std::string& names, std::optional<int>& value,
                       const std::string& description) {
    return Flag(*app_->add_option(names, value, description));
}

Flag Flags::add_option(const std::string& names, std::vector<std::string>& value,
                       const std::string& description) {
    return Flag(*app_->add_option(names, value, description));
}

Flag Flags::add_flag(const std::string& names, bool& value, const std::string& description) {
    return Flag(*app_->add_flag(names, value, description));
}

Flag Flags::option(const std::string& name) const {
    return Flag(*app_->get_option(name));
}

void Flags::footer(const std::string& text) {
    app_->footer(text);
}

}  // namespace plenosr::app
