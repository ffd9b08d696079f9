"""What the page of `plenosr report` shows, driven by keys and clicks and checked by pixels and values."""
import json
import re
import shutil
import time

import numpy as np
import pytest
from PIL import Image

from conftest import pixels_of, run_program, view_file


@pytest.fixture(scope="module")
def report(scene, tmp_path_factory):
    page = tmp_path_factory.mktemp("report") / "report.html"
    run_program("report", scene.views, scene.json, "--truth", view_file(scene.truth, 2, 2), "-o", page, "--lossless")
    return page


def sharpness(picture):
    inner = picture[16:-16, 16:-16].mean(axis=2)
    # Squares: blur keeps the sum of the steps at an edge.
    return (np.diff(inner, axis=1) ** 2).mean() + (np.diff(inner, axis=0) ** 2).mean()


def refocused(shown, focus, aperture=9):
    shown.go(tab="explore", aperture=aperture, focus=focus)
    return shown.picture()


# Whole disparities: between pixels the bilinear interpolation blurs about as much as a small error.
@pytest.mark.parametrize("with_map, truth", [(True, 1), (False, -1)])
def test_refocusing_is_sharpest_at_the_true_disparity(with_map, truth, viewer, tmp_path):
    views = tmp_path / "views"
    run_program("synth", "-o", views, "--scene", "flat", "--disparity", truth, "--grid", 5, "--width", 160, "--height",
                120, "--quiet")
    if not with_map:
        for file in views.glob("*.pfm"):
            file.unlink()
    page = tmp_path / "report.html"
    run_program("report", views, "-o", page)
    shown = viewer(page)
    focuses = truth + np.array([-0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.5])
    best = max(focuses, key=lambda focus: sharpness(refocused(shown, focus)))
    assert best == truth
    # A click finds it: from the map, or by matching.
    shown.go(tab="explore", focus=0)
    box = shown.page.locator("#view").bounding_box()
    shown.page.mouse.click(box["x"] + 0.55 * box["width"], box["y"] + 0.45 * box["height"])
    shown.settle()
    assert shown.number("focus-value") == pytest.approx(truth, abs=0.05)
    assert shown.page.locator("#view").get_attribute("data-views") == "25/25"


def test_the_wheel_moves_the_focus_and_keys_the_aperture(report, viewer):
    shown = viewer(report, tab="explore")
    before = shown.number("focus-value")
    shown.page.locator("#view").hover()
    shown.page.mouse.wheel(0, -100)
    shown.settle()
    assert shown.number("focus-value") > before
    shown.press("0")
    assert shown.text("aperture-value") == "one view"
    shown.press("]", "]", "[")
    assert shown.number("aperture-value") == 0.5


def test_dragging_moves_the_viewpoint(report, scene, viewer):
    shown = viewer(report, tab="explore")
    box = shown.page.locator("#view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x + box["width"] / 8, y, steps=4)  # a quarter of the half: one view
    shown.page.mouse.up()
    shown.settle()
    assert shown.text("place") == "Row 2, column 1"
    assert np.abs(shown.picture() - pixels_of(view_file(scene.views, 2, 1))).max() <= 1


def test_the_epipolar_plane_has_the_line_under_the_cursor(report, scene, viewer):
    shown = viewer(report, tab="explore")
    box = shown.page.locator("#view").bounding_box()
    height, width = pixels_of(view_file(scene.views, 0, 0)).shape[:2]
    shown.page.mouse.move(box["x"] + (20 + 0.5) / width * box["width"], box["y"] + (13 + 0.5) / height * box["height"])
    shown.settle()
    views = [pixels_of(view_file(scene.views, 2, col)) for col in range(5)]
    assert np.array_equal(shown.canvas("epi"), np.stack([view[13] for view in views]))
    shown.page.locator("#axis-column").click()
    shown.page.locator("#line").fill("20")
    shown.settle()
    views = [pixels_of(view_file(scene.views, row, 2)) for row in range(5)]
    assert np.array_equal(shown.canvas("epi"), np.stack([view[:, 20] for view in views]))


def bicubic_and_result(shown):
    shown.go(tab="compare", mode="single", a=0, b=1, zoom=1)
    return shown.picture()


def test_the_slider_divides_two_pictures(report, scene, viewer):
    shown = viewer(report, tab="compare", a=1, b=2, zoom=1)
    result, truth = pixels_of(scene.result), pixels_of(view_file(scene.truth, 2, 2))
    box = shown.page.locator("#pictures").bounding_box()
    y = box["y"] + 0.7 * box["height"]
    shown.page.mouse.move(box["x"] + box["width"] / 2, y)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + box["width"] / 2 + 30, y, steps=3)
    shown.page.mouse.up()
    shown.settle()
    picture = shown.picture()
    left, top = ((a - b) / 2 for a, b in zip(picture.shape[1::-1], result.shape[1::-1]))
    at = picture.shape[1] // 2 + 30
    rows = slice(round(top) + 10, round(top) + 30)  # above the handle
    drawn = picture[rows]
    x0 = round(left)
    share = at - x0
    assert np.array_equal(drawn[:, x0 + 2:at - 3], result[10:30, 2:share - 3])
    assert np.array_equal(drawn[:, at + 3:x0 + result.shape[1]], truth[10:30, share + 3:])


