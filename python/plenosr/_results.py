"""What the functions return."""
import json
import logging
import os

import numpy as np

from . import _core
from ._errors import require
from ._html import caption_html, page_html

_OFFSETS = _core.iteration_offsets()
_SIZE = _OFFSETS.pop("size")
ITERATION = np.dtype({
    "names": list(_OFFSETS),
    "formats": ["i4" if name == "iteration" else "f8" for name in _OFFSETS],
    "offsets": list(_OFFSETS.values()),
    "itemsize": _SIZE,
})


_log = logging.getLogger("plenosr")


def _log_notes(notes):
    for note in notes:
        _log.warning("%s", note)


def _table(rows, what):
    return require("pandas", what).DataFrame(rows)


class _Report:
    """The report of the program's --json, as a dict, and the page of --report. Both are made when they
    are asked for."""

    _source = None  # the input, if it is a light field

    @property
    def report(self):
        """The contents of the program's JSON report (docs/cli.md) as a dict."""
        return json.loads(self._core.json())

    def html(self, lossless=False):
        """The page of `plenosr report` as text: views, result, maps and figures; docs/viewer.md.

        lossless : keep every value of the pictures, not only what people see
        """
        return _core.page(self._core, self._source, bool(lossless))


class Result(_Report):
    """A super-resolved view or frame.

    image : float32 (y, x) or (y, x, channel) in 8-bit units, on the memory of the result
    initial : the image that the solver started from
    film : a dict from iteration to image, of the iterations kept by keep_iterations
    iterations : a structured array with a row for each iteration; row 0 is the initial image
    explanation : what was estimated and chosen, and why: sentences
    notes : what a user should know: sentences
    termination : "converged", "max_iterations", "cancelled" or "diverged"
    message : the same as a sentence
    disparity, confidence : the map that was used or estimated, at the size of the views; or None
    refined_disparity : the map of the size of the result, if it was refined; or None
    """

    def __init__(self, core, source=None):
        self._core = core
        self._source = source
        contents = _core.contents(core)
        self.iterations = contents.pop("rows").view(ITERATION)
        for name, value in contents.items():
            setattr(self, name, value)
        for sentence in self.explanation:
            _log.info("%s", sentence)
        _log_notes(self.notes)

    def to_pandas(self):
        """The iterations as a pandas.DataFrame, with the iteration as its index."""
        return _table(self.iterations, "to_pandas()").set_index("iteration")

    @property
    def _job(self):
        return getattr(self._core, "job", self._core)

    def save(self, path, bits=None, quality=None):
        """Writes the image as .png, .tif, .jpg, .webp, .exr or .pfm.

        Camera, lens, exposure, dates, author and the ICC profile are those of the reference's file.
        Iterations that were kept are written beside it: "sharp.iterations.tif" for "sharp.png".
        bits : 8, 16 or "float"; by default "float" for .exr and .pfm, else 8
        quality : of .jpg and .webp, 1 to 100; 95 by default
        """
        path = os.fspath(path)
        given = None if bits is None else str(bits)
        self._job.bits = _core.write_image(path, self.image, given, quality, self._job)
        self._job.output = path
        self._job.save_film()

    def _repr_html_(self):
        if self.image is None:
            return caption_html(repr(self))
        return page_html(_core.page(self._core, None, False))

    def __repr__(self):
        shape = None if self.image is None else self.image.shape
        return f"<Result {shape}: {self.message}>"


class AllViewsResult(_Report):
    """All views of a light field, super-resolved.

    views : the positions (row, col)
    images : a dict from (row, col) to float32 (y, x) or (y, x, channel)
    maps : a dict from (row, col) to the disparity map of that view, at the size of the result
    notes : what a user should know: sentences
    """

    def __init__(self, core, source=None):
        self._core = core
        self._source = source
        contents = _core.contents(core)
        self.images = contents["images"]
        self.maps = contents["maps"]
        self.notes = contents["notes"]
        self.views = list(self.images)
        _log_notes(self.notes)

    def to_pandas(self):
        """The views with their seconds, iterations and quality as a pandas.DataFrame."""
        return require("pandas", "to_pandas()").json_normalize(self.report["views"])

    def save(self, folder, bits=8):
        """Writes a light field: a folder in the layout of the input, with a map of every view."""
        self._core.save(os.fspath(folder), str(bits))

    def __repr__(self):
        return f"<AllViewsResult: {len(self.views)} views>"


class DisparityResult(_Report):
    """An estimated disparity map.

    map : float32 (y, x), pixels per step between views; near points have larger values
    confidence : float32 (y, x) from 0 to 1
    maps : with all=True, a dict from (row, col) to (map, confidence, occluded) of every view
    notes : what a user should know: sentences
    """

    def __init__(self, core, source=None):
        self._core = core
        self._source = source
        contents = _core.contents(core)
        self.map = contents["map"]
        self.confidence = contents["confidence"]
        self.maps = contents["maps"]
        self.notes = contents["notes"]
        _log_notes(self.notes)

    def save(self, path):
        """Writes the map: .pfm and .npy are exact, .png has 65536 levels."""
        _core.write_disparity(os.fspath(path), self.map)
        self._core.output = os.fspath(path)

    @staticmethod
    def colours(map):
        """A colour picture of a map as uint8 (y, x, 3): dark blue is far, yellow is near."""
        return _core.disparity_preview(map).round().astype(np.uint8)

    def preview(self):
        """A colour picture of the map as uint8 (y, x, 3): dark blue is far, yellow is near."""
        return self.colours(self.map)

    def _repr_html_(self):
        return page_html(_core.page(self._core, None, False))

    def __repr__(self):
        return f"<DisparityResult {self.map.shape}, mean confidence {self.confidence.mean():.2f}>"
