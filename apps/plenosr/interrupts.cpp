#include "interrupts.h"

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>

#include "plenosr/error.h"
#include "plenosr/outputs.h"
#include "plenosr/progress.h"

namespace plenosr::app {
namespace {

std::atomic<int> signals{0};
std::atomic<bool> watched{false};
std::atomic<bool> message_claimed{false};
sem_t arrived;  // counts the signals for the watcher

extern "C" void note_interrupt(int) {
    const int before = errno;
    const int count = ++signals;
    const int last = watched ? 3 : 2;
    if (count >= last) _exit(interrupted_exit_code);
    sem_post(&arrived);
    errno = before;
}

// The job's threads may hold the locks of stdio, and standard error may be a pipe that nobody
// reads: then there is no message.
void say(const std::string& text) {
    pollfd error{STDERR_FILENO, POLLOUT, 0};
    if (poll(&error, 1, 0) != 1 || (error.revents & POLLOUT) == 0) return;
    const std::string line = (isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "") + text;
    [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, line.data(), line.size());
}

void wait_for_signal() {
    while (sem_wait(&arrived) != 0 && errno == EINTR) {
    }
}

void wait_for_second_signal() {
    constexpr long patience_ns = 500'000'000;
    constexpr long second_ns = 1'000'000'000;
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += patience_ns;
    end.tv_sec += end.tv_nsec / second_ns;
    end.tv_nsec %= second_ns;
    while (sem_clockwait(&arrived, CLOCK_MONOTONIC, &end) != 0 && errno == EINTR) {
    }
}

void watch() {
    wait_for_signal();
    wait_for_second_signal();
    const bool claimed = claim_interrupt_message();
    const bool written = abandon_outputs();
    if (claimed)
        say(written ? "plenosr: interrupted; results that were complete before stay\n"
                    : "plenosr: interrupted; no result was written\n");
    _exit(interrupted_exit_code);
}

}  // namespace

void catch_interrupts() {
    sem_init(&arrived, 0, 0);
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    try {
        std::thread(watch).detach();
        watched = true;
    } catch (const std::system_error&) {
        // Too many threads: the flag ends jobs that report progress, a second signal the others.
    }
}

bool interrupted() noexcept {
    return signals > 0;
}

void end_cancelled() {
    throw Error(ErrorKind::cancelled, "The job was cancelled.");
}

void require_finished(Termination termination) {
    if (termination == Termination::cancelled) end_cancelled();
}

void stop_if_interrupted() {
    if (interrupted()) end_cancelled();
}

bool claim_interrupt_message() noexcept {
    return !message_claimed.exchange(true);
}

}  // namespace plenosr::app
