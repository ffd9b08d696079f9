"""The case of ./dev test: a report opens from disk, and its views are the views."""
import numpy as np

from conftest import pixels_of, run_program, view_file


def test_a_lossless_report_shows_the_views_as_they_are(scene, viewer, tmp_path):
    page = tmp_path / "report.html"
    run_program("report", scene.views, scene.json, "-o", page, "--lossless")
    shown = viewer(page, tab="explore")
    assert shown.text("drawer") == "Drawn with WebGL2."
    row, col = 2, 2
    for key, down, right in (("ArrowUp", -1, 0), ("ArrowLeft", 0, -1), ("ArrowLeft", 0, -1), ("ArrowLeft", 0, -1),
                             ("ArrowDown", 1, 0), ("ArrowRight", 0, 1)):
        shown.press(key)
        row, col = min(max(row + down, 0), 4), min(max(col + right, 0), 4)
        assert shown.text("place") == f"Row {row}, column {col}"
        assert np.abs(shown.picture() - pixels_of(view_file(scene.views, row, col))).max() <= 1
