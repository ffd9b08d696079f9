"""Inputs that several tests use: small rendered scenes, made once by the program."""
import json
import os
import subprocess

import numpy as np
import pytest

import plenosr as ps

PROGRAM = os.environ["PLENOSR_PROGRAM"]


def run_program(*arguments):
    """Runs the program; returns its standard error. Fails the test if it fails."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def refusal_of_program(*arguments):
    """The sentence with which the program refuses."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode != 0
    return done.stderr.removeprefix("plenosr: ").strip()


def report_of(file):
    with open(file, encoding="utf-8") as text:
        return json.load(text)


@pytest.fixture(scope="session")
def scene(tmp_path_factory):
    """A scene of 3x3 views with 96x80 pixels, and the same seen by a worse camera (x2)."""
    folder = tmp_path_factory.mktemp("scene")
    run_program("synth", "-o", folder / "hr", "--grid", 3, "--width", 96, "--height", 80)
    run_program("degrade", folder / "hr", "-o", folder / "lr", "--scale", 2, "--gaussian", 2,
                "--seed", 1, "--colour", "rgb")
    return folder


@pytest.fixture(scope="session")
def views(scene):
    """The low-resolution views as uint8 (row, col, y, x, channel)."""
    return ps.open(scene / "lr").array().round().astype(np.uint8)


@pytest.fixture(scope="session")
def burst(tmp_path_factory, scene):
    """Four frames of a photo of 96x80 pixels, as a folder of pictures."""
    folder = tmp_path_factory.mktemp("burst")
    run_program("degrade", scene / "hr" / "input_Cam004.png", "-o", folder / "lr", "--frames", 4, "--shifts",
                "grid", "--scale", 2, "--gaussian", 1, "--seed", 3)
    return folder / "lr"
