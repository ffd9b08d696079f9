"""The model of the camera as a linear operator."""
import functools

import numpy as np

from . import _core
from ._errors import require
from ._keywords import documented, path_or_array, split
from ._light_field import as_light_field, position_text, views_text
from ._progress import callback


@functools.lru_cache(maxsize=None)
def _operator_class():
    linear_operator = require("scipy.sparse.linalg", "operator()").LinearOperator

    class Operator(linear_operator):
        """A: a high-resolution image to the samples of all views, with its exact adjoint.

        shape : (number of samples, number of pixels)
        image_shape : (y, x) of an image; A takes it flat
        data_shape : (view, y, x) of the samples; A returns them flat
        data : the samples of the views; 0 where A predicts none
        weights : the weight of each sample, for weighted least squares; 0 where A predicts none
        """

        def __init__(self, core):
            self._core = core
            self.image_shape = core.image_shape
            self.data_shape = core.data_shape
            self.data = _core.operator_data(core, 0)
            self.weights = _core.operator_weights(core)
            super().__init__(np.dtype(np.float32), (self.data.size, int(np.prod(self.image_shape))))

        def data_of(self, channel):
            """The samples of one channel, for colour="rgb"."""
            return _core.operator_data(self._core, channel)

        def _matvec(self, x):
            return self._core.forward(_flat(x))

        def _rmatvec(self, samples):
            return self._core.adjoint(_flat(samples))

        def normal(self, x):
            """A' M A x with M = diag(weights)."""
            return self._core.normal(_flat(x))

        def diagonal(self):
            """An estimate of the diagonal of A' M A, for preconditioning."""
            return self._core.diagonal()

    return Operator


def _flat(values):
    return np.ascontiguousarray(values, np.float32).reshape(-1)


@documented(["reconstruct", "open"])
def operator(light_field, *, view=None, views="all", disparity=None, disparity_from="auto", white=None,
             progress=None, **options):
    """The model of the camera that `reconstruct` inverts, as a scipy LinearOperator (needs scipy).

    Parameters are those of `reconstruct`; of the options those of the model count: scale, blur,
    psf_grid, phase, visibility, interpolation, operator, colour and threads.

    >>> A = ps.operator(lf, scale=2)
    >>> x = scipy.sparse.linalg.lsqr(A, A.data, iter_lim=10)[0].reshape(A.image_shape)
    """
    others = ["view", "views", "disparity", "disparity_from", "white", "progress"]
    make = _operator_class()
    given, opened = split("operator", options, ["reconstruct", "open"], others)
    source, opened = as_light_field(light_field, opened, white)
    with callback(progress) as call:
        return make(_core.operator(source._source, given, opened, position_text(view), views_text(views),
                                   path_or_array(disparity), disparity_from, call))
