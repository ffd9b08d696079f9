"""Light-field and multi-frame super-resolution.

>>> import plenosr as ps
>>> lf = ps.open("my_light_field")
>>> result = ps.reconstruct(lf, scale=2, progress=True)
>>> result.save("sharp.png", bits=16)

Every option of the program `plenosr` is a keyword of the function with the command's name: `-` becomes
`_`, and `lambda` is `lambda_`. docs/python.md is a tutorial.
"""
import atexit
import logging
import os

from . import _core
from ._errors import (Cancelled, DeviceError, Error, InputError, MissingPackageError, OptionError,
                      OutOfMemoryError, OutputError, UnknownOptionError)
from ._keywords import Options, documented, path_or_array, split
from ._light_field import (LightField, as_light_field, light_field, open, position_text,
                           views_text)
from ._operator import operator
from ._progress import ProgressEvent, callback
from ._results import AllViewsResult, DisparityResult, Result
from ._tools import (Scene, convert, degrade, devices, evaluate, read_image, release_devices, synth,
                     write_image)

__version__ = _core.version
__all__ = [
    "AllViewsResult", "Cancelled", "DeviceError", "DisparityResult", "Error", "InputError",
    "LightField", "MissingPackageError", "OptionError", "Options", "OutOfMemoryError", "OutputError",
    "ProgressEvent", "Result", "Scene", "UnknownOptionError", "convert", "degrade", "devices",
    "disparity", "evaluate", "frames", "light_field", "open", "operator", "read_image",
    "reconstruct", "release_devices", "synth", "write_image",
]

# Silent unless the user configures logging.
logging.getLogger(__name__).addHandler(logging.NullHandler())
atexit.register(release_devices)  # before drivers are unloaded


def _without_denoiser(options):
    """The options without a denoiser that is a function, and that function or None."""
    if not callable(options.get("denoiser")):
        return options, None
    return {word: value for word, value in options.items() if word != "denoiser"}, options["denoiser"]


@documented(["reconstruct", "open"])
def reconstruct(light_field, *, view=None, views="all", disparity=None, disparity_from="auto",
                truth=None, white=None, progress=None, **options):
    """Super-resolves one view of a light field, or all views.

    Parameters
    ----------
    light_field : LightField, path, or array (row, col, y, x) or (row, col, y, x, channel)
    view : (row, col), default: the centre of the grid; "all" super-resolves every view
    views : views to use: "all", "3x3", "5x5", "cross5", "star17" around the view, or a list of (row, col)
    disparity : map of the view in pixels per step between views, an array or a path; at the size of
        the views or of the result. Default: as disparity_from says
    disparity_from : "auto", "lowres", "full" or "estimate"
    truth : the true picture, an array or a path; only for PSNR and SSIM in the report
    white : the value of white in arrays of floats, default 255
    progress : True for a bar (tqdm), or a function of a ProgressEvent; if it returns False, the job
        ends with the image it has
    denoiser : besides the names below, a function (image, sigma) -> image that removes white noise of
        standard deviation sigma; image is float32 (y, x) or (y, x, channel) in 8-bit units

    Returns a Result; for view="all" an AllViewsResult.
    """
    others = ["view", "views", "disparity", "disparity_from", "truth", "white", "progress"]
    options, denoiser = _without_denoiser(options)
    given, opened = split("reconstruct", options, ["reconstruct", "open"], others)
    source, opened = as_light_field(light_field, opened, white)
    disparity, truth = path_or_array(disparity), path_or_array(truth)
    with callback(progress) as call:
        if isinstance(view, str) and view == "all":
            for name, value in (("disparity", disparity), ("truth", truth)):
                if value is not None and not isinstance(value, str):
                    raise OptionError(f"{name} must be a path for view = all")
            return AllViewsResult(_core.reconstruct_all(source._source, given, opened, views_text(views),
                                                        disparity or "", disparity_from, truth or "", denoiser,
                                                        call), source._source)
        return Result(_core.reconstruct(source._source, given, opened, position_text(view),
                                        views_text(views), disparity, disparity_from, truth, white, denoiser,
                                        call), source._source)


@documented(["frames", "frames_solver"])
def frames(frames, *, shifts=None, single=False, truth=None, white=None, progress=None, **options):
    """Super-resolves a burst or part of a video: frames of a camera that moved.

    Parameters
    ----------
    frames : arrays (y, x) or (y, x, channel) of one size, or one array with a first axis more; or
        paths of pictures, a folder of them, or a TIFF with several pages
    shifts : known shifts (dx, dy) of the frames instead of register, or a path (docs/frames.md)
    single : enlarge one frame alone, which is an error otherwise
    truth : the true picture, an array or a path; only for PSNR and SSIM in the report
    white : the value of white in arrays of floats, default 255
    progress : True for a bar (tqdm), or a function of a ProgressEvent

    Returns a Result.
    """
    others = ["shifts", "single", "truth", "white", "progress"]
    options, denoiser = _without_denoiser(options)
    given, registration = split("frames", options, ["frames_solver", "frames"], others)
    if isinstance(frames, (str, os.PathLike)):
        frames = [frames]
    frames = [path_or_array(frame) for frame in frames]
    are_paths = all(isinstance(frame, str) for frame in frames)
    if not frames or (not are_paths and any(isinstance(frame, str) for frame in frames)):
        raise InputError("frames must be arrays or paths, all of one kind and at least one")
    shifts = path_or_array(shifts)
    if shifts is not None and not isinstance(shifts, str):
        shifts = [(float(dx), float(dy)) for dx, dy in shifts]
    with callback(progress) as call:
        return Result(_core.frames(frames, are_paths, given, registration, shifts, bool(single),
                                   path_or_array(truth), white, denoiser, call))


@documented(["disparity", "open"])
def disparity(light_field, *, view=None, views="all", all=False, white=None, progress=None, **options):
    """Estimates the disparity map of a light field.

    Parameters
    ----------
    light_field : LightField, path, or array (row, col, y, x) or (row, col, y, x, channel)
    view : (row, col) of the view whose disparity is estimated, default: the centre of the grid
    views : views to use, as for reconstruct
    all : make a map of every view that is used, consistent with the map of the view
    white : the value of white in arrays of floats, default 255
    progress : True for a bar (tqdm), or a function of a ProgressEvent

    Returns a DisparityResult.
    """
    others = ["view", "views", "all", "white", "progress"]
    given, opened = split("disparity", options, ["disparity", "open"], others)
    source, opened = as_light_field(light_field, opened, white)
    with callback(progress) as call:
        return DisparityResult(_core.disparity(source._source, given, opened, position_text(view),
                                               views_text(views), bool(all), call), source._source)
