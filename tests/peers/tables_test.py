"""tables_test.py PROGRAM: the figures of bench/tables.py are those of the program or of their definition."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

PROGRAM = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
import bm3d  # noqa: E402
import tables  # noqa: E402


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plenosr-tables-")
        self.addCleanup(folder.cleanup)
        self.at = lambda name: os.path.join(folder.name, name)

    def run_program(self, *words):
        subprocess.run([PROGRAM, *words, "--quiet"], check=True)

    def test_pictures_and_bicubic_are_those_of_the_program(self):
        self.run_program("synth", "-o", self.at("hr"), "--grid", "3", "--width", "64", "--height", "48")
        self.run_program("convert", self.at("hr"), self.at("hr.npy"))
        truth = tables.read_png(tables.centre_view(self.at("hr")))
        np.testing.assert_allclose(truth, np.load(self.at("hr.npy"))[1, 1].astype(float) @ tables.LUMA, atol=1e-9)
        for blur, phase in (("gaussian", 0), ("bicubic", 0.5)):
            low = self.at(blur)
            self.run_program("degrade", self.at("hr"), "-o", low, "--blur", blur)
            self.run_program("reconstruct", low, "-o", self.at("o.png"), "--truth", tables.centre_view(self.at("hr")),
                             "--border", "8", "--iterations", "1", "--json", self.at("o.json"))
            with open(self.at("o.json"), encoding="utf-8") as file:
                report = json.load(file)
            enlarged = tables.enlarged(tables.read_png(tables.centre_view(low)), 2, phase)
            self.assertAlmostEqual(tables.psnr(enlarged, truth, 8), report["psnr_bicubic"], delta=0.01)
            self.assertAlmostEqual(tables.psnr(tables.read_png(self.at("o.png")), truth, 8), report["psnr"], delta=1e-4)

    def test_counts_find_single_pixels(self):
        image = np.full((102, 102), 100.0)
        image[50, 50], image[20, 20], image[70, 30] = 111, 84, 83
        self.assertAlmostEqual(tables.isolated_extrema(image), 3)
        self.assertAlmostEqual(tables.median_deviations(image), 1)
        image[50, 51] = 111  # two equal neighbours are no isolated extremum
        self.assertAlmostEqual(tables.isolated_extrema(image), 2)

    def test_errors_are_told_apart_by_phase(self):
        truth, image = np.zeros((32, 32)), np.zeros((32, 32))
        image[0::2, 1::2] = 3
        self.assertEqual(tables.rms_by_phase(image, truth, 2, 3), [0, 3, 0, 0])

    def test_bm3d_removes_most_of_the_noise_of_a_smooth_picture(self):
        y, x = np.mgrid[:72, :90]
        truth = 128 + 60 * np.sin(x / 9) * np.cos(y / 11)
        noisy = truth + np.random.default_rng(3).normal(0, 10, truth.shape)
        self.assertLess(np.std(bm3d.denoised(noisy, 10) - truth), 2.8)  # measured: 2.59

    def test_finished_rows_are_not_measured_again(self):
        path, cases, seen = self.at("rows.csv"), [("a",), ("b",)], []

        def measure(name):
            seen.append(name)
            return {"psnr": 1.5}
        tables.Rows(path, True, ["name"], ["psnr"]).run(cases[:1], measure, 1)
        rows = tables.Rows(path, True, ["name"], ["psnr"])
        rows.run(cases, measure, 2)
        self.assertEqual(seen, ["a", "b"])
        self.assertEqual(rows.number(("a",), "psnr"), 1.5)


if __name__ == "__main__":
    unittest.main()
