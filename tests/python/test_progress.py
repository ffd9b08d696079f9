"""Progress, cancelling, signals and threads."""
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import plenosr as ps


def test_the_callback_sees_the_stages(views):
    events = []
    ps.reconstruct(views, scale=2, iterations=2, progress=events.append)
    assert {"solving"} <= {event.stage for event in events}
    assert all(isinstance(event, ps.ProgressEvent) for event in events)
    assert any(event.cost > 0 for event in events)


def test_an_exception_in_the_callback_reaches_the_caller(views, scene):
    class Mine(Exception):
        pass

    def fail(event):
        raise Mine(event.stage)

    for job in (lambda: ps.reconstruct(views, scale=2, progress=fail),
                lambda: ps.disparity(views, progress=fail),
                lambda: ps.open(scene / "lr").array(progress=fail)):
        with pytest.raises(Mine):
            job()


def test_false_cancels(views):
    with pytest.raises(ps.Cancelled):
        ps.disparity(views, progress=lambda event: False)
    nothing = ps.reconstruct(views, scale=2, disparity=np.zeros((40, 48)), progress=lambda event: False)
    assert nothing.termination == "cancelled" and nothing.image is None
    result = ps.reconstruct(views, scale=2, iterations=500, disparity=np.zeros((40, 48)),
                            progress=lambda event: not (event.stage == "solving" and event.step >= 2))
    assert result.termination == "cancelled" and len(result.iterations) < 20


def test_nothing_is_printed(views, capfd):
    ps.reconstruct(views, scale=2, iterations=1)
    assert capfd.readouterr() == ("", "")
    ps.reconstruct(views, scale=2, iterations=1, progress=True)
    printed = capfd.readouterr()
    assert printed.out == "" and "solving" in printed.err


def test_other_threads_run_meanwhile(views):
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    ps.reconstruct(views, scale=2, iterations=100, data="l1", disparity=np.zeros((40, 48)))
    end = time.perf_counter()
    done.set()
    thread.join()
    inside = [t for t in ticks if begin < t < end]
    assert len(inside) > (end - begin) / 0.1, "the interpreter was locked"


def test_four_threads_give_the_same_bits(views):
    def job(_):
        return ps.reconstruct(views, scale=2, iterations=3, threads=1).image

    alone = job(0)
    with ThreadPoolExecutor(4) as pool:
        for image in pool.map(job, range(4)):
            np.testing.assert_array_equal(image, alone)


INTERRUPTED = """
import sys, time
import numpy as np
import plenosr as ps
views = np.random.default_rng(1).integers(0, 255, (3, 3, 256, 256), np.uint8)
print("go", flush=True)

def print_stage(event):
    if event.stage == "solving":
        print("solving", flush=True)

try:
    ps.reconstruct(views, scale=2, iterations=100000, tolerance=0, order="given", disparity=np.zeros((256, 256)),
                   progress=print_stage)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_is_a_keyboard_interrupt():
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "go\n" and child.stdout.readline() == "solving\n"
        child.send_signal(signal.SIGINT)
        begin = time.perf_counter()
        last = child.stdout.read().splitlines()[-1]
        seconds = time.perf_counter() - begin
    assert last == "interrupted" and child.returncode == 0
    # 0.3 s are meant; the machine of a test may be busy.
    assert seconds < 2, f"it took {seconds:.2f} s"
