"""Pictures of which the page shows one at a time: kept iterations, and super-resolved views."""
import numpy as np
import pytest
from PIL import Image

from conftest import pixels_of, run_program, view_file
from test_report import NO_WEBGL
from test_view import served


@pytest.fixture(scope="module")
def film(scene, tmp_path_factory):
    """A run of which every second iteration was kept: its JSON report and its pictures."""
    folder = tmp_path_factory.mktemp("film")
    run_program("reconstruct", scene.views, "-o", folder / "out.png", "--json", folder / "out.json", "--truth",
                view_file(scene.truth, 2, 2), "--keep-iterations", 2, "--iterations", 6, "--denoiser", "none",
                "--tolerance", 0, "--quiet")
    with Image.open(folder / "out.iterations.tif") as pages:
        pictures = []
        for k in range(pages.n_frames):
            pages.seek(k)
            pictures.append(np.asarray(pages.convert("RGB")).astype(int))
    return folder / "out.json", pictures


def middle(picture, size):
    y, x = ((a - b) // 2 for a, b in zip(picture.shape[:2], size))
    return picture[y:y + size[0], x:x + size[1]]


def film_is_driven(shown, pictures):
    """Buttons, keys and the slider, each checked by pixels."""
    def shows(k):
        return np.array_equal(middle(shown.picture(), pictures[k].shape), pictures[k])
    assert shown.text("film-value") == "6 of 6"
    shown.page.locator("#film").fill("1")
    shown.settle()
    assert shown.text("film-value") == "2 of 6" and shows(1)
    shown.page.locator("#film-on").click()
    shown.settle()
    assert shown.text("film-value") == "4 of 6" and shows(2)
    shown.press(",", ",")
    assert shown.text("film-value") == "0 of 6" and shows(0)
    shown.press("p")
    assert shown.text("film-play") == "Stop"
    shown.page.wait_for_function("() => document.getElementById('film-play').textContent === 'Play'")
    shown.settle()
    assert shown.text("film-value") == "6 of 6" and shows(3)


def test_the_film_of_a_report_plays(scene, film, viewer, tmp_path):
    json_file, pictures = film
    page = tmp_path / "report.html"
    run_program("report", scene.views, json_file, "-o", page, "--lossless")
    shown = viewer(page, tab="compare", mode="single", a=2, zoom=1)
    film_is_driven(shown, pictures)
    # The link restores it, and the readout has the figures of that iteration.
    shown.press(",")
    again = viewer(page)
    again.page.goto(shown.page.url)
    again.settle()
    assert again.text("film-value") == "4 of 6"
    assert "cost" in again.text("film-report") and "PSNR" in again.text("film-report")
    # It takes the place of A if it is not compared already, and changes with the rest of the page.
    shown.go(tab="compare", mode="difference", a=0, b=1, gain=0, zoom=1)
    shown.page.locator("#film").fill("0")
    shown.settle()
    first = shown.number("quality")
    shown.page.locator("#film").fill("2")
    shown.settle()
    assert shown.page.locator("#picture-a").input_value() == "2"
    assert shown.number("quality") > first + 1
    assert np.array_equal(middle(shown.picture(), pictures[2].shape), np.abs(pictures[2] - pixels_of(
        json_file.parent / "out.png")))


def test_the_film_plays_in_the_served_page(scene, film, viewer):
    json_file, pictures = film
    with served(scene.views, json_file, "--lossless") as server:
        shown = viewer(server.address, tab="compare", mode="single", a=2, zoom=1)
        film_is_driven(shown, pictures)


@pytest.fixture(scope="module")
def all_views(scene, tmp_path_factory):
    folder = tmp_path_factory.mktemp("all")
    run_program("reconstruct", scene.views, "-o", folder / "all", "--view", "all", "--iterations", 2, "--truth",
                scene.truth, "--report", folder / "page.html", "--json", folder / "all.json", "--quiet")
    return folder


def test_every_super_resolved_view_is_shown_and_refocused(scene, all_views, viewer, tmp_path):
    page = tmp_path / "report.html"
    run_program("report", scene.views, all_views / "all.json", "-o", page, "--lossless")
    shown = viewer(page, tab="compare", mode="single", a=1, b=0, zoom=1)
    for number, (row, col) in ((0, (0, 0)), (13, (2, 3))):
        shown.page.locator("#compare-view").select_option(str(number))
        shown.settle()
        expected = pixels_of(view_file(all_views / "all", row, col))
        assert np.array_equal(middle(shown.picture(), expected.shape), expected)
    # Explore shows the same view, and all of them refocused at twice the disparity of the input.
    shown.press("1")
    assert shown.text("place") == "Row 2, column 3"
    low = shown.picture()
    shown.page.locator("#focus").fill("0.25")
    shown.page.locator("#field-choice").select_option("2")
    shown.settle()
    assert np.abs(shown.picture() - pixels_of(view_file(all_views / "all", 2, 3))).max() <= 1
    assert shown.number("focus-value") == 0.5
    shown.press("ArrowLeft", "]", "]", "]")
    assert shown.text("place").startswith("Row 2, column 2, mean of 9 views")
    assert shown.picture().shape[0] == 2 * low.shape[0]
    link = shown.page.url
    again = viewer(page)
    again.page.goto(link)
    again.settle()
    assert np.array_equal(again.picture(), shown.picture())
    shown.page.locator("#field-choice").select_option("0")
    shown.settle()
    assert shown.picture().shape == low.shape and shown.number("focus-value") == 0.25


def test_without_webgl_fields_change_as_well(all_views, viewer):
    shown = viewer(all_views / "page.html", tab="explore", init=NO_WEBGL)
    shown.page.locator("#field-choice").select_option("2")
    shown.settle()
    assert shown.text("drawer") == "Drawn with 2D canvas."
    start = shown.number("focus-value")
    shown.press("+")
    step = shown.number("focus-value") - start
    shown.page.locator("#view").hover()
    shown.page.mouse.wheel(0, -100)
    shown.settle()
    assert shown.number("focus-value") == pytest.approx(start + 2 * step, rel=0.02)


def test_the_page_of_all_views_has_their_truth_and_their_figures(scene, all_views, viewer):
    shown = viewer(all_views / "page.html", tab="compare")
    assert shown.page.locator("#picture-a option").all_inner_texts() == ["bicubic ×2", "all", "truth", "views, as they are"]
    shown.press("4")
    rows = shown.page.locator("#run table").first.locator("tr")
    assert rows.count() == 26
    assert shown.page.locator("#run").get_by_text("PSNR of bicubic").count() == 1
