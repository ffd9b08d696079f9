"""The scripts of examples/python run and write their figures."""
import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_has_a_test():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {
        "own_light_field", "own_burst", "pylops_fista", "plug_and_play"}


@pytest.mark.parametrize("name, figures", [
    ("own_light_field", ["super_resolved.png", "disparity.png"]),
    ("own_burst", ["super_resolved.png"]),
])
def test_own_pictures(name, figures, tmp_path):
    load(name).main(tmp_path)
    for figure in figures:
        assert (tmp_path / figure).stat().st_size > 1000


def test_own_files(scene, burst, tmp_path):
    load("own_light_field").main(tmp_path, scene / "lr")
    load("own_burst").main(tmp_path, *sorted(burst.glob("*.png")))


def test_fista_improves_the_start(tmp_path):
    quality = load("pylops_fista").main(tmp_path)
    assert quality["fista"] > quality["start"] + 0.5
    assert (tmp_path / "start_fista_plenosr_truth.png").exists()


def test_a_denoiser_of_the_user_improves_the_result(tmp_path):
    quality = load("plug_and_play").main(tmp_path)
    assert quality["sliding DCT"] > quality["none"] + 0.3
    assert (tmp_path / "none_dct_bm3d_truth.png").exists()
