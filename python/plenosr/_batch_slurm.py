"""Scripts for sbatch: the tasks of a job as an array, for sites without Dask."""
import os
import shlex

MOST_TASKS = 1000  # of one array; the usual limit of Slurm (MaxArraySize) is 1001


def _directives(a, name, logs, more=()):
    lines = [f"#SBATCH --job-name={name}", f"#SBATCH --output={logs}/%x-%A-%a.log", f"#SBATCH --time={a.time}",
             f"#SBATCH --cpus-per-task={a.threads or 1}", *more]
    if a.partition:
        lines.append(f"#SBATCH --partition={a.partition}")
    if a.memory:
        lines.append(f"#SBATCH --mem={max(1, a.memory >> 20)}M")
    if a.gpu:
        lines.append("#SBATCH --gres=gpu:1")
    return lines


def _work(a, job, task):
    words = [a.program, "work", job.folder, "--threads", str(a.threads or 1)]
    if a.device:
        words += ["--device", a.device]
    return f"exec {shlex.join(words)} --task {task}"


def write_scripts(job, a):
    """JOB/slurm/solve.sh (an array of the tasks that are ready), finish.sh and submit.sh. Returns submit.sh."""
    folder = os.path.join(job.folder, "slurm")
    os.makedirs(folder, exist_ok=True)
    tasks = [task for task in job.ready() if task != "finish"]
    with open(os.path.join(folder, "tasks.txt"), "w", encoding="utf-8") as text:
        text.writelines(task + "\n" for task in tasks)
    listed = shlex.quote(os.path.join(folder, "tasks.txt"))
    solve = ["#!/bin/sh", *_directives(a, "plenosr-solve", folder),
             "# One task of tasks.txt; the first argument is the number of lines before the array's.",
             f'task=$(sed -n "$((${{1:-0}} + SLURM_ARRAY_TASK_ID + 1))p" {listed})',
             '[ -n "$task" ] || exit 0', _work(a, job, '"$task"')]
    finish = ["#!/bin/sh", *_directives(a, "plenosr-finish", folder), _work(a, job, "finish")]
    submit = ["#!/bin/sh", "# Submits the tasks that were ready, and finish after them.", "set -e", "ids="]
    for first in range(0, len(tasks), MOST_TASKS):
        last = min(MOST_TASKS, len(tasks) - first) - 1
        submit.append(f"ids=$ids:$(sbatch --parsable --array=0-{last}%{a.workers} "
                      f"{shlex.quote(os.path.join(folder, 'solve.sh'))} {first})")
    submit.append(f"sbatch ${{ids:+--dependency=afterany$ids}} {shlex.quote(os.path.join(folder, 'finish.sh'))}")
    for name, lines in (("solve.sh", solve), ("finish.sh", finish), ("submit.sh", submit)):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as script:
            script.write("\n".join(lines) + "\n")
        os.chmod(path, 0o755)
    return [os.path.join(folder, "submit.sh")]
