"""Devices that stay open between calls."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import plenosr as ps

OPTIONS = {"scale": 2, "iterations": 2, "order": "given", "blur": "gaussian"}


def test_a_device_is_opened_once(views):
    ps.release_devices()
    assert ps._core.idle_devices() == 0
    first = ps.reconstruct(views, **OPTIONS).image
    assert ps._core.idle_devices() == 1
    again = ps.reconstruct(views, **OPTIONS).image
    assert ps._core.idle_devices() == 1
    np.testing.assert_array_equal(first, again)
    ps.release_devices()
    np.testing.assert_array_equal(ps.reconstruct(views, **OPTIONS).image, first)


def test_each_thread_has_a_device_of_its_own(views):
    ps.release_devices()
    alone = ps.reconstruct(views, threads=1, **OPTIONS).image
    with ThreadPoolExecutor(4) as pool:
        for image in pool.map(lambda _: ps.reconstruct(views, threads=1, **OPTIONS).image, range(8)):
            np.testing.assert_array_equal(image, alone)
    assert 1 <= ps._core.idle_devices() <= 4


def test_peaks_of_memory_are_those_of_the_call(views):
    small = views[:, :, :16, :16].copy()
    alone = ps.reconstruct(small, disparity=np.zeros((16, 16)), **OPTIONS).report["memory_counted_bytes"]
    ps.reconstruct(views, **OPTIONS)
    again = ps.reconstruct(small, disparity=np.zeros((16, 16)), **OPTIONS).report["memory_counted_bytes"]
    assert again == alone
