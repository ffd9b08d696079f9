"""The screenshot and the animation of README.md. With PLENOSR_PICTURES=docs/images they are written there."""
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from conftest import run_program, view_file

LARGEST = 1_000_000  # bytes


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    run_program("synth", "-o", folder / "scene", "--scene", "planes", "--grid", 5, "--width", 512, "--height", 512,
                "--quiet")
    run_program("degrade", folder / "scene", "-o", folder / "planes", "--scale", 2, "--gaussian", 5, "--seed", 1,
                "--colour", "rgb", "--quiet")
    run_program("reconstruct", folder / "planes", "-o", folder / "result.png", "--truth",
                view_file(folder / "scene", 2, 2), "--disparity-from", "estimate", "--report", folder / "report.html",
                "--quiet")
    return folder / "report.html"


def folder_for(tmp_path):
    return Path(os.environ.get("PLENOSR_PICTURES", tmp_path))


def test_the_screenshot(page, viewer, tmp_path):
    shown = viewer(page, size=(1200, 720), tab="compare", mode="slider", a=0, b=1, zoom=2, x=0.5, y=0.42)
    file = folder_for(tmp_path) / "viewer.png"
    picture = Image.open(io.BytesIO(shown.page.screenshot())).convert("RGB")
    picture.quantize(256, Image.Quantize.FASTOCTREE).save(file, optimize=True)
    assert file.stat().st_size < LARGEST
    assert len(np.unique(np.asarray(picture).reshape(-1, 3), axis=0)) > 1000


def test_the_animation(page, viewer, tmp_path):
    shown = viewer(page, size=(900, 560), tab="explore")
    frames = []

    def take(**state):
        shown.go(**state)
        picture = Image.open(io.BytesIO(shown.page.screenshot())).convert("RGB")
        frames.append(picture.resize((540, 336), Image.Resampling.LANCZOS))
    for col in (1, 0, 1, 2, 3, 4, 3, 2):
        take(tab="explore", col=col, row=2)
    for focus in np.linspace(-0.7, 0.7, 8):
        take(tab="explore", aperture=2.83, focus=round(focus, 3))
    for split in (0.5, 0.35, 0.2, 0.35, 0.5, 0.65, 0.8):
        take(tab="compare", split=split)
    file = folder_for(tmp_path) / "viewer.gif"
    palette = frames[-1].quantize(96)
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=350, loop=0, optimize=True)
    assert file.stat().st_size < LARGEST
    assert any(np.asarray(frame).tobytes() != np.asarray(frames[0]).tobytes() for frame in frames)
