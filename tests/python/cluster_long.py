"""Kills, full disks and a real Slurm: `./dev test-long 0 cluster`. Runs for minutes."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM, run_program
from test_batch import Cluster, assert_complete, batch, job, scenes, start_batch  # noqa: F401: fixtures

KILLS = int(os.environ.get("PLENOSR_TEST_KILLS", "50"))


@pytest.fixture
def many(tmp_path, scenes):  # noqa: F811
    """A job with 60 items of the four light fields."""
    names = tmp_path / "list.txt"
    names.write_text("".join(f"{scenes / 'in' / f's{i % 4}'}\n" for i in range(60)))
    run_program("plan", "--list", names, "-o", tmp_path / "job", "--output", tmp_path / "out")
    return tmp_path / "job"


def assert_all_complete(job, scenes):  # noqa: F811
    assert_complete(job, scenes)
    out = job.parent / "out"
    for k in range(60):
        name = f"s{k % 4}" if k < 4 else f"s{k % 4}-{k // 4 + 1}"
        assert (out / f"{name}.png").read_bytes() == (scenes / "single" / f"s{k % 4}.png").read_bytes()


def starts_of(log):
    return log.read_text().count("\n") if log.exists() else 0


@pytest.fixture
def counting(tmp_path):
    """The program, with a line in a log for every task that is begun and was not done before."""
    script = tmp_path / "counting"
    script.write_text(f'#!/bin/sh\npart=$2/parts/$(echo "$4" | tr : -).json\n'
                      f'[ "$1" != work ] || [ -e "$part" ] || echo "$4" >>{tmp_path}/begun\n'
                      f'exec {PROGRAM} "$@"\n')
    script.chmod(0o755)
    return script


def test_random_kills_of_workers_lose_nothing(tmp_path, many, counting, scenes):  # noqa: F811
    cluster = Cluster(tmp_path, 2)
    running = start_batch("run", many, "--on", f"dask://{cluster.address}", "--threads", 1, "--program", counting,
                          "--tries", 1000)
    try:
        kills = 0
        while running.poll() is None and kills < KILLS:
            before = starts_of(tmp_path / "begun")
            while starts_of(tmp_path / "begun") < before + 2 and running.poll() is None:
                time.sleep(0.005)
            time.sleep(random.uniform(0, 0.3))
            victim = random.randrange(2)
            cluster.workers[victim].send_signal(signal.SIGKILL)
            cluster.workers[victim].wait()
            cluster.workers[victim] = cluster.add_worker()
            kills += 1
        messages = running.communicate(timeout=600)[1]
    finally:
        running.kill()
        cluster.close()
    assert running.returncode == 0, messages
    assert_all_complete(many, scenes)
    begun = starts_of(tmp_path / "begun")
    print(f"{kills} kills, {begun} tasks begun of 61")
    assert 61 <= begun <= 61 + kills  # one task was in flight in each worker that was killed


def test_a_killed_scheduler_is_one_sentence_and_the_job_resumes(tmp_path, many, scenes):  # noqa: F811
    cluster = Cluster(tmp_path, 2)
    running = start_batch("run", many, "--on", f"dask://{cluster.address}", "--threads", 1)
    try:
        wait_for_parts(many, 3)
        cluster.scheduler.send_signal(signal.SIGKILL)
        messages = running.communicate(timeout=120)[1]
    finally:
        running.kill()
        cluster.close()
    assert running.returncode == 1, messages
    assert "The connection to the Dask scheduler was lost" in messages
    batch("run", many, "--on", "local:2")
    assert_all_complete(many, scenes)


def test_a_killed_client_leaves_a_job_that_resumes(many, scenes):  # noqa: F811
    for _ in range(5):
        running = start_batch("run", many, "--on", "local:2", "--threads", 1)
        wait_for_parts(many, len(list((many / "parts").glob("*.json"))) + 2)
        running.kill()
        running.wait()
    batch("run", many, "--on", "local:2")
    assert_all_complete(many, scenes)


def wait_for_parts(job, count):  # noqa: F811
    deadline = time.monotonic() + 120
    while len(list((job / "parts").glob("solve-*.json"))) < count and time.monotonic() < deadline:
        time.sleep(0.02)


def test_a_full_disk_is_reported_and_the_job_resumes(tmp_path, scenes):  # noqa: F811
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80k", "tmpfs", disk], check=True)
    try:
        run_program("plan", scenes / "in", "-o", tmp_path / "job", "--output", disk / "out")
        messages = batch("run", tmp_path / "job", "--on", "local:2", "--tries", 1, code=1)
        assert "No space left on device" in messages
        assert not list(disk.rglob(".*.tmp-*"))
        subprocess.run(["mount", "-o", "remount,size=10m", disk], check=True)
        batch("run", tmp_path / "job", "--on", "local:2")
        for i in range(4):
            assert (disk / "out" / f"s{i}.png").read_bytes() == (scenes / "single" / f"s{i}.png").read_bytes()
    finally:
        subprocess.run(["umount", disk], check=True)


SLURM_CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1500 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""


@pytest.fixture(scope="session")
def slurm(tmp_path_factory):
    """A Slurm of one node on this machine. Needs root rights, slurmctld, slurmd and munge."""
    folder = tmp_path_factory.mktemp("slurm")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    host = os.uname().nodename.split(".")[0]
    conf = folder / "slurm.conf"
    conf.write_text(SLURM_CONF.format(host=host, folder=folder, cpus=os.cpu_count()))
    os.environ["SLURM_CONF"] = str(conf)
    pathlib.Path("/run/munge").mkdir(exist_ok=True)
    shutil.chown("/run/munge", "munge", "munge")
    daemons = [subprocess.Popen(["runuser", "-u", "munge", "--", "munged", "--foreground"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
    time.sleep(1)
    for command in (["slurmctld", "-D", "-f", str(conf)], ["slurmd", "-D", "-f", str(conf), "-N", host]):
        daemons.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        state = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True).stdout.strip()
        if state == "idle":
            break
        time.sleep(0.5)
    else:
        pytest.fail(f"Slurm did not start: {state}\n{(folder / 'slurmctld.log').read_text()}")
    yield
    for daemon in reversed(daemons):
        daemon.terminate()
        daemon.wait()


def test_an_array_job_of_slurm_does_the_job(slurm, job, scenes):  # noqa: F811
    batch("sbatch", job, "--workers", 2, "--time", "00:10:00")
    subprocess.run([job / "slurm" / "submit.sh"], check=True)
    deadline = time.monotonic() + 180
    while subprocess.run(["squeue", "-h"], capture_output=True, text=True).stdout and time.monotonic() < deadline:
        time.sleep(0.5)
    assert_complete(job, scenes)


def test_dask_workers_as_jobs_of_slurm_do_the_job(slurm, job, scenes):  # noqa: F811
    batch("run", job, "--on", "slurm", "--workers", 2, "--threads", 1, "--memory", "500M", "--time", "00:10:00")
    assert_complete(job, scenes)
