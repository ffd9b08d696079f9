"""Results as tables, and in logs."""
import logging
import sys

import numpy as np
import pytest

import plenosr as ps


@pytest.fixture(scope="module")
def result(views):
    return ps.reconstruct(views, scale=2, iterations=2, denoiser="none", tolerance=0)


def test_iterations_as_a_data_frame(result):
    table = result.to_pandas()
    assert list(table.index) == [0, 1, 2] and "cost" in table.columns
    np.testing.assert_array_equal(table["cost"], result.iterations["cost"])


def test_views_as_a_data_frame(views):
    everything = ps.reconstruct(views, scale=2, iterations=1, view="all", disparity_from="estimate")
    table = everything.to_pandas()
    rows = everything.report["views"]
    assert len(table) == 9 and list(table["view"]) == [row["view"] for row in rows]
    assert list(table["seconds"]) == [row["seconds"] for row in rows]


@pytest.mark.parametrize("package, call", [
    ("pandas", lambda result: result.to_pandas()),
    ("xarray", lambda result: ps.light_field(np.zeros((2, 2, 8, 8), np.uint8)).to_xarray()),
    ("tqdm", lambda result: ps.synth(scene="planes", grid=1, width=16, height=16, progress=True)),
])
def test_a_missing_package_gives_one_sentence(result, monkeypatch, package, call):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.auto", None)
    with pytest.raises(ps.MissingPackageError, match=f"needs the package {package}, which is not installed"):
        call(result)


def test_notes_are_logged(views, caplog):
    flat = np.full((3, 3, 24, 24), 100, np.uint8)
    with caplog.at_level(logging.INFO, logger="plenosr"):
        result = ps.reconstruct(flat, scale=2, iterations=1)
    assert result.notes
    warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warned == result.notes
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.INFO]
    assert messages == result.explanation
