"""Kept iterations, and the pages of results."""
import json
import re

import numpy as np
import pytest

import plenosr as ps

OPTIONS = {"scale": 2, "iterations": 5, "tolerance": 0, "denoiser": "none", "blur": "gaussian", "order": "given"}


def shown(page):
    """What a page shows."""
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_kept_iterations(views, tmp_path):
    disparity = np.zeros((40, 48), np.float32)
    result = ps.reconstruct(views, disparity=disparity, keep_iterations=2, **OPTIONS)
    assert list(result.film) == [0, 2, 4, 5]
    np.testing.assert_array_equal(result.image, ps.reconstruct(views, disparity=disparity, **OPTIONS).image)
    np.testing.assert_allclose(result.film[5], result.image, atol=1e-3)
    assert shown(result.html())["series"][0]["iterations"] == [0, 2, 4, 5]
    result.save(tmp_path / "out.tif", bits="float")
    assert result.report["film"] == {"file": str(tmp_path / "out.iterations.tif"), "iterations": [0, 2, 4, 5]}
    np.testing.assert_allclose(ps.read_image(tmp_path / "out.iterations.tif"), result.film[0], atol=1e-3)
    assert ps.frames([views[0, 0]], single=True, keep_iterations=4, **{
        name: value for name, value in OPTIONS.items() if name != "order"}).film.keys() == {0, 4, 5}
    with pytest.raises(ps.OptionError, match="keep-iterations = 2 must be 0 for all views"):
        ps.reconstruct(views, view="all", keep_iterations=2, **OPTIONS)
    with pytest.raises(ps.OptionError, match="must be 0 for an operator"):
        ps.operator(views, scale=2, blur="gaussian", disparity=disparity, keep_iterations=2)


def test_weights_are_shown_if_they_are_kept(views):
    names = [one["picture"]["name"] for one in shown(ps.reconstruct(views, keep_weights=True, **OPTIONS).html())["maps"]]
    assert {"estimated disparity", "confidence of the disparity", "weights of the prior", "trust in the other views",
            "self-check"} <= set(names)


def test_the_page_of_all_views(scene):
    result = ps.reconstruct(scene / "lr", view="all", iterations=1)
    page = shown(result.html())
    assert [series["name"] for series in page["series"]] == ["bicubic ×2", "result"]
    assert len(page["series"][1]["pictures"]) == 9
