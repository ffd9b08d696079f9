#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plenosr/convert.h"
#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
#include "plenosr/export.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"

namespace plenosr PLENOSR_EXPORT {

// One option of a job. The program's flags, --help, the JSON report and docs/cli.md are all made
// from these lists, so that an option has one name, one range and one description.
template <class Options>
struct Option {
    std::string name;         // "lambda1"; the program's flag is --lambda1
    std::string values;       // "l1|l2|l1+l2", "X", "N"
    std::string description;  // what it does, its unit, and how the default is chosen
    // Throws Error(invalid_option): field, value, rule.
    std::function<void(Options&, const std::string& text)> set;
    std::function<std::string(const Options&)> show;
    // --help lists the basic options; --help-all and the documents list the others as well.
    bool basic = false;
    // The option describes views of a light field and has no meaning for frames.
    bool views_only = false;
};

const std::vector<Option<ReconstructOptions>>& reconstruct_options();
const std::vector<Option<DegradeOptions>>& degrade_options();
const std::vector<Option<DisparityOptions>>& disparity_options();
const std::vector<Option<FramesOptions>>& frames_options();
const std::vector<Option<SynthOptions>>& synth_options();
const std::vector<Option<OpenOptions>>&
open_options();  // of every command that reads a light field
const std::vector<Option<ConvertOptions>>& convert_options();

// The word that `typed` was probably meant to be, e.g. the name of an option; empty if none is
// similar.
std::string similar_word(const std::string& typed, const std::vector<std::string>& words);

}  // namespace PLENOSR_EXPORT
