#pragma once

#include <chrono>
#include <set>
#include <string>

#include "plenosr/progress.h"

namespace plenosr::app {

// Shows the progress of a job on standard error. On a terminal it is one line that is redrawn, and
// cleared at the end. Elsewhere it is a few lines: the end of each stage, and of a long stage its
// state after 2, 4, 8, 16 … seconds. A quiet bar shows nothing and only checks for interrupts.
class ProgressBar {
public:
    explicit ProgressBar(bool quiet);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    Progress callback();
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    void show(const ProgressEvent& event);
    void redraw(const ProgressEvent& event);
    void print_line(const ProgressEvent& event);
    void end_stage();
    void show_compilation();
    double seconds_in_stage() const;

    bool quiet_;
    bool terminal_;
    bool drawn_ = false;
    bool compilation_shown_ = false;
    std::string stage_;
    bool stage_ended_ = true;
    int step_ = 0;
    std::string count_;  // "3/9"
    Clock::time_point stage_start_;
    Clock::time_point last_drawn_;
    double next_line_seconds_ = 0;        // into the stage, for the next line that is not its end
    std::set<std::string> ended_stages_;  // that have a line
};

}  // namespace plenosr::app
