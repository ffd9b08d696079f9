"""plenosr-batch: many workers, kills, refusals. The workers are processes of their own."""
import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from conftest import PROGRAM, run_program

DASK = [sys.executable, "-m", "distributed.cli.dask_scheduler"], [sys.executable, "-m", "distributed.cli.dask_worker"]


def batch(*arguments, code=0, env=None):
    """Runs plenosr-batch; returns its standard error."""
    done = subprocess.run([sys.executable, "-m", "plenosr._batch", *map(str, arguments)], capture_output=True,
                          text=True, env={**os.environ, **(env or {})})
    assert done.returncode == code, done.stderr
    return done.stderr


def start_batch(*arguments):
    return subprocess.Popen([sys.executable, "-m", "plenosr._batch", *map(str, arguments)],
                            stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="session")
def scenes(tmp_path_factory, scene):
    """A folder with four light fields, and what single runs make of them."""
    folder = tmp_path_factory.mktemp("scenes")
    for i in range(4):
        run_program("degrade", scene / "hr", "-o", folder / "in" / f"s{i}", "--scale", 2, "--gaussian", 2,
                    "--seed", i)
        run_program("reconstruct", folder / "in" / f"s{i}", "-o", folder / "single" / f"s{i}.png", "--quiet")
    return folder


@pytest.fixture
def job(tmp_path, scenes):
    run_program("plan", scenes / "in", "-o", tmp_path / "job", "--output", tmp_path / "out")
    return tmp_path / "job"


def assert_complete(job, scenes):
    done = subprocess.run([PROGRAM, "tasks", job], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    for i in range(4):
        assert (job.parent / "out" / f"s{i}.png").read_bytes() == (scenes / "single" / f"s{i}.png").read_bytes()
    assert (job.parent / "out" / "index.html").exists()
    assert not list(job.parent.rglob(".*.tmp-*"))


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Cluster:
    """A scheduler and workers as separate processes on 127.0.0.1."""

    def __init__(self, folder, workers=2):
        self.folder = folder
        self.address = f"127.0.0.1:{free_port()}"
        host, port = self.address.split(":")
        self.environment = {**os.environ, "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "0"}
        self.scheduler = self.start(DASK[0] + ["--host", host, "--port", port, "--no-dashboard"])
        self.workers = [self.add_worker() for _ in range(workers)]

    def start(self, command):
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def add_worker(self):
        return self.start(DASK[1] + [f"tcp://{self.address}", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
                                     "--no-dashboard", "--death-timeout", "20", "--local-directory",
                                     str(self.folder)])

    def close(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
        for process in [*self.workers, self.scheduler]:
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    running = Cluster(tmp_path)
    yield running
    running.close()


def test_local_processes_make_the_bits_of_single_runs(job, scenes):
    assert "complete: 5 tasks done, 0 items failed" in batch("run", job, "--on", "local:2")
    assert_complete(job, scenes)
    assert "complete" in batch("run", job, "--on", "local:1")  # nothing is left to do


def test_a_dask_cluster_survives_the_death_of_a_worker(cluster, job, scenes):
    running = start_batch("run", job, "--on", f"dask://{cluster.address}", "--threads", 1)
    parts = job / "parts"
    deadline = time.monotonic() + 60
    while not (parts.exists() and list(parts.glob("*.json"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    cluster.workers[0].send_signal(signal.SIGKILL)
    messages = running.communicate(timeout=120)[1]
    assert running.returncode == 0, messages
    assert "dashboard: " in messages
    assert_complete(job, scenes)


def test_an_interrupted_run_resumes(job, scenes):
    running = start_batch("run", job, "--on", "local:1", "--threads", 1)
    while not (job / "parts").exists() and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    messages = running.communicate(timeout=60)[1]
    assert running.returncode == 130, messages
    assert messages.splitlines()[-1] == "plenosr-batch: interrupted; run the same command again to go on"
    batch("run", job, "--on", "local:2")
    assert_complete(job, scenes)


def test_a_task_that_fails_is_reported_with_its_log(job, scenes, tmp_path):
    view = scenes / "in" / "s1" / "input_Cam000.png"
    before = view.read_bytes()
    view.write_bytes(before[:-1])
    try:
        messages = batch("run", job, "--on", "local:2", code=1)
    finally:
        view.write_bytes(before)
    assert "failed: solve:1 (exit code 3, worker local)" in messages
    assert "changed after the job was planned" in messages
    assert "1 of 4 tasks failed; the others are done." in messages
    batch("run", job, "--on", "local:2")
    assert_complete(job, scenes)


def test_crashes_are_tried_again_up_to_a_limit(job, tmp_path):
    crashing = tmp_path / "crashing"
    crashing.write_text(f'#!/bin/sh\n[ "$1" = work ] && {{ echo broken >&2; echo x >>{tmp_path}/tries; kill -9 $$; }}\n'
                        f'exec {PROGRAM} "$@"\n')
    crashing.chmod(0o755)
    messages = batch("run", job, "--on", "local:1", "--tries", 2, "--program", crashing, code=1)
    assert "failed: solve:0, solve:1, solve:2, solve:3 (signal 9, worker local)\n  broken" in messages
    assert (tmp_path / "tries").read_text() == "x\n" * 8


@pytest.mark.parametrize("where, about", [
    ("dask://127.0.0.1:1", "The Dask scheduler at 127.0.0.1:1 cannot be reached: "),
    ("dask://127.0.0.1", "The Dask scheduler at 127.0.0.1 cannot be reached: "),
    ("local:0", "on = local:0 must be local:N, dask:N, dask://ADDRESS or slurm"),
])
def test_a_pool_that_cannot_work_is_one_sentence(job, where, about):
    code = 2 if where.startswith("local") else 1
    messages = batch("run", job, "--on", where, code=code)
    assert messages.startswith("plenosr-batch: " + about)
    assert messages.count("\n") == 1


def test_a_missing_package_is_one_sentence(job, tmp_path):
    (tmp_path / "distributed.py").write_text("raise ImportError('none', name='distributed')\n")
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    messages = batch("run", job, "--on", "dask:2", code=1, env={"PYTHONPATH": path})
    assert messages == ("plenosr-batch: --on dask:2 needs the package distributed, which is not installed; "
                        "pip install 'plenosr[distributed]' installs it\n")


def test_a_folder_that_is_no_job_is_refused(tmp_path):
    assert "it has no plan.json" in batch("run", tmp_path, code=3)


def test_slurm_scripts_do_the_job_without_dask(job, scenes, tmp_path):
    batch("sbatch", job, "--workers", 3, "--memory", "2GiB", "--partition", "short")
    solve = (job / "slurm" / "solve.sh").read_text()
    assert "#SBATCH --mem=2048M" in solve and "#SBATCH --partition=short" in solve
    # An sbatch that does at once what Slurm would do.
    fake = tmp_path / "bin" / "sbatch"
    fake.parent.mkdir()
    fake.write_text("#!/bin/bash\n"
                    'while [[ $1 == --* ]]; do [[ $1 == --array=* ]] && array=${1#--array=}; shift; done\n'
                    'array=${array%%%*}\n'
                    'for i in $(seq ${array/-/ } 2>/dev/null || echo 0); do SLURM_ARRAY_TASK_ID=$i sh "$@" >&2; done\n'
                    "echo 17\n")
    fake.chmod(0o755)
    subprocess.run([job / "slurm" / "submit.sh"], check=True, capture_output=True,
                   env={**os.environ, "PATH": f"{fake.parent}{os.pathsep}{os.environ['PATH']}"})
    assert_complete(job, scenes)
