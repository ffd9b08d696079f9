#include "progress_bar.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

namespace plenosr::app {
namespace {

volatile std::sig_atomic_t interrupt_flag = 0;

extern "C" void note_interrupt(int) {
    interrupt_flag = 1;
}

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

std::string bar(int step, int steps) {
    constexpr int width = 24;
    const int filled = std::clamp(int(double(width) * step / std::max(steps, 1)), 0, width);
    return fmt::format("[{}{}]", std::string(std::size_t(filled), '#'),
                       std::string(std::size_t(width - filled), '.'));
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() noexcept {
    return interrupt_flag != 0;
}

void stop_if_interrupted() {
    if (interrupted()) throw Cancelled();
}

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::clear() {
    if (drawn_) put("\r\033[K");
    drawn_ = false;
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
    if (event.stage != stage_) {
        stage_ = event.stage;
        stage_start_ = Clock::now();
        last_drawn_ = {};
    }
    if (!terminal_) return print_line(event);
    constexpr auto pause = std::chrono::milliseconds(50);  // redrawing more often only flickers
    if (Clock::now() - last_drawn_ < pause && event.step != event.steps) return;
    redraw(event);
}

void ProgressBar::redraw(const ProgressEvent& event) {
    std::string line = fmt::format("{:<10}", event.stage);
    if (event.steps > 0)
        line += fmt::format(" {} {}/{}", bar(event.step, event.steps), event.step, event.steps);
    if (event.cost != 0) line += fmt::format("  cost {:.5g}", event.cost);
    if (event.step > 0 && event.step < event.steps)
        line += fmt::format("  {} left",
                            duration(seconds_in_stage() / event.step * (event.steps - event.step)));
    put(fmt::format("\r{}\033[K", line.substr(0, terminal_columns())));
    drawn_ = true;
    last_drawn_ = Clock::now();
}

void ProgressBar::print_line(const ProgressEvent& event) const {
    if (event.cost != 0)
        put(fmt::format("{} {}/{}  cost {:.6g}\n", event.stage, event.step, event.steps,
                        event.cost));
    else if (event.step == event.steps)
        put(fmt::format("{} {}/{}  {:.1f} s\n", event.stage, event.step, event.steps,
                        seconds_in_stage()));
}

}  // namespace plenosr::app
