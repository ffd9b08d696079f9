#pragma once

#include "plenosr/progress.h"

namespace plenosr::app {

// SIGINT and SIGTERM end the program within a second:
// - the first one sets a flag that every progress callback checks, so that the job ends by itself;
// - if it does not within half a second, because a call of a library blocks, a thread removes the
//   temporary files and ends the process;
// - a second signal makes that thread act at once, a third one ends the process without it.
// Called before anything else.
void catch_interrupts();

bool interrupted() noexcept;
[[noreturn]] void end_cancelled();  // throws Error(cancelled)
void stop_if_interrupted();
void require_finished(Termination termination);

constexpr int interrupted_exit_code = 130;

// Of the job and the thread above, the first one that calls this prints the message.
bool claim_interrupt_message() noexcept;

}  // namespace plenosr::app