def test_f_swaps_the_pictures_in_place(report, scene, viewer):
    shown = viewer(report, tab="compare", a=1, b=2, zoom=1)
    result, truth = pixels_of(scene.result), pixels_of(view_file(scene.truth, 2, 2))
    shown.press("f")
    first = shown.picture()
    shown.press("f")
    second = shown.picture()
    height, width = result.shape[:2]
    y, x = round((first.shape[0] - height) / 2), round((first.shape[1] - width) / 2)
    assert np.array_equal(first[y:y + height, x:x + width], truth)
    assert np.array_equal(second[y:y + height, x:x + width], result)


def test_the_difference_is_the_difference(report, scene, viewer):
    shown = viewer(report, tab="compare", a=1, b=2, zoom=1, gain=1)
    shown.press("d")
    result, truth = pixels_of(scene.result), pixels_of(view_file(scene.truth, 2, 2))
    expected = np.minimum(2 * np.abs(result - truth), 255)
    picture = shown.picture()
    height, width = result.shape[:2]
    y, x = round((picture.shape[0] - height) / 2), round((picture.shape[1] - width) / 2)
    assert np.array_equal(picture[y:y + height, x:x + width], expected)
    psnr = 10 * np.log10(255 ** 2 / np.mean((result - truth) ** 2.0))
    assert shown.number("quality") == pytest.approx(psnr, abs=0.006)


