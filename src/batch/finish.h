#pragma once

#include "batch/tasks.h"

namespace plenosr {

// The last task: checks every result, and writes the tables and the page of all items. Error(input)
// if items are not done, or if a result is damaged: its part is then removed, so that the item is
// done again.
WorkResult finish(const BatchJob& job, const Progress& progress);

// ---- what it writes
// ------------------------------------------------------------------------------
struct ItemRow {
    std::string name;
    std::string input;
    std::string file;   // within OUT; empty: none
    std::string error;  // why there is none
    io::Json report;
    std::filesystem::path thumbnail;
};
std::string batch_csv(const std::vector<ItemRow>& rows);
std::string batch_json(const BatchJob& job, const std::vector<ItemRow>& rows);
std::string batch_page(const BatchJob& job, const std::vector<ItemRow>& rows);

}  // namespace plenosr
