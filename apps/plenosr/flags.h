#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is given
class App;
class Option;
}  // namespace CLI

namespace plenosr::app {

// What the commands use of CLI11. Compiling its headers takes seconds, so only flags.cpp, help.cpp,
// usage_error.cpp and main.cpp include them. Both classes are handles: CLI11 owns the objects.

class Flag {
public:
    explicit Flag(CLI::Option& option) : option_(&option) {}

    Flag& type_name(const std::string& values);  // as the help shows them
    Flag& required();
    Flag& default_str(const std::string& shown);
    Flag& capture_default_str();  // shows the present value of the variable
    Flag& expected(int least, int most);
    Flag& excludes(Flag other);
    std::size_t count() const;

private:
    friend void advanced(Flag flag);

    CLI::Option* option_;
};

// Marks an option that --help leaves out and --help-all lists.
void advanced(Flag flag);

class Flags {
public:
    explicit Flags(CLI::App& app) : app_(&app) {}

    Flags add_subcommand(const std::string& name, const std::string& description);
    // `value` must live until the command line is parsed.
    Flag add_option(const std::string& names, std::string& value, const std::string& description);
    Flag add_option(const std::string& names, int& value, const std::string& description);
    Flag add_option(const std::string& names, std::optional<int>& value,
                    const std::string& description);
    Flag add_option(const std::string& names, std::vector<std::string>& value,
                    const std::string& description);
    Flag add_flag(const std::string& names, bool& value, const std::string& description);
    Flag option(const std::string& name) const;
    void footer(const std::string& text);

    CLI::App& app() const { return *app_; }

private:
    CLI::App* app_;
};

}  // namespace plenosr::app
