"""One task of a job, done by the program. Workers on other machines need this and the program only."""
import collections
import os
import shutil
import signal
import subprocess
import threading
import time

LOG_LINES = 40  # of a task's messages that are kept

# What the exit codes of the program mean (docs/cli.md): these do not change if a task is tried again.
WRONG_OPTION = 2
WRONG_INPUT = 3
PERMANENT = (WRONG_OPTION, WRONG_INPUT)
MISSING_PROGRAM = 127

Outcome = collections.namedtuple("Outcome", "task code log seconds worker")


def command_of(program, job, task, threads=None, device=None):
    command = [program, "work", job, "--task", task]
    if threads is not None:
        command += ["--threads", str(threads)]
    if device:
        command += ["--device", device]
    # If this process is killed, its task must not go on beside its repetition.
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", *command] if setpriv else command


class Running:
    """The processes that this one started, so that they can be ended together."""

    def __init__(self):
        self.lock = threading.Lock()
        self.processes = set()
        self.closed = False

    def start(self, command):
        with self.lock:
            if self.closed:
                return None
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            self.processes.add(process)
            return process

    def ended(self, process):
        with self.lock:
            self.processes.discard(process)

    def close(self):
        """Ends all of them. Each removes its temporary files."""
        with self.lock:
            self.closed = True
            for process in self.processes:
                process.terminate()


def run_task(command, task, worker="", running=None):
    """Runs the command to its end. What goes wrong is in the outcome, never an exception."""
    start = time.monotonic()
    running = running or Running()
    try:
        process = running.start(command)
    except OSError as error:
        return Outcome(task, MISSING_PROGRAM, f"{command[0]} cannot be started: {error.strerror}", 0.0, worker)
    if process is None:
        return Outcome(task, -signal.SIGTERM, "", 0.0, worker)
    lines = collections.deque(maxlen=LOG_LINES)
    with process.stdout:
        for line in process.stdout:
            lines.append(line.decode("utf-8", "replace").rstrip())
    code = process.wait()
    running.ended(process)
    return Outcome(task, code, "\n".join(lines), time.monotonic() - start, worker)


def dask_task(program, job, task, threads, device):
    """run_task() on a Dask worker. Its environment may name the device that belongs to the worker."""
    device = os.environ.get("PLENOSR_WORKER_DEVICE") or device
    from distributed import get_worker
    return run_task(command_of(program, job, task, threads, device), task, get_worker().address)
