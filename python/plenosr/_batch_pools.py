"""Where the tasks of a job are done. A pool takes tasks and yields their outcomes, in any order."""
import concurrent.futures
import os
import queue
import socket
from urllib.parse import urlsplit

from . import _batch_task
from ._batch_task import Outcome, Running, command_of, dask_task, run_task

# Seconds. A worker that is not heard of for so long is given up, and what it did is done by others.
WORKER_TTL = "30s"
# Workers end if they find no scheduler for so long, so that none is left behind.
DEATH_TIMEOUT = 30
CONNECT_TIMEOUT = 10


class PoolError(Exception):
    """The pool cannot work; the message is one sentence."""


class LocalPool:
    """N processes on this machine. It needs no other package and opens no port."""

    def __init__(self, count, program, job, threads, device):
        self.slots = count
        self._arguments = (program, job)
        self._threads = threads if threads is not None else max(1, (os.cpu_count() or 1) // count)
        self._device = device
        self._running = Running()
        self._done = queue.Queue()
        self._executor = concurrent.futures.ThreadPoolExecutor(count)
        self.description = f"{count} processes on this machine, {self._threads} threads each"

    def submit(self, task):
        command = command_of(*self._arguments, task, self._threads, self._device)
        self._executor.submit(lambda: self._done.put(run_task(command, task, "local", self._running)))

    def next_outcome(self):
        return self._done.get()

    def close(self):
        self._running.close()
        self._executor.shutdown(cancel_futures=True)


class DaskPool:
    """Workers of a Dask cluster. Results are files, so a worker that dies loses what it was doing alone."""

    def __init__(self, client, program, job, threads, device, resources, slots, cluster=None):
        from distributed import as_completed
        self._client = client
        self._cluster = cluster
        self._arguments = (program, job)
        self._threads = threads
        self._device = device
        self._resources = resources
        self._tasks = {}  # by the key of the future
        self._futures = as_completed(loop=client.loop, raise_errors=False)
        self.slots = slots
        self.description = f"dashboard: {client.dashboard_link}"

    def submit(self, task):
        future = self._client.submit(dask_task, *self._arguments, task, self._threads, self._device,
                                     pure=False, resources=self._resources)
        self._tasks[future.key] = task
        self._futures.add(future)

    def next_outcome(self):
        future = next(self._futures)
        task = self._tasks.pop(future.key)
        try:
            if future.status == "finished":
                return future.result()
            if future.status == "cancelled" or self._client.status != "running":
                raise PoolError("The connection to the Dask scheduler was lost; run the same command again to "
                                "go on.")
            reason = str(future.exception()).splitlines()[0]
            return Outcome(task, -9, f"the worker failed: {reason}", 0.0, "")
        finally:
            future.release()  # the scheduler then forgets it

    def close(self):
        for closing in (self._client, self._cluster):
            if closing is not None:
                try:
                    closing.close(timeout=5)
                except Exception:  # the scheduler may be gone  # pylint: disable=broad-except
                    pass


def _distributed(what):
    try:
        import cloudpickle
        import dask
        import distributed
    except ImportError as error:
        raise PoolError(f"--on {what} needs the package {error.name}, which is not installed; "
                        "pip install 'plenosr[distributed]' installs it.") from None
    # Workers need the program and Dask, but not this package.
    cloudpickle.register_pickle_by_value(_batch_task)
    dask.config.set({"distributed.scheduler.worker-ttl": WORKER_TTL,
                     "distributed.comm.timeouts.connect": f"{CONNECT_TIMEOUT}s",
                     # run() counts the tries of a task, and repeats it.
                     "distributed.scheduler.allowed-failures": 0,
                     "distributed.admin.log-format": "%(name)s: %(message)s"})
    return distributed


def _resources(memory, gpu):
    resources = {}
    if memory:
        resources["MEMORY"] = memory
    if gpu:
        resources["GPU"] = 1
    return resources or None


def dask_at(address, program, job, threads, device, memory, gpu):
    """The cluster of a scheduler that runs already."""
    distributed = _distributed(f"dask://{address}")
    parts = urlsplit(f"//{address}")
    try:
        # A short answer to a wrong address, before Dask's own tries and messages.
        with socket.create_connection((parts.hostname, parts.port), CONNECT_TIMEOUT):
            pass
        client = distributed.Client(f"tcp://{address}", timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise PoolError(f"The Dask scheduler at {address} cannot be reached: {error}.") from None
    slots = lambda: max(1, sum(client.nthreads().values()))  # noqa: E731: workers come and go
    return DaskPool(client, program, job, threads, device, _resources(memory, gpu), slots)


def dask_here(count, program, job, threads, device, host):
    """A Dask cluster of `count` worker processes on this machine."""
    distributed = _distributed(f"dask:{count}")
    cluster = distributed.LocalCluster(n_workers=count, threads_per_worker=1, processes=True, host=host,
                                       dashboard_address=f"{host}:0", death_timeout=DEATH_TIMEOUT)
    client = distributed.Client(cluster, set_as_default=False)
    return DaskPool(client, program, job, threads if threads is not None else max(1, (os.cpu_count() or 1) // count),
                    device, None, count, cluster)


def dask_on_slurm(count, program, job, threads, device, memory, gpu, slurm):
    """Dask workers as jobs of Slurm."""
    _distributed("slurm")
    try:
        from dask_jobqueue import SLURMCluster
    except ImportError:
        raise PoolError("--on slurm needs the package dask-jobqueue, which is not installed; "
                        "pip install 'plenosr[distributed]' installs it.") from None
    from distributed import Client
    cores = threads or 1
    extra = ["--lifetime", slurm["lifetime"], "--lifetime-stagger", "60s"] if slurm.get("lifetime") else []
    if gpu:
        extra += ["--resources", "GPU=1"]
    try:
        cluster = SLURMCluster(cores=1, processes=1, job_cpu=cores, memory=memory or "4GB",
                               queue=slurm.get("partition"), walltime=slurm.get("time"),
                               death_timeout=DEATH_TIMEOUT, worker_extra_args=extra,
                               job_extra_directives=slurm.get("directives", []),
                               log_directory=slurm.get("logs"))
        cluster.scale(jobs=count)
        client = Client(cluster, set_as_default=False)
    except (OSError, RuntimeError, ValueError) as error:
        raise PoolError(f"No Dask cluster could be started on Slurm: {error}.") from None
    return DaskPool(client, program, job, cores, device, {"GPU": 1} if gpu else None, count, cluster)
