#include "progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "interrupts.h"

namespace plenosr::app {
namespace {

// Failing to show progress must not stop the work.
void put(const std::string& text) noexcept {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

std::size_t terminal_columns() {
    winsize size{};
    constexpr std::size_t usual = 80;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1
               ? std::size_t(size.ws_col) - 1
               : usual;
}

std::string duration(double seconds) {
    const long whole = std::lround(seconds);
    return whole < 60 ? fmt::format("{} s", whole)
                      : fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

std::string bar(double share) {
    constexpr int width = 24;
    const int filled = std::clamp(int(double(width) * share), 0, width);
    return fmt::format("[{}{}]", std::string(std::size_t(filled), '#'),
                       std::string(std::size_t(width - filled), '.'));
}

// How much of the stage is done, from 0 to 1.
double share_of(const ProgressEvent& event) {
    return event.steps > 0 ? std::min(1.0, (event.step + event.fraction) / event.steps) : 0.0;
}

// "3/9"; "43 %" of a stage that has a single step.
std::string count_of(const ProgressEvent& event) {
    if (event.steps == 1) return fmt::format("{} %", int(100 * share_of(event)));
    return event.steps > 0 ? fmt::format("{}/{}", event.step, event.steps)
                           : fmt::format("{}", event.step);
}

constexpr const char* compilation_text = "compiling OpenCL kernels (once; cached afterwards)";

// Off a terminal: seconds into a stage at which it gets its first line before its end. Each
// further line waits twice as long. A later stage of the same name that is shorter gets no line.
constexpr double first_line_seconds = 2;
constexpr double short_stage_seconds = 1;

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::clear() {
    end_stage();
    if (drawn_) put("\r\033[K");
    drawn_ = false;
}

void ProgressBar::show_compilation() {
    if (terminal_) {
        put(fmt::format("\r{}\033[K", std::string(compilation_text).substr(0, terminal_columns())));
        drawn_ = true;
    } else if (!compilation_shown_) {
        put(fmt::format("{}\n", compilation_text));
        compilation_shown_ = true;
    }
}

Progress ProgressBar::callback() {
    return [this](const ProgressEvent& event) {
        if (!quiet_) show(event);
        return !interrupted();
    };
}

double ProgressBar::seconds_in_stage() const {
    return std::chrono::duration<double>(Clock::now() - stage_start_).count();
}

void ProgressBar::show(const ProgressEvent& event) {
    if (event.stage.empty()) return;
    if (event.stage == "compiling kernels") return show_compilation();
    const bool restarts = event.stage != stage_ || (event.step == 0 && step_ > 0);
    if (restarts) {
        end_stage();
        stage_ = event.stage;
        stage_start_ = Clock::now();
        last_drawn_ = {};
        next_line_seconds_ = first_line_seconds;
        stage_ended_ = false;
    }
    step_ = event.step;
    count_ = count_of(event);
    if (!terminal_) return print_line(event);
    constexpr auto pause = std::chrono::milliseconds(50);  // redrawing more often only flickers
    if (Clock::now() - last_drawn_ < pause && event.step != event.steps) return;
    redraw(event);
}

void ProgressBar::redraw(const ProgressEvent& event) {
    const double share = share_of(event);
    std::string line = fmt::format("{:<10}", event.stage);
    if (event.steps > 0)
        line += fmt::format(" {} {}", bar(share), count_of(event));
    else if (event.step > 0)
        line += fmt::format(" {}", count_of(event));
    if (event.cost != 0) line += fmt::format("  cost {:.4g}", event.cost);
    if (share > 0 && share < 1)
        line += fmt::format("  {} left", duration(seconds_in_stage() * (1 - share) / share));
    put(fmt::format("\r{}\033[K", line.substr(0, terminal_columns())));
    drawn_ = true;
    last_drawn_ = Clock::now();
}

void ProgressBar::print_line(const ProgressEvent& event) {
    if (event.steps > 0 && event.step >= event.steps) return end_stage();
    const double seconds = seconds_in_stage();
    if (seconds < next_line_seconds_) return;
    while (next_line_seconds_ <= seconds)
        next_line_seconds_ *= 2;
    put(fmt::format("{} {}  {:.1f} s\n", stage_, count_, seconds));
}

void ProgressBar::end_stage() {
    if (terminal_ || stage_ended_) return;
    stage_ended_ = true;
    const double seconds = seconds_in_stage();
    if (step_ == 0 && seconds < short_stage_seconds) return;  // an error ended it at once
    const bool first = ended_stages_.insert(stage_).second;
    if (first || seconds >= short_stage_seconds)
        put(fmt::format("{} {}  {:.1f} s\n", stage_, count_, seconds));
}

}  // namespace plenosr::app
