"""Arrays in and out."""
import gc
import logging
import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import plenosr as ps


def test_an_image_is_the_memory_of_the_result(views):
    result = ps.reconstruct(views, scale=2, iterations=1)
    again = ps._core.contents(result._core)
    assert result.image.dtype == np.float32 and result.image.shape == (80, 96, 3)
    assert again["image"].ctypes.data == result.image.ctypes.data
    assert again["rows"].ctypes.data == result.iterations.ctypes.data
    # The array keeps the memory alive.
    image, values = result.image, result.image.copy()
    del result, again
    gc.collect()
    np.testing.assert_array_equal(image, values)
    np.testing.assert_array_equal(np.from_dlpack(image), values)
    assert np.from_dlpack(image).ctypes.data == image.ctypes.data


def test_a_light_field_uses_the_memory_of_the_array(views):
    floats = np.ascontiguousarray(views, dtype=np.float32)
    lf = ps.light_field(floats)
    for row, col in lf.views:
        assert lf[row, col].ctypes.data == floats[row, col].ctypes.data
    turned = np.moveaxis(np.moveaxis(floats, 2, 3).copy(), 3, 2)  # columns first in memory
    assert ps.light_field(turned)[1, 2].ctypes.data == turned[1, 2].ctypes.data
    # The light field keeps the memory alive.
    values = floats.copy()
    del floats
    gc.collect()
    np.testing.assert_array_equal(lf.array(), values)


def test_types_and_strides_give_the_same_bits(views):
    options = {"scale": 2, "iterations": 2, "disparity": np.zeros(views.shape[2:4])}
    # Floats may hold values that were measured beyond black and white: the noise model differs.
    image = ps.reconstruct(views, **options).image
    for other in (np.asfortranarray(views), views[::-1][::-1], np.concatenate([views, views[..., :1]], -1)):
        np.testing.assert_array_equal(ps.reconstruct(other, **options).image, image)
    floats = ps.reconstruct(views.astype(np.float32), **options).image
    doubles = ps.reconstruct(views.astype(np.float64), **options).image
    np.testing.assert_array_equal(floats, doubles)


def test_sixteen_bits_are_read_as_files_are(tmp_path):
    levels = np.arange(65536, dtype=np.uint16).reshape(1, 1, 256, 256)
    ps.write_image(tmp_path / "levels.png", levels[0, 0] * (255 / 65535), bits=16)
    np.testing.assert_array_equal(ps.light_field(levels)[0, 0], ps.read_image(tmp_path / "levels.png"))


class OnlyDLPack:
    """An array of a library that is not NumPy."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack_both_ways(views):
    floats = np.ascontiguousarray(views, dtype=np.float32)
    lf = ps.light_field(OnlyDLPack(floats))
    assert lf[1, 1].ctypes.data == floats[1, 1].ctypes.data
    image = ps.reconstruct(lf, scale=2, iterations=1, disparity=np.zeros((40, 48))).image
    assert np.from_dlpack(OnlyDLPack(image)).ctypes.data == image.ctypes.data


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as status:
        return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_many_calls_leave_memory_flat(views, monkeypatch):
    monkeypatch.setattr(logging.getLogger("plenosr"), "disabled", True)  # pytest keeps all records
    part = views[:, :, :24, :24].copy()

    def call():
        ps.reconstruct(part, scale=2, iterations=1, disparity=np.zeros((24, 24)), order="given",
                       threads=1)

    for _ in range(50):
        call()
    before = resident_bytes()
    for _ in range(300):
        call()
    gc.collect()
    assert resident_bytes() - before < 8 << 20  # 300 results alone are 8.3 MB


MANY_CALLS = """
import gc, os
import numpy as np
import plenosr as ps
views, disparity = np.random.default_rng(1).integers(0, 255, (3, 3, 24, 24), np.uint8), np.zeros((24, 24))
for i in range(350):
    if i == 50:
        before = int(open("/proc/self/statm").read().split()[1])
    ps.reconstruct(views, scale=2, iterations=1, disparity=disparity, order="given", blur="gaussian", threads=4)
gc.collect()
print((int(open("/proc/self/statm").read().split()[1]) - before) * os.sysconf("SC_PAGESIZE"))
"""


def test_many_calls_with_several_threads_leave_memory_flat():
    # What grows with several threads is the part of their stacks that tasks within tasks have touched; TBB
    # stops them at half of a stack. Small stacks show that nothing else grows.
    done = subprocess.run([sys.executable, "-c", MANY_CALLS], capture_output=True, text=True, check=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20)))
    assert int(done.stdout) < 6 << 20  # 300 results alone are 8.3 MB


def test_iterations_are_a_structured_array(views):
    result = ps.reconstruct(views, scale=2, iterations=3, denoiser="none", tolerance=0)
    assert list(result.iterations["iteration"]) == [0, 1, 2, 3]
    assert [row["cost"] for row in result.report["iterations"]] == list(result.iterations["cost"])


@pytest.mark.parametrize("change", [
    lambda a: a.astype(np.uint16) * 257,
    lambda a: a.astype(np.float32),
    lambda a: a.astype(np.float64),
    lambda a: np.asfortranarray(a),
    lambda a: a[::-1, ::-1][::-1, ::-1],
    lambda a: np.moveaxis(np.moveaxis(a, -1, 0).copy(), 0, -1),
    lambda a: np.concatenate([a, a[..., :1]], axis=-1),  # alpha is dropped
])
def test_types_and_strides_do_not_matter(views, change):
    changed = ps.light_field(change(views))
    np.testing.assert_allclose(changed.array(), views, rtol=1e-6)
    assert changed.shape == views.shape


def test_floats_up_to_one_need_the_value_of_white(views):
    small = views.astype(np.float32) / 255
    with pytest.raises(ps.InputError, match="white=1"):
        ps.light_field(small)
    np.testing.assert_allclose(ps.light_field(small, white=1).array(), views, rtol=1e-6)


def test_a_light_field_describes_itself(scene):
    lf = ps.open(scene / "lr")
    assert lf.shape == (3, 3, 40, 48, 3) and len(lf) == 9 and lf.centre == (1, 1)
    assert lf.views[:4] == [(0, 0), (0, 1), (0, 2), (1, 0)]
    np.testing.assert_array_equal(lf[1, 2], lf.array()[1, 2])
    assert lf.disparity_map().shape == (40, 48)


def test_views_as_an_xarray(scene):
    lf = ps.open(scene / "lr")
    array = lf.to_xarray()
    assert array.dims == ("row", "col", "y", "x", "channel")
    np.testing.assert_array_equal(array.sel(row=1, col=2, channel="red"), lf[1, 2][..., 0])


@pytest.mark.parametrize("shape", [(3, 3, 8), (3, 3, 8, 8, 2), (0, 3, 8, 8)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ps.InputError, match="shape"):
        ps.reconstruct(np.zeros(shape, np.uint8))


def test_other_types_are_refused():
    with pytest.raises(ps.InputError, match="uint8, uint16, float32 or float64"):
        ps.reconstruct(np.zeros((3, 3, 8, 8), np.int32))
    with pytest.raises(ps.InputError, match="not finite|finite"):
        ps.reconstruct(np.full((3, 3, 32, 32), np.nan, np.float32))
