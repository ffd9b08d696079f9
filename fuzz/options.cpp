#include "plenosr/options.h"

#include "target.h"

namespace {

using namespace plenosr;

// The text of an accepted value, set again, gives the same text.
template <class Options>
void set_and_show(const Option<Options>& option, const std::string& text) {
    Options options;
    option.set(options, text);
    const std::string shown = option.show(options);
    Options again;
    option.set(again, shown);
    fuzz::require(option.show(again) == shown);
}

template <class Options>
bool try_list(const std::vector<Option<Options>>& list, std::size_t& number,
              const std::string& text) {
    if (number < list.size()) {
        set_and_show(list[number], text);
        return true;
    }
    number -= list.size();
    return false;
}

}  // namespace

// The first byte chooses an option, the others are its value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::run(data, size, [](const std::string& bytes) {
        if (bytes.empty()) return;
        std::size_t number = static_cast<unsigned char>(bytes[0]);
        const std::string text = bytes.substr(1);
        if (text.find('\0') != std::string::npos) return;  // the command line cannot have it
        try_list(reconstruct_options(), number, text) ||
            try_list(degrade_options(), number, text) ||
            try_list(disparity_options(), number, text) ||
            try_list(frames_options(), number, text) || try_list(synth_options(), number, text) ||
            try_list(open_options(), number, text) || try_list(convert_options(), number, text);
    });
}
