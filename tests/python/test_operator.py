"""The operator with scipy and PyLops."""
import numpy as np
import pylops
import pytest
import scipy.sparse.linalg

import plenosr as ps


@pytest.fixture(scope="module")
def operator(scene):
    return ps.operator(scene / "lr", disparity_from="full")


@pytest.mark.parametrize("keywords", [{}, {"operator": "chain", "visibility": "none"}, {"views": "cross5", "scale": 3}])
def test_pylops_dottest(views, keywords):
    a = ps.operator(views, disparity=np.full((40, 48), 0.3), **{"scale": 2, **keywords})
    assert pylops.utils.dottest(pylops.aslinearoperator(a), rtol=1e-4)
    # As the project's own laws: relative to the norms.
    random = np.random.default_rng(2)
    x, s = random.standard_normal(a.shape[1]), random.standard_normal(a.shape[0])
    ax = a @ x
    assert abs(ax @ s - x @ a.rmatvec(s)) <= 1e-6 * np.linalg.norm(ax) * np.linalg.norm(s)


def test_shapes_and_order(operator, views):
    assert operator.shape == (9 * 40 * 48, 80 * 96)
    assert operator.data_shape == (9, 40, 48) and operator.image_shape == (80, 96)
    luma = views.reshape(9, 40, 48, 3) @ np.array([0.299, 0.587, 0.114])
    seen = operator.weights.reshape(operator.data_shape) > 0
    np.testing.assert_allclose(operator.data.reshape(operator.data_shape)[seen], luma[seen], rtol=1e-4)
    assert not operator.data.reshape(operator.data_shape)[~seen].any() or seen.mean() > 0.5


def test_lsqr_reconstructs(operator, scene):
    truth = ps._core.read_image(str(scene / "hr" / "input_Cam004.png")) @ np.array([0.299, 0.587, 0.114])
    start = ps.reconstruct(scene / "lr", iterations=0, init="bicubic", denoiser="none").initial
    start = (start @ np.array([0.299, 0.587, 0.114], np.float32)).ravel()
    # Few steps from a start: pixels that no sample observes keep it.
    x = start + scipy.sparse.linalg.lsqr(operator, operator.data - operator @ start, iter_lim=3)[0]

    def error(image):
        return np.sqrt(np.mean((image.reshape(truth.shape) - truth)[8:-8, 8:-8] ** 2))

    assert error(x) < 0.8 * error(start)


def test_normal_and_diagonal(operator):
    x = np.random.default_rng(1).standard_normal(operator.shape[1])
    expected = operator.rmatvec(operator.weights * (operator @ x))
    assert np.linalg.norm(operator.normal(x) - expected) < 1e-5 * np.linalg.norm(expected)
    assert operator.diagonal().shape == x.shape and (operator.diagonal() > 0).all()


def test_other_sizes_are_refused(operator):
    with pytest.raises(ps.OptionError, match="x has 3 values, but must have 7680"):
        operator.normal([1, 2, 3])
