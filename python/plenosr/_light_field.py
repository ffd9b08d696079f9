"""Light fields in files or in memory."""
import json
import os

import numpy as np

from . import _core
from ._errors import InputError, OptionError, require
from ._html import LARGEST_LIGHT_FIELD, page_html, picture_html, table_html
from ._keywords import documented, split, text_of
from ._progress import callback


def _number(value):
    return int(value) if value == int(value) else value


class LightField:
    """Views of one scene on a grid, in files or in memory. `open` and `light_field` make it.

    Nothing is decoded before it is needed. Images are float32 in 8-bit units: 0 is black and 255 is
    white for files of any depth.
    """

    def __init__(self, source, opened=()):
        self._source = source
        self._opened = list(opened)

    @property
    def path(self):
        """Where it was opened; "<array>" for arrays."""
        return self._source.path

    @property
    def format(self):
        """The name of the format, as `plenosr info --formats` lists it; "array" for arrays."""
        return self._source.format

    @property
    def views(self):
        """The positions (row, col) of the views that are there, by row, then column."""
        return [(_number(row), _number(col)) for row, col in self._source.positions]

    @property
    def centre(self):
        """The position of the middle view of the grid."""
        first_row, first_col, rows, cols = self._source.grid
        return first_row + rows // 2, first_col + cols // 2

    @property
    def shape(self):
        """(rows, columns, height, width), and (…, 3) for colour."""
        height, width, channels = self._source.size
        return tuple(self._source.grid[2:]) + (height, width) + ((3,) if channels == 3 else ())

    @property
    def notes(self):
        """What a user should know about the input: sentences."""
        return list(self._source.notes)

    def __len__(self):
        return len(self._source.positions)

    def __getitem__(self, position):
        """The view at (row, col) as an array (y, x) or (y, x, channel)."""
        return self._source.read([tuple(float(p) for p in position)], None)[0]

    def array(self, progress=None):
        """All views as one array (row, col, y, x) or (row, col, y, x, channel).

        Views that are missing are NaN.
        """
        with callback(progress) as call:
            images = self._source.read([], call)
        first_row, first_col = self._source.grid[:2]
        result = np.full(self.shape, np.nan, np.float32)
        for (row, col), image in zip(self.views, images):
            if not (isinstance(row, int) and isinstance(col, int)):
                raise InputError(f"The view {row},{col} of {self.path} is not on a grid; read views one by one.")
            result[row - first_row, col - first_col] = image
        return result

    def __array__(self, dtype=None, copy=None):
        array = self.array()
        return array if dtype is None else array.astype(dtype, copy=False)

    def disparity_map(self, view=None):
        """The map of a view (row, col), by default the centre, that is stored with the views, or None."""
        row, col = view or self.centre
        return self._source.disparity(float(row), float(col))

    def info(self, inspect=True, progress=None):
        """A description as `plenosr info --json` writes it, as a dict.

        inspect : read every view once and report what looks wrong (not for arrays)
        """
        with callback(progress) as call:
            return json.loads(_core.info(self._source, bool(inspect), call))

    def noise(self, *, views="all", disparity_from="auto", single=False, progress=None, **options):
        """Estimates the noise; a dict as `plenosr noise --json` writes it.

        single : use each view by itself, which needs no disparity
        options : scale, blur, psf_grid, device and threads, as for reconstruct
        """
        given, = split("noise", options, ["noise"], ["views", "disparity_from", "single", "progress"])
        with callback(progress) as call:
            return json.loads(_core.noise(self._source, given, self._opened, views_text(views), disparity_from,
                                          bool(single), call))

    def to_xarray(self):
        """All views as an xarray.DataArray with the axes row, col, y, x and channel."""
        xarray = require("xarray", "to_xarray()")
        first_row, first_col, rows, cols = self._source.grid
        coords = {"row": range(first_row, first_row + rows), "col": range(first_col, first_col + cols)}
        dims = ("row", "col", "y", "x")
        if len(self.shape) == 5:
            dims += ("channel",)
            coords["channel"] = ["red", "green", "blue"]
        attributes = {"unit": "8-bit levels", "path": self.path}
        return xarray.DataArray(self.array(), dims=dims, coords=coords, name="light_field", attrs=attributes)

    def html(self, lossless=False):
        """The page of `plenosr report` as text: views with viewpoint, refocusing and epipolar planes.

        lossless : keep every value of the pictures, not only what people see
        """
        return _core.page(self._source, bool(lossless))

    def _repr_html_(self):
        if len(self) * self._source.size[0] * self._source.size[1] <= LARGEST_LIGHT_FIELD:
            return page_html(self.html())
        rows, cols = self._source.grid[2:]
        height, width, channels = self._source.size
        table = {"light field": self.path, "format": self.format,
                 "grid": f"{rows} × {cols} views, {len(self)} of them there",
                 "views": f"{width} × {height} pixels, {channels} channels"}
        shown = self.centre if self.centre in self.views else self.views[len(self) // 2]
        return table_html(table) + picture_html(self[shown], f"view {shown[0]},{shown[1]}", 160)

    def __repr__(self):
        return f"<LightField {self.path} ({self.format}): {len(self)} views, shape {self.shape}>"


@documented(["open"])
def open(path, **options):
    """A light field in files: a folder of views, or a file in one of many formats.

    Nothing is decoded before it is needed. Returns a LightField.
    """
    (given,) = split("open", options, ["open"])
    return LightField(_core.open_light_field(os.fspath(path), given), given)


def light_field(array, white=None):
    """A light field in memory: an array (row, col, y, x) or (row, col, y, x, channel).

    The array has elements of uint8, uint16, float32 or float64, any strides, and may come from any
    library that speaks DLPack. Floats are in 8-bit units, where 255 is white; `white` is another
    value for white, such as 1. The memory of the array is used, not copied: it must not change
    before the last job. Returns a LightField.
    """
    return LightField(_core.light_field(array, white))


def as_light_field(given, opened, white):
    """A LightField from a LightField, a path or an array; `opened` are open's options as (name, text)."""
    if isinstance(given, (str, os.PathLike)):
        return LightField(_core.open_light_field(os.fspath(given), opened), opened), opened
    for name, text in opened:
        if name != "order":
            raise OptionError(f"{name} = {text} belongs to open(), which reads files; this light field is open, "
                              "or in memory, already")
    source = given if isinstance(given, LightField) else light_field(given, white)
    return source, source._opened + opened


def position_text(view):
    """"R,C" for a position; the centre is ""."""
    return "" if view is None else text_of("view", view)


def views_text(views):
    """What --views takes, from a string or a list of positions."""
    if isinstance(views, str):
        return views
    return ";".join(position_text(view) for view in views)
