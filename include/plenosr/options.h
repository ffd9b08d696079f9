#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plenosr/convert.h"
#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"

namespace plenosr {

// One option of a job, under the one name it has everywhere: the program's flags, --help, the JSON
// report and the documents are all made from these lists.
template <class Options>
struct Option {
    std::string name;         // "lambda1"; the program's flag is --lambda1
    std::string values;       // "l1|l2|l1+l2", "X", "N"
    std::string description;  // what it does, its unit and why its default is what it is
    // Throws Error(invalid_option): field, value, rule.
    std::function<void(Options&, const std::string& text)> set;
    std::function<std::string(const Options&)> show;
};

const std::vector<Option<ReconstructOptions>>& reconstruct_options();
const std::vector<Option<DegradeOptions>>& degrade_options();
const std::vector<Option<DisparityOptions>>& disparity_options();
const std::vector<Option<FramesOptions>>& frames_options();
const std::vector<Option<SynthOptions>>& synth_options();
const std::vector<Option<OpenOptions>>& open_options();  // of every command that reads one
const std::vector<Option<ConvertOptions>>& convert_options();

}  // namespace plenosr
