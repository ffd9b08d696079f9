"""Maps of runs: their colours and values, and the runs that bring them."""
import json
import subprocess

import numpy as np
import pytest

from conftest import PROGRAM, pixels_of, run_program, view_file


def read_pfm(file):
    parts = file.read_bytes().split(b"\n", 3)
    width, height = map(int, parts[1].split())
    return np.frombuffer(parts[3], "<f4").reshape(height, width)[::-1]


def value_at(shown, share_x, share_y):
    """What the page tells about a place of the map."""
    box = shown.page.locator("#map").bounding_box()
    shown.page.mouse.move(box["x"] + share_x * box["width"], box["y"] + share_y * box["height"])
    return float(shown.text("map-readout").split(": ")[1])


def choose(shown, name):
    shown.page.locator("#map-choice").select_option(label=name)
    shown.settle()


def test_disparity_confidence_and_occlusions(scene, viewer, tmp_path):
    run_program("disparity", scene.views, "-o", tmp_path / "map.pfm", "--preview", tmp_path / "map.png", "--confidence",
                tmp_path / "confidence.png", "--report", tmp_path / "page.html", "--json", tmp_path / "map.json", "--quiet")
    shown = viewer(tmp_path / "page.html", tab="maps")
    assert shown.page.locator("#map-choice option").all_inner_texts() == ["estimated disparity", "confidence"]
    stored = read_pfm(tmp_path / "map.pfm")
    height, width = stored.shape
    y, x = height // 3, width // 4
    at = ((x + 0.5) / width, (y + 0.5) / height)
    assert value_at(shown, *at) == pytest.approx(stored[y, x], rel=2e-3, abs=1e-3)  # 16-bit floats
    # The colours are those of --preview.
    assert np.abs(shown.picture() - pixels_of(tmp_path / "map.png")).max() <= 3
    choose(shown, "confidence")
    confidence = pixels_of(tmp_path / "confidence.png")
    assert np.abs(shown.picture() - confidence).max() <= 1
    assert value_at(shown, *at) == pytest.approx(confidence[y, x, 0] / 255, abs=0.01)
    run_program("disparity", scene.views, "-o", tmp_path / "maps", "--all", "--views", "3x3", "--report",
                tmp_path / "all.html", "--quiet")
    shown = viewer(tmp_path / "all.html", tab="maps")
    names = shown.page.locator("#map-choice option").all_inner_texts()
    assert "hidden from view 1,1" in names
    choose(shown, "hidden from view 1,1")
    levels = np.unique(shown.picture())
    assert set(levels) == {0, 255}


def test_weights_trust_and_self_check(scene, viewer, tmp_path):
    run_program("reconstruct", scene.views, "-o", tmp_path / "out.png", "--disparity-from", "estimate", "--report",
                tmp_path / "page.html", "--json", tmp_path / "out.json", "--quiet")
    shown = viewer(tmp_path / "page.html", tab="maps")
    names = shown.page.locator("#map-choice option").all_inner_texts()
    assert names == ["estimated disparity", "confidence of the disparity", "refined disparity", "weights of the prior",
                     "trust in the other views", "self-check"]
    for name, low, high in (("weights of the prior", 0, 4), ("trust in the other views", 0, 4.2)):
        choose(shown, name)
        assert low <= shown.number("map-low") < shown.number("map-high") <= high, name
    choose(shown, "self-check")
    check = json.loads((tmp_path / "out.json").read_text())["self_check"]
    assert shown.canvas("map").shape[0] * shown.canvas("map").shape[1] == check["regions"]
    assert "left-out" in shown.text("map-unit")
    assert shown.number("map-low") <= check["rms_bicubic"] - check["rms"] <= shown.number("map-high")


