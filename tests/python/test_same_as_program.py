"""The module gives the program's results, bit for bit, and its reports."""
import numpy as np
import pytest
from conftest import report_of, run_program

import plenosr as ps

MEASURED = ("seconds", "bytes", "nanoseconds")  # parts of keys whose values differ between runs
OUTPUT = ("output", "bits", "input")


def without_measurements(report):
    """The report without times, memory and the names of outputs."""
    if isinstance(report, dict):
        return {key: without_measurements(value) for key, value in report.items()
                if key not in OUTPUT and not any(part in key for part in MEASURED)}
    if isinstance(report, list):
        return [without_measurements(value) for value in report]
    return report


@pytest.mark.parametrize("options", [
    {},
    {"colour": "rgb", "lambda": 0.3, "view": "0,1", "views": "3x3"},
    {"data": "l1+l2", "iterations": 3, "solver": "gd-ls", "threads": 1},
])
def test_reconstruct(scene, tmp_path, options):
    flags = [word for name, value in options.items() for word in (f"--{name}", value)]
    run_program("reconstruct", scene / "lr", "-o", tmp_path / "out.pfm", "--bits", "float", "--json",
                tmp_path / "report.json", *flags)
    keywords = {"lambda_" if name == "lambda" else name: value for name, value in options.items()}
    result = ps.reconstruct(scene / "lr", **keywords)
    result.save(tmp_path / "python.pfm", bits="float")
    assert (tmp_path / "out.pfm").read_bytes() == (tmp_path / "python.pfm").read_bytes()
    assert without_measurements(result.report) == without_measurements(report_of(tmp_path / "report.json"))


def test_reconstruct_with_truth_and_map(scene, tmp_path):
    truth = scene / "hr" / "input_Cam004.png"
    run_program("reconstruct", scene / "lr", "-o", tmp_path / "out.pfm", "--bits", "float", "--truth", truth,
                "--disparity-from", "full", "--json", tmp_path / "report.json")
    result = ps.reconstruct(ps.open(scene / "lr"), truth=truth, disparity_from="full")
    assert without_measurements(result.report) == without_measurements(report_of(tmp_path / "report.json"))
    assert result.report["psnr"] > result.report["psnr_bicubic"] + 1
    assert result.iterations["psnr"][-1] == result.report["iterations"][-1]["psnr"]


def test_arrays_give_the_result_of_files(scene, views):
    from_files = ps.reconstruct(scene / "lr", disparity_from="estimate")
    # The record of `degrade` has scale, blur and phase of the files.
    from_arrays = ps.reconstruct(views, scale=2, blur="gaussian")
    np.testing.assert_array_equal(from_arrays.image, from_files.image)
    given = ps.reconstruct(views, scale=2, blur="gaussian", disparity=ps.open(scene / "lr").disparity_map())
    np.testing.assert_array_equal(given.image, ps.reconstruct(scene / "lr").image)


def test_all_views(scene, tmp_path):
    run_program("reconstruct", scene / "lr", "-o", tmp_path / "all", "--view", "all", "--json",
                tmp_path / "report.json")
    result = ps.reconstruct(scene / "lr", view="all")
    result.save(tmp_path / "python")
    names = sorted(file.name for file in (tmp_path / "all").iterdir())
    assert names == sorted(file.name for file in (tmp_path / "python").iterdir())
    for name in names:
        assert (tmp_path / "all" / name).read_bytes() == (tmp_path / "python" / name).read_bytes(), name
    assert without_measurements(result.report) == without_measurements(report_of(tmp_path / "report.json"))


@pytest.mark.parametrize("keywords, flags", [
    ({"register": "affine"}, ["--register", "affine"]),
    ({"reference": 1, "shifts": "lightfield.json"}, ["--reference", "1", "--shifts", "lightfield.json"]),
])
def test_frames(burst, tmp_path, keywords, flags):
    paths = {"lightfield.json": str(burst / "lightfield.json")}
    flags = [paths.get(flag, flag) for flag in flags]
    keywords = {name: paths.get(value, value) for name, value in keywords.items()}
    run_program("frames", burst, "-o", tmp_path / "out.pfm", "--bits", "float", "--json",
                tmp_path / "report.json", *flags)
    result = ps.frames(burst, **keywords)
    result.save(tmp_path / "python.pfm", bits="float")
    assert (tmp_path / "out.pfm").read_bytes() == (tmp_path / "python.pfm").read_bytes()
    assert without_measurements(result.report) == without_measurements(report_of(tmp_path / "report.json"))


def test_frames_from_arrays(burst):
    files = sorted(burst.glob("*.png"))
    arrays = [ps._core.read_image(str(file)).astype(np.uint8) for file in files]
    from_files = ps.frames(files, scale=2, phase="corner")
    np.testing.assert_array_equal(ps.frames(arrays, scale=2, phase="corner").image, from_files.image)
    stacked = ps.frames(np.stack(arrays), scale=2, phase="corner")
    np.testing.assert_array_equal(stacked.image, from_files.image)


@pytest.mark.parametrize("every", [False, True])
def test_disparity(scene, tmp_path, every):
    run_program("disparity", scene / "lr", "-o", tmp_path / ("maps" if every else "out.pfm"), "--json",
                tmp_path / "report.json", "--range", "-1,1.5", *(["--all"] if every else []))
    result = ps.disparity(ps.open(scene / "lr"), range=(-1, 1.5), all=every)
    assert without_measurements(result.report) == without_measurements(report_of(tmp_path / "report.json"))
    if every:
        assert len(result.maps) == 9
        files = sorted((tmp_path / "maps").iterdir())
        for file, (map_of_view, _, _) in zip(files, result.maps.values()):
            ps._core.write_disparity(str(tmp_path / "one.pfm"), map_of_view)
            assert file.read_bytes() == (tmp_path / "one.pfm").read_bytes()
    else:
        result.save(tmp_path / "python.pfm")
        assert (tmp_path / "out.pfm").read_bytes() == (tmp_path / "python.pfm").read_bytes()
        assert result.confidence.shape == result.map.shape and result.preview().shape == result.map.shape + (3,)
