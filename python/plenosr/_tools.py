"""Test data, evaluation, conversion and devices."""
import json
import os
from dataclasses import dataclass

from . import _core
from ._errors import OptionError
from ._keywords import documented, path_or_array, split
from ._light_field import LightField, as_light_field
from ._progress import callback


@dataclass
class Scene:
    """A rendered scene.

    light_field : a LightField in memory
    maps : a dict from (row, col) to the exact disparity map of that view
    """

    light_field: LightField
    maps: dict


@documented(["synth"])
def synth(*, grid=None, textures=(), progress=None, **options):
    """Renders a synthetic light field with exact disparity. Returns a Scene.

    Parameters
    ----------
    grid : N rows and N columns of views
    textures : photos, or folders of photos, to cut textures for the scene `random` from
    progress : True for a bar (tqdm), or a function of a ProgressEvent
    """
    if grid is not None:
        options = {"rows": grid, "cols": grid, **options}
    (given,) = split("synth", options, ["synth"], ["grid", "textures", "progress"])
    with callback(progress) as call:
        source, maps = _core.synth(given, [os.fspath(path) for path in textures], call)
    light_field = LightField(source)
    return Scene(light_field, dict(zip(light_field.views, maps)))


@documented(["degrade"])
def degrade(light_field, *, white=None, progress=None, **options):
    """Simulates a worse camera: blur, decimation, noise. Returns a LightField in memory.

    `reconstruct` takes scale, blur and phase from it, unless options simulate the faults of a real
    camera.

    Parameters
    ----------
    light_field : LightField, path, or array (row, col, y, x) or (row, col, y, x, channel)
    white : the value of white in arrays of floats, default 255
    progress : True for a bar (tqdm), or a function of a ProgressEvent
    """
    (given,) = split("degrade", options, ["degrade"], ["white", "progress"])
    source, _ = as_light_field(light_field, [], white)
    with callback(progress) as call:
        return LightField(_core.degrade(source._source, given, call))


def evaluate(estimate, truth, *, border=None, channel="y", disparity=False, mask=None, white=None):
    """Compares two pictures or disparity maps, arrays or paths of the same size. Returns a dict.

    Parameters
    ----------
    border : width of the border that is left out in pixels, default 0, with disparity=True 15
    channel : "y" compares BT.601 luma, "rgb" all three channels
    disparity : they are disparity maps, compared as in the HCI 4D benchmark
    mask : with disparity=True: a picture; black pixels are left out
    white : the value of white in arrays of floats, default 255

    The dict has psnr in dB, ssim and mse; for maps badpix_0.01 to badpix_0.2 in percent, mse100, q25
    and pixels.
    """
    if channel not in ("y", "rgb"):
        raise OptionError(f"channel = {channel} must be one of y|rgb")
    if border is not None and border < 0:
        raise OptionError(f"border = {border} must be at least 0")
    if mask is not None and not disparity:
        raise OptionError("mask needs disparity=True")
    estimate, truth, mask = (path_or_array(given) for given in (estimate, truth, mask))
    if disparity:
        return _core.evaluate_disparity(estimate, truth, 15 if border is None else border, mask)
    return _core.evaluate(estimate, truth, border or 0, channel == "rgb", white)


@documented(["convert", "open"])
def convert(light_field, output, *, progress=None, **options):
    """Writes a light field in another format, cropped or resized.

    Parameters
    ----------
    light_field : LightField in files, or a path
    output : the folder or file to write
    progress : True for a bar (tqdm), or a function of a ProgressEvent

    Returns the report of `plenosr convert --json` as a dict.
    """
    given, opened = split("convert", options, ["convert", "open"], ["progress"])
    source, opened = as_light_field(light_field, opened, None)
    with callback(progress) as call:
        return json.loads(_core.convert(source._source, os.fspath(output), given, opened, call))


def devices():
    """The devices that can compute, as a list of dicts: the CPU, then all OpenCL devices."""
    return json.loads(_core.devices())["devices"]


def release_devices():
    """Closes the devices that earlier calls opened.

    They stay open between calls, so that a call starts no threads and compiles no kernels anew.
    """
    _core.release_devices()


def read_image(path):
    """A picture as float32 (y, x) or (y, x, channel) in 8-bit units."""
    return _core.read_image(os.fspath(path))


def write_image(path, image, bits=None, quality=None):
    """Writes an array (y, x) or (y, x, channel), floats in 8-bit units.

    The extension selects the encoding: .png, .tif, .jpg, .webp, .exr or .pfm.
    bits : 8, 16 or "float"; by default "float" for .exr and .pfm, else 8
    quality : of .jpg and .webp, 1 to 100; 95 by default
    """
    _core.write_image(os.fspath(path), image, None if bits is None else str(bits), quality, None)
