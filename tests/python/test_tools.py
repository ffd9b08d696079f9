"""Test data, evaluation, conversion, devices, descriptions; denoisers of the user."""
import base64
import html
import json
import re
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM, report_of, run_program

import plenosr as ps


def test_synth_and_degrade_equal_the_program(scene, views):
    rendered = ps.synth(grid=3, width=96, height=80)
    low = ps.degrade(rendered.light_field, scale=2, gaussian=2, seed=1, colour="rgb")
    # The program rounds the rendered views to 8 bits before it degrades them.
    levels = np.floor(rendered.light_field.array() + 0.5).astype(np.uint8)
    stored = ps.degrade(levels, scale=2, gaussian=2, seed=1, colour="rgb")
    np.testing.assert_array_equal(stored.array(), views)
    assert low.shape == stored.shape
    full = ps.open(scene / "hr")
    assert len(rendered.maps) == 9
    np.testing.assert_array_equal(rendered.maps[0, 1], full.disparity_map((0, 1)))
    # The record of scale, blur and phase comes along.
    assert ps.reconstruct(low, iterations=0).image.shape == (80, 96, 3)


def test_evaluate_equals_the_program(scene, tmp_path):
    a, b = scene / "hr" / "input_Cam003.png", scene / "hr" / "input_Cam004.png"
    for flags, keywords in ([], {}), (["--border", "3", "--channel", "rgb"], {"border": 3, "channel": "rgb"}):
        run_program("evaluate", a, b, "--json", tmp_path / "report.json", *flags)
        report = report_of(tmp_path / "report.json")
        for given in ((a, b), (ps.read_image(a), ps.read_image(b))):
            assert ps.evaluate(*given, **keywords) == {key: report[key] for key in ("psnr", "ssim", "mse")}
    lf = ps.open(scene / "hr")
    maps = lf.disparity_map((1, 0)), lf.disparity_map((1, 1))
    assert ps.evaluate(*maps, disparity=True)["badpix_0.07"] > 0
    assert ps.evaluate(maps[0], maps[0], disparity=True)["mse100"] == 0
    with pytest.raises(ps.OptionError, match="channel = z must be one of y|rgb"):
        ps.evaluate(a, b, channel="z")
    with pytest.raises(ps.InputError):
        ps.evaluate(ps.read_image(a), ps.read_image(b)[1:])


def test_convert(scene, tmp_path):
    result = ps.convert(scene / "lr", tmp_path / "views.npy", crop="20x16+4+2", order="given")
    assert result["views"] == 9 and result["format"] == "npy"
    assert np.load(tmp_path / "views.npy").shape == (3, 3, 16, 20, 3)
    with pytest.raises(ps.InputError, match="files"):
        ps.convert(np.zeros((2, 2, 8, 8), np.uint8), tmp_path / "out.npy")


def test_the_version_is_that_of_the_program():
    printed = subprocess.run([PROGRAM, "--version"], capture_output=True, check=True, text=True).stdout
    assert printed == f"plenosr {ps.__version__}\n"


def test_convert_reports_as_the_program(scene, tmp_path):
    run_program("convert", scene / "lr", tmp_path / "a.npy", "--views", "3x3", "--json", tmp_path / "report.json")
    report, known = ps.convert(scene / "lr", tmp_path / "b.npy", views="3x3"), report_of(tmp_path / "report.json")
    for key in ("output", "seconds", "peak_memory_bytes"):
        del report[key], known[key]
    assert report == known
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_a_lens_contradicts_a_blur(views):
    with pytest.raises(ps.OptionError, match="blur = disc:1 contradicts lens"):
        ps.degrade(views, blur="disc:1", lens=0.6)


def test_devices():
    listed = json.loads(subprocess.run([PROGRAM, "devices", "--json", "-"], capture_output=True, check=True).stdout)
    # The memory that a process may use depends on what others use.
    memory = {"global_memory", "largest_allocation"}

    def lasting(devices):
        return [{name: value for name, value in device.items() if name not in memory} for device in devices]

    assert lasting(ps.devices()) == lasting(listed["devices"]) and ps.devices()[0]["id"] == "cpu"