def test_a_burst_shows_its_frames_and_what_moved(scene, viewer, tmp_path):
    run_program("degrade", view_file(scene.truth, 2, 2), "-o", tmp_path / "burst", "--frames", 4, "--shifts", "grid",
                "--scale", 2, "--gaussian", 2, "--seed", 3, "--quiet")
    run_program("frames", tmp_path / "burst", "-o", tmp_path / "out.png", "--report", tmp_path / "page.html",
                "--motion-mask", tmp_path / "moved.png", "--json", tmp_path / "out.json", "--keep-iterations", 5, "--quiet")
    shown = viewer(tmp_path / "page.html", tab="explore")
    assert shown.text("place").startswith("Frame 0:")
    shown.press("ArrowRight")
    assert shown.text("place").startswith("Frame 1:")
    assert not shown.page.locator("#focus-controls").is_visible() and not shown.page.locator(".epi").is_visible()
    shown.press("3")
    choose(shown, "left out because of motion")
    assert np.abs(shown.picture() - pixels_of(tmp_path / "moved.png")).max() <= 1
    shown.press("4")
    assert shown.page.get_by_role("heading", name="Frames").count() == 1
    shown.press("2")
    assert shown.page.locator("#film-controls").is_visible()


def test_more_views_than_layers(viewer, tmp_path):
    run_program("synth", "-o", tmp_path / "lf", "--scene", "random", "--seed", 2, "--grid", 17, "--width", 48, "--height",
                36, "--quiet")
    run_program("report", tmp_path / "lf", "-o", tmp_path / "page.html", "--lossless")
    limit = """const get = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (name) {
  return name === this.MAX_ARRAY_TEXTURE_LAYERS ? 256 : get.call(this, name); };"""
    shown = viewer(tmp_path / "page.html", tab="explore", init=limit)
    for row, col in ((0, 0), (8, 8), (16, 15), (16, 16)):
        shown.go(tab="explore", row=row, col=col)
        assert np.abs(shown.picture() - pixels_of(view_file(tmp_path / "lf", row, col, 17))).max() <= 1
    shown.go(tab="explore", aperture=20, focus=0.3)
    assert shown.page.locator("#view").get_attribute("data-views") == "289/289"
    assert shown.text("drawer") == "Drawn with WebGL2." and shown.text("message") == ""


def test_the_page_works_within_a_notebook(scene, browser, tmp_path):
    """As python/plenosr/_html.py embeds it: a sandbox without an address and a store of its own."""
    run_program("report", scene.views, "-o", tmp_path / "page.html")
    page = browser.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.set_content('<iframe sandbox="allow-scripts allow-downloads" style="width:100%;height:640px"></iframe>')
    page.evaluate("(text) => { document.querySelector('iframe').srcdoc = text; }", (tmp_path / "page.html").read_text())
    frame = page.frame_locator("iframe")
    frame.locator("#view[data-views='1/1']").wait_for()
    frame.locator("#view").press("ArrowUp")
    frame.get_by_text("Row 1, column 2").wait_for()
    page.close()
    assert complaints == []


def test_a_large_page_is_told(tmp_path):
    rng = np.random.default_rng(1)
    np.save(tmp_path / "noise.npy", rng.integers(0, 255, (5, 5, 700, 1000, 3), np.uint8))
    done = subprocess.run([PROGRAM, "report", tmp_path / "noise.npy", "-o", tmp_path / "page.html", "--lossless"],
                          capture_output=True, text=True)
    assert done.returncode == 0 and "plenosr view" in done.stderr + done.stdout
    assert (tmp_path / "page.html").stat().st_size > 50e6


def test_touch_moves_the_viewpoint_and_focuses(scene, browser, tmp_path):
    run_program("report", scene.views, "-o", tmp_path / "page.html")
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"file://{tmp_path}/page.html#tab=explore")
    page.wait_for_selector("#view[data-views='1/1']")
    box = page.locator("#view").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#view[data-views='25/25']")
    pad = page.locator("#pad")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    page.touchscreen.tap(box["x"] + 0.1 * box["width"], box["y"] + 0.1 * box["height"])
    page.get_by_text("Row 0, column 0").wait_for()
    context.close()


def test_what_scrolls_can_be_reached(scene, viewer, tmp_path):
    page = tmp_path / "page.html"
    run_program("report", scene.views, scene.json, "-o", page)
    shown = viewer(page, size=(700, 400))
    for key in "1234":
        shown.press(key)
        found = shown.page.evaluate("""() => [...document.querySelectorAll("*")].filter((e) => e.offsetParent &&
          e.scrollHeight > e.clientHeight + 4 && /auto|scroll/.test(getComputedStyle(e).overflowY) &&
          e.tabIndex < 0 && !e.querySelector("button, input, select, [tabindex]")).map((e) => e.id || e.className)""")
        assert found == [], found
