#pragma once

#include <chrono>
#include <string>

#include "plenosr/progress.h"

namespace plenosr::app {

// SIGINT and SIGTERM set a flag that every progress callback looks at.
void catch_interrupts();
bool interrupted() noexcept;
void stop_if_interrupted();  // throws Cancelled

// Shows how a job gets on, on standard error: one line that is redrawn on a terminal and cleared at
// the end, else a line per finished stage and per iteration. Quiet, it only listens to interrupts.
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
    void print_line(const ProgressEvent& event) const;
    double seconds_in_stage() const;

    bool quiet_;
    bool terminal_;
    bool drawn_ = false;
    std::string stage_;
    Clock::time_point stage_start_;
    Clock::time_point last_drawn_;
};

}  // namespace plenosr::app