def test_info_and_noise_are_the_reports_of_the_program(scene, tmp_path):
    lf = ps.open(scene / "lr")
    run_program("info", scene / "lr", "--json", tmp_path / "info.json")
    assert lf.info() == report_of(tmp_path / "info.json")
    for flags, keywords in ([], {}), (["--single"], {"single": True}), (["--views", "cross5"], {"views": "cross5"}):
        run_program("noise", scene / "lr", "--json", tmp_path / "noise.json", *flags)
        report, known = lf.noise(**keywords), report_of(tmp_path / "noise.json")
        del report["seconds"], known["seconds"]
        assert report == known


def test_a_denoiser_of_the_user_is_called(views):
    calls = []

    def keep(image, sigma):
        calls.append((image.shape, image.dtype, sigma))
        return image

    result = ps.reconstruct(views, scale=2, disparity=np.zeros((40, 48)), denoiser=keep)
    assert len(calls) == 2 and all(call[:2] == ((80, 96), np.float32) for call in calls)
    sigmas = [call[2] for call in calls]
    assert sigmas == sorted(sigmas, reverse=True) and sigmas[-1] > 0
    assert result.report["chosen"]["denoiser"] == "function" and "2 denoiser steps" in result.message
    ps.reconstruct(views, scale=2, colour="rgb", denoiser=keep)
    assert calls[-1][0] == (80, 96, 3)
    ps.frames(list(views.reshape(9, 40, 48, 3)[:3]), scale=2, denoiser=keep)


def test_faults_of_a_denoiser_reach_the_caller(views):
    def fail(image, sigma):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        ps.reconstruct(views, scale=2, denoiser=fail)
    with pytest.raises(ps.InputError, match="The denoiser returned an image of 95x80 pixels with 1 channels"):
        ps.reconstruct(views, scale=2, denoiser=lambda image, sigma: image[:, 1:])
    with pytest.raises(ps.InputError, match="not finite"):
        ps.reconstruct(views, scale=2, denoiser=lambda image, sigma: image * np.nan)
    with pytest.raises(ps.InputError, match="did not return an array"):
        ps.reconstruct(views, scale=2, denoiser=lambda image, sigma: None)


def data_of(page):
    """What a page of the viewer shows."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1])


def test_pages_show_the_input_and_the_results(views):
    lf = ps.light_field(views)
    assert [view["position"] for view in data_of(lf.html())["views"]] == [[r, c] for r in range(3) for c in range(3)]
    result = ps.reconstruct(lf, scale=2, iterations=1)
    page = data_of(result.html(lossless=True))
    assert len(page["views"]) == 9 and page["sampling"]["scale"] == 2
    assert [(shown["name"], shown["coding"]) for shown in page["results"]] == [("bicubic ×2", "bits8"),
                                                                               ("result", "float")]
    assert [shown["kind"] for shown in page["maps"]][:2] == ["disparity", "share"]
    assert page["runs"][0]["report"] == result.report | {
        "peak_memory_bytes": page["runs"][0]["report"]["peak_memory_bytes"]}
    assert len(data_of(ps.disparity(lf).html())["maps"]) == 2


def test_a_lossless_page_keeps_every_value(views, tmp_path):
    result = ps.reconstruct(ps.light_field(views), scale=2, iterations=1)
    shown = data_of(result.html(lossless=True))["results"][1]
    (tmp_path / "bytes.png").write_bytes(base64.b64decode(shown["url"].split(",")[1]))
    # The bytes of each value, the most significant first, one picture below the other.
    planes = ps.read_image(tmp_path / "bytes.png").astype(np.uint8).reshape((4,) + result.image.shape)
    assert np.array_equal(np.moveaxis(planes, 0, -1).copy().view(">f4")[..., 0], result.image)


def test_results_show_themselves_in_notebooks(views):
    lf = ps.light_field(views)
    result = ps.reconstruct(lf, scale=2, iterations=1)
    for shown, part in ((lf, "views"), (result, "results"), (ps.disparity(lf), "maps")):
        frame = re.fullmatch(r'<iframe sandbox="allow-scripts allow-downloads" .* srcdoc="([^"]*)"></iframe>',
                             shown._repr_html_(), re.DOTALL)
        assert data_of(html.unescape(frame[1]))[part]