def test_zoom_is_linked_down_to_single_pixels(report, scene, viewer):
    shown = viewer(report, tab="compare")
    shown.page.locator("#mode-side").click()
    shown.page.locator("#zoom-one").click()
    for _ in range(4):
        shown.page.locator("#zoom-in").click()
    shown.settle()
    assert shown.number("zoom-value") == 16
    picture = shown.picture()
    result, truth = pixels_of(scene.result), pixels_of(view_file(scene.truth, 2, 2))
    height, width = result.shape[:2]
    # Four panes: bicubic, result, truth, view. Each shows its middle in its own middle.
    pane_height, pane_width = picture.shape[0] // 2, picture.shape[1] // 2
    middles = {1: result, 2: truth}
    for pane, image in middles.items():
        cy, cx = pane // 2 * pane_height + pane_height / 2, pane % 2 * pane_width + pane_width / 2
        for dy, dx in ((-3, 2), (0, 0), (4, -5)):
            at = picture[int(cy + 16 * dy + 8), int(cx + 16 * dx + 8)]
            assert np.array_equal(at, image[height // 2 + dy, width // 2 + dx]), (pane, dy, dx)


def test_points_have_the_disparity_and_the_colours(report, scene, viewer):
    shown = viewer(report, tab="maps")
    lines = shown.saved("ply").decode().splitlines()
    header, values = lines[:lines.index("end_header")], lines[lines.index("end_header") + 1:]
    reduced = pixels_of(view_file(scene.views, 2, 2))
    height, width = reduced.shape[:2]
    assert f"element vertex {width * height}" in header and len(values) == width * height
    table = np.array([[float(word) for word in line.split()] for line in values])
    raw = (scene.views / "gt_disp_lowres.pfm").read_bytes()
    stored = np.frombuffer(raw[-4 * width * height:], "<f4").reshape(height, width)[::-1]
    found = np.zeros((height, width))
    ys, xs = height - 1 - table[:, 1].astype(int), table[:, 0].astype(int)
    found[ys, xs] = table[:, 6]
    assert np.array_equal(found.astype(np.float32), stored)
    assert np.array_equal(table[:, 3:6].astype(int), reduced[ys, xs])
    low = stored.min()
    factor = float(re.search(r"z = (\S+)", "\n".join(header))[1])
    assert np.allclose(table[:, 2], factor * (table[:, 6] - low), atol=0.01)


def test_plots_tell_the_values_of_the_report(report, scene, viewer):
    shown = viewer(report, tab="runs")
    plot = shown.page.locator("figure", has_text="PSNR").first
    plot.scroll_into_view_if_needed()
    box = plot.locator("svg").bounding_box()
    rows = scene.report["iterations"]
    at = rows[len(rows) // 2]
    x = 52 + at["iteration"] / rows[-1]["iteration"] * (420 - 52 - 12)
    shown.page.mouse.move(box["x"] + x / 420 * box["width"], box["y"] + box["height"] / 2)
    text = plot.locator("output").inner_text()
    assert text.startswith(f"iteration {at['iteration']}:")
    assert float(re.search(r"PSNR (\S+)", text)[1]) == pytest.approx(at["psnr"], abs=0.006)
    cards = shown.page.locator(".cards").inner_text()
    assert f"{scene.report['psnr']:.2f} dB" in cards
    sentences = shown.page.locator(".text", has_text="What was estimated").inner_text()
    for sentence in scene.report["explanation"]:
        assert " ".join(sentence.split()) in " ".join(sentences.split())


def test_a_link_restores_the_state(report, viewer):
    shown = viewer(report, tab="explore")
    shown.press("ArrowLeft", "ArrowUp", "]", "+", "2", "d")
    link = shown.page.url
    again = viewer(report)
    again.page.goto(link)
    again.settle()
    assert again.page.locator("#tab-compare").get_attribute("aria-selected") == "true"
    assert again.page.locator("#mode-difference").get_attribute("aria-checked") == "true"
    again.press("1")
    shown.press("1")
    for name in ("place", "aperture-value", "focus-value"):
        assert again.text(name) == shown.text(name)
    assert again.text("place").startswith("Row 1, column 1")


def test_links_that_are_spoiled_do_no_harm(report, viewer):
    for link in ("tab=%3Cscript%3E&a=999&b=-4&zoom=NaN&mode=x&map=1e99", "row=1e9&col=-1e9&aperture=-3&line=99999",
                 "a=&x=Infinity&__proto__=1&constructor=2", "%%%&&&=="):
        shown = viewer(report)
        shown.page.goto(shown.url + "#" + link)
        for key in "1234":
            shown.press(key)


HOSTILE = "<script>alert(1)</script>\"'&amp;ü"


def test_hostile_names_are_text(scene, viewer, tmp_path):
    folder = tmp_path / HOSTILE.replace("/", "_")
    shutil.copytree(scene.views, folder)
    picture = tmp_path / "<img src=x onerror=alert(2)>.png"
    shutil.copy(scene.result, picture)
    text = "</script><script>alert(3)</script><!--"
    spoiled = dict(scene.report, output=str(picture), notes=[text], explanation=[text, {"a": text}, None, 7],
                   iterations=[{"cost": text}, None, 5], options={text: text}, chosen="x", warnings=[text],
                   seconds_by_stage={text: 1.5}, range=5, frames="x", psnr=text)
    report = tmp_path / "spoiled.json"
    report.write_text(json.dumps(spoiled))
    page = tmp_path / "report.html"
    run_program("report", folder, report, "-o", page)
    shown = viewer(page)
    assert shown.text("title") == folder.name
    assert picture.name in shown.page.locator("#picture-b").inner_text()
    for key in "1234":
        shown.press(key)
    assert text in shown.page.locator(".warning").inner_text()
    assert shown.page.locator("#run script, #run img").count() == 0


NO_WEBGL = """const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind === "webgl2" ? null : get.call(this, kind, ...rest); };"""


def test_without_webgl_the_pictures_are_the_same(report, viewer):
    with_gl = viewer(report, tab="explore")
    without = viewer(report, tab="explore", init=NO_WEBGL)
    assert without.text("drawer") == "Drawn with 2D canvas."
    assert "no WebGL2" in without.text("message")
    assert np.array_equal(with_gl.picture(), without.picture())
    assert np.abs(refocused(with_gl, 0.37, 1.4) - refocused(without, 0.37, 1.4)).max() <= 2


FEW_LAYERS = """const get = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (name) {
  return name === this.MAX_ARRAY_TEXTURE_LAYERS ? 4 : name === this.MAX_TEXTURE_SIZE ? 256 : get.call(this, name); };"""


def test_views_share_layers_where_these_are_few(report, scene, viewer):
    shown = viewer(report, tab="explore", init=FEW_LAYERS)
    assert shown.text("drawer") == "Drawn with WebGL2." and shown.text("message") == ""
    for row, col in ((0, 0), (1, 3), (4, 4)):
        shown.go(tab="explore", row=row, col=col)
        assert np.abs(shown.picture() - pixels_of(view_file(scene.views, row, col))).max() <= 1
    usual = viewer(report)
    assert np.abs(refocused(shown, 0.4) - refocused(usual, 0.4)).max() <= 1


COUNT_READS = """const source = WebGL2RenderingContext.prototype.shaderSource;
window.reads = []; window.counts = [];
WebGL2RenderingContext.prototype.shaderSource = function (shader, text) {
  window.reads.push((text.match(/texture(Lod|Grad|Proj)?\\(|texelFetch\\(/g) || []).length);
  return source.call(this, shader, text); };
const one = WebGL2RenderingContext.prototype.uniform1i;
WebGL2RenderingContext.prototype.uniform1i = function (place, value) {
  window.counts.push(value); return one.call(this, place, value); };"""


def test_refocusing_reads_each_view_once_per_pixel(report, viewer):
    shown = viewer(report, tab="explore", init=COUNT_READS, aperture=9)
    # One read in the loop, which runs once per view within the aperture.
    assert shown.page.evaluate("window.reads") == [0, 1]
    assert max(shown.page.evaluate("window.counts")) == 25


def test_odd_sizes_missing_views_and_single_rows(scene, viewer, tmp_path):
    some = tmp_path / "some"
    some.mkdir()
    for row, col in ((0, 0), (0, 2), (1, 1), (2, 2)):
        Image.fromarray(pixels_of(view_file(scene.views, row, col))[:37, :53].astype(np.uint8)).save(
            some / f"{row}_{col}.png")
    page = tmp_path / "some.html"
    run_program("report", some, "-o", page, "--lossless")
    shown = viewer(page)
    assert shown.text("place") == "Row 1, column 1"
    shown.press("ArrowUp")
    assert shown.text("place") in ("Row 0, column 0", "Row 0, column 2")
    assert shown.picture().shape == (37, 53, 3)
    one = tmp_path / "row"
    one.mkdir()
    for col in range(3):
        shutil.copy(view_file(scene.views, 2, col), one / f"0_{col}.png")
    run_program("report", one, "-o", page)
    shown = viewer(page)
    shown.press("ArrowRight", "ArrowDown")
    assert shown.text("place") == "Row 0, column 2"
    assert np.abs(refocused(shown, 0.5) - refocused(shown, 0)).max() > 5


def to_light(value):
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def from_light(value):
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)


@pytest.mark.parametrize("kind", ["16 bits", "floats"])
def test_exposure_shows_what_lies_beyond_white(kind, viewer, tmp_path):
    rng = np.random.default_rng(3)
    values = rng.uniform(0, 1 if kind == "16 bits" else 6, (2, 2, 40, 60)).astype(np.float32)  # 1 is white
    if kind == "16 bits":
        values = np.round(values * 65535).astype(np.uint16)
    np.save(tmp_path / "lf.npy", values)
    page = tmp_path / "report.html"
    run_program("report", tmp_path / "lf.npy", "-o", page, "--lossless")
    shown = viewer(page, tab="explore")
    place = shown.text("place")
    row, col = (int(n) for n in re.findall(r"\d+", place))
    view = values[row, col] / (65535 if kind == "16 bits" else 1)
    for stops in (0, -2):
        shown.page.locator("#exposure").fill(str(stops))
        shown.settle()
        expected = view if stops == 0 else from_light(to_light(view) * 2.0 ** stops)
        expected = np.clip(255 * expected, 0, 255)[:, :, None]
        assert np.abs(shown.picture() - expected).max() <= 1.5, stops


def contrast(a, b):
    def luminance(colour):
        return to_light(np.array(colour) / 255) @ [0.2126, 0.7152, 0.0722]
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def colours(page, selector):
    def numbers(text):
        return [float(n) for n in re.findall(r"[\d.]+", text)[:3]]
    ink = page.locator(selector).first.evaluate("(e) => getComputedStyle(e).color")
    ground = page.locator(selector).first.evaluate(
        "(e) => { while (e && /rgba.*, 0\\)/.test(getComputedStyle(e).backgroundColor)) e = e.parentElement; "
        "return getComputedStyle(e || document.body).backgroundColor; }")
    return numbers(ink), numbers(ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_and_controls_have_names(report, viewer, scheme):
    shown = viewer(report, scheme=scheme)
    for key, selectors in (("1", ["#title", "#subtitle", ".hint", "#tab-explore", "#tab-maps", "#aperture-value"]),
                           ("2", ["#zoom-value", "#mode-slider", "#mode-side"]),
                           ("4", [".card b", ".card span", ".text li", ".plot output"])):
        shown.press(key)
        for selector in selectors:
            assert contrast(*colours(shown.page, selector)) >= 4.5, selector
    nameless = shown.page.evaluate("""() => [...document.querySelectorAll("button, input, select, canvas[tabindex]")]
      .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).map((e) => e.id)""")
    assert nameless == []


def test_the_keyboard_alone_reaches_everything(report, viewer):
    shown = viewer(report, tab="explore")
    reached = set()
    for _ in range(40):
        shown.page.keyboard.press("Tab")
        reached.add(shown.page.evaluate("() => document.activeElement.id"))
    assert {"tab-explore", "save", "link", "theme", "help", "view", "aperture", "focus", "axis-row", "line",
            "exposure", "explore-reset"} <= reached
    shown.page.locator("#tab-explore").focus()
    shown.press("ArrowRight")
    assert shown.page.evaluate("() => document.activeElement.id") == "tab-compare"
    shown.press("?")
    assert shown.page.locator("#keys").is_visible()
    shown.press("Escape")
    assert not shown.page.locator("#keys").is_visible()


@pytest.mark.parametrize("tab", ["explore", "compare", "maps", "runs"])
def test_nothing_is_wider_than_a_phone(report, viewer, tab):
    shown = viewer(report, size=(360, 740), tab=tab)
    assert shown.page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_a_light_field_of_usual_size_is_small_and_opens_at_once(viewer, tmp_path):
    run_program("synth", "-o", tmp_path / "lf", "--scene", "random", "--seed", 3, "--grid", 5, "--width", 1024,
                "--height", 1024, "--quiet")
    run_program("degrade", tmp_path / "lf", "-o", tmp_path / "noisy", "--scale", 2, "--gaussian", 5, "--seed", 1,
                "--colour", "rgb", "--quiet")
    page = tmp_path / "report.html"
    run_program("report", tmp_path / "noisy", "-o", page)
    assert page.stat().st_size <= 6e6
    shown = viewer(page)
    start = time.monotonic()
    shown.page.goto("about:blank")
    shown.page.goto(shown.url, wait_until="commit")
    shown.page.wait_for_function("() => document.getElementById('view')?.dataset.views === '1/1'")
    assert time.monotonic() - start < 3  # below 1 s on a machine that does nothing else
