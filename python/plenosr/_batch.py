"""plenosr-batch: the tasks of a job (plenosr plan) on this machine, on Dask or on Slurm."""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import time

from . import _batch_pools as pools
from ._batch_slurm import write_scripts
from ._batch_task import PERMANENT, WRONG_OPTION

INTERRUPTED = 130
BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Refusal(Exception):
    """The command cannot be done; the message is one sentence. `code` is that of the process."""

    def __init__(self, sentence, code=WRONG_OPTION):
        super().__init__(sentence)
        self.code = code


class Job:
    """The folder of a job, seen through the program."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = os.path.abspath(folder)

    def _lines(self, *more):
        try:
            done = subprocess.run([self.program, "tasks", self.folder, *more], capture_output=True, text=True,
                                  errors="replace", check=False)
        except OSError as error:
            raise Refusal(f"The program {self.program} cannot be started: {error.strerror}.") from None
        if done.returncode != 0:
            raise Refusal(done.stderr.removeprefix("plenosr: ").strip(), done.returncode)
        return done.stdout.splitlines()

    def ready(self):
        return self._lines()

    def states(self):
        """How many tasks are in each state."""
        return collections.Counter(line.split()[1] for line in self._lines("--all"))

    def failures(self):
        """The lines of the items that could not be reconstructed."""
        return [line for line in self._lines("--all") if line.split()[1] == "failed"]


class Display:
    """Progress and time left on standard error: one line that is redrawn, or a line per tenth."""

    def __init__(self, quiet, slots):
        self.quiet = quiet
        self.terminal = sys.stderr.isatty()
        self.slots = slots
        self.start = time.monotonic()
        self.total = 0
        self.done = 0
        self.seconds = 0.0
        self.shown = -1

    def expect(self, count):
        self.total = self.done + count
        self.shown = -1

    def ended(self, outcome):
        self.done += 1
        self.seconds += outcome.seconds
        slots = self.slots() if callable(self.slots) else self.slots
        left = (self.total - self.done) * self.seconds / self.done / max(1, min(slots, self.total))
        tenth = 10 * self.done // max(1, self.total)
        if self.quiet or (not self.terminal and tenth == self.shown):
            return
        self.shown = tenth
        text = f"{self.done}/{self.total} tasks, about {readable(left)} left ({outcome.task} on {outcome.worker})"
        sys.stderr.write(f"\r\x1b[K{text}" if self.terminal else text + "\n")
        sys.stderr.flush()

    def say(self, text):
        if self.terminal and self.shown >= 0:
            sys.stderr.write("\r\x1b[K")
        print(text, file=sys.stderr, flush=True)


def readable(seconds):
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def report_of(failed):
    """What went wrong, each message once with the tasks that had it."""
    by_log = collections.defaultdict(list)
    for outcome in failed:
        by_log[outcome.log].append(outcome)
    lines = []
    for log, outcomes in by_log.items():
        names = ", ".join(outcome.task for outcome in outcomes[:5])
        more = f" and {len(outcomes) - 5} more" if len(outcomes) > 5 else ""
        first = outcomes[0]
        how = f"signal {-first.code}" if first.code < 0 else f"exit code {first.code}"
        lines.append(f"failed: {names}{more} ({how}, worker {first.worker or 'unknown'})")
        lines += ["  " + line for line in log.splitlines()]
    return "\n".join(lines)


def run_round(pool, tasks, tries, display):
    """Does the tasks, each at most `tries` times. Returns the outcomes of those that failed at last."""
    count = collections.Counter()
    failed = []
    waiting = len(tasks)
    display.expect(waiting)
    for task in tasks:
        pool.submit(task)
    while waiting:
        outcome = pool.next_outcome()
        count[outcome.task] += 1
        if outcome.code != 0 and outcome.code not in PERMANENT and count[outcome.task] < tries:
            display.say(f"again: {outcome.task} ended with {outcome.code} on {outcome.worker or 'a worker'}")
            pool.submit(outcome.task)
            continue
        waiting -= 1
        display.ended(outcome)
        if outcome.code != 0:
            failed.append(outcome)
    return failed


def run(job, pool, tries, display):
    """Does all tasks. Returns the code of the process."""
    while True:
        tasks = job.ready()
        if not tasks:
            break
        failed = run_round(pool, tasks, tries, display)
        if failed:
            display.say(report_of(failed))
            display.say(f"{len(failed)} of {len(tasks)} tasks failed; the others are done. Run the same command again "
                        f"to try them again, or plenosr work {job.folder} --task NAME --give-up REASON to do without.")
            return 1
    states = job.states()
    for line in job.failures():
        display.say("warning: " + line)
    if not display.quiet:
        display.say(f"complete: {states['done']} tasks done, {states['failed']} items failed")
    return 0


def default_program():
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "plenosr")
    return os.environ.get("PLENOSR_PROGRAM") or (own if os.path.exists(own) else shutil.which("plenosr")) or "plenosr"


def byte_count(text):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text} must be a number of bytes such as 4GiB")
    return int(float(match[1]) * BYTES[match[2]])


def at_least_one(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number of at least 1")
    return int(text)


def pool_for(a, job):
    where = a.on
    threads, device = a.threads, a.device
    local = re.fullmatch(r"(local|dask):([0-9]+)", where)
    if local and int(local[2]) >= 1:
        count = int(local[2])
        if local[1] == "local":
            return pools.LocalPool(count, a.program, job.folder, threads, device)
        return pools.dask_here(count, a.program, job.folder, threads, device, a.host)
    if where.startswith("dask://") and len(where) > len("dask://"):
        return pools.dask_at(where.removeprefix("dask://"), a.program, job.folder, threads, device, a.memory, a.gpu)
    if where == "slurm":
        slurm = {"partition": a.partition, "time": a.time, "logs": os.path.join(job.folder, "slurm")}
        write_scripts(job, a)
        return pools.dask_on_slurm(a.workers, a.program, job.folder, threads, device, a.memory, a.gpu, slurm)
    raise Refusal(f"on = {where} must be local:N, dask:N, dask://ADDRESS or slurm")


def arguments():
    parser = argparse.ArgumentParser(
        prog="plenosr-batch", description="Does the tasks of a job that `plenosr plan` made, with many workers.")
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("job", metavar="JOB", help="the folder that plenosr plan made")
    common.add_argument("--program", default=default_program(),
                        help="the program plenosr, as the workers find it (default: %(default)s)")
    common.add_argument("--threads", type=at_least_one, metavar="N",
                        help="threads of each task (default: the processors shared out for local:N and dask:N, else "
                             "the plan's)")
    common.add_argument("--device", help="device of each task, instead of the plan's")
    common.add_argument("--memory", type=byte_count, metavar="BYTES",
                        help="memory that a task needs: a resource MEMORY of Dask workers, or --mem of Slurm")
    common.add_argument("--gpu", action="store_true",
                        help="a task needs a GPU: a resource GPU=1 of Dask workers, or --gres=gpu:1 of Slurm")
    common.add_argument("--workers", type=at_least_one, default=2, metavar="N",
                        help="jobs of Slurm at a time (default: %(default)s)")
    common.add_argument("--partition", help="partition of Slurm")
    common.add_argument("--time", default="24:00:00", help="limit of a job of Slurm (default: %(default)s)")
    one = commands.add_parser("run", parents=[common], help="do all tasks; an interrupted run resumes")
    one.add_argument("--on", default=f"local:{max(1, (os.cpu_count() or 1) // 2)}", metavar="WHERE",
                     help="local:N: N processes on this machine, which needs no other package; dask:N: a Dask cluster "
                          "of N workers on this machine; dask://HOST:PORT: the Dask scheduler there; slurm: Dask "
                          "workers as jobs of Slurm (default: %(default)s)")
    one.add_argument("--host", default="127.0.0.1",
                     help="address that the cluster of dask:N listens on (default: %(default)s)")
    one.add_argument("--tries", type=at_least_one, default=3, metavar="N",
                     help="how often a task is tried (default: %(default)s)")
    one.add_argument("--quiet", action="store_true", help="print nothing but failures")
    commands.add_parser("sbatch", parents=[common],
                        help="write scripts for sbatch to JOB/slurm, for Slurm without Dask")
    return parser.parse_args()


def do(a):
    job = Job(a.program, a.job)
    if a.command == "sbatch":
        for script in write_scripts(job, a):
            print(script)
        return 0
    if not job.ready():
        return run(job, None, a.tries, Display(a.quiet, 1))
    pool = pool_for(a, job)
    display = Display(a.quiet, pool.slots)
    try:
        if not a.quiet:
            display.say(pool.description)
        return run(job, pool, a.tries, display)
    finally:
        pool.close()


def main():
    a = arguments()
    try:
        sys.exit(do(a))
    except KeyboardInterrupt:
        sys.stderr.write("\nplenosr-batch: interrupted; run the same command again to go on\n")
        sys.exit(INTERRUPTED)
    except Refusal as refusal:
        sys.stderr.write(f"plenosr-batch: {str(refusal).rstrip('.')}\n")
        sys.exit(refusal.code)
    except pools.PoolError as error:
        sys.stderr.write(f"plenosr-batch: {str(error).rstrip('.')}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
