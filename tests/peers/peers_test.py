"""peers_test.py PROGRAM: exchanges light fields between the program and Python's libraries.

Tests both directions for every encoding that a Python library supports. Integers must be equal.
Floats, which files store with 1 as white, must agree to a few units in the last place.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import scipy.io
import skimage.io

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROWS, COLS, HEIGHT, WIDTH = 3, 4, 10, 14


def views(dtype, channels=3):
    rng = np.random.default_rng(7)
    if np.issubdtype(dtype, np.floating):
        return rng.random((ROWS, COLS, HEIGHT, WIDTH, channels)).astype(dtype)
    top = np.iinfo(dtype).max
    return rng.integers(0, top, (ROWS, COLS, HEIGHT, WIDTH, channels), endpoint=True).astype(dtype)


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="plenosr-peers-")
        self.addCleanup(self.folder.cleanup)

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def convert(self, source, target, *options):
        done = subprocess.run([PROGRAM, "convert", source, target, "--quiet", *options],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def info(self, path, *options):
        done = subprocess.run([PROGRAM, "info", path, "--fast", "--json", "-", *options],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def expect_read(self, path, expected, *options):
        """Expects that the program reads `path` as `expected`; compares an NPY file that it writes."""
        self.convert(path, self.at("seen.npy"), *options)
        seen = np.load(self.at("seen.npy"))
        if expected.shape[-1] == 1:
            seen = seen[..., np.newaxis]
        self.assertEqual(seen.shape, expected.shape)
        if np.issubdtype(expected.dtype, np.floating):
            np.testing.assert_allclose(seen, expected.astype(np.float32), rtol=1e-6)
        else:
            self.assertEqual(seen.dtype, expected.dtype)
            np.testing.assert_array_equal(seen, expected)

    def written(self, array, name, *options):
        """The path of a file that the program wrote from `array`."""
        np.save(self.at("given.npy"), array)
        self.convert(self.at("given.npy"), self.at(name), *options)
        return self.at(name)

    def test_numpy_arrays_are_read(self):
        for dtype in (np.uint8, np.uint16, np.float32, np.float64):
            for channels in (1, 3) if dtype == np.uint8 else (3,):
                lf = views(dtype, channels)
                np.save(self.at("a.npy"), lf)
                self.expect_read(self.at("a.npy"), lf)
                np.save(self.at("f.npy"), np.asfortranarray(lf))
                self.expect_read(self.at("f.npy"), lf)
                np.save(self.at("b.npy"), lf.astype(lf.dtype.newbyteorder(">")))
                self.expect_read(self.at("b.npy"), lf)
                np.save(self.at("t.npy"), lf.transpose(0, 1, 4, 2, 3))
                self.expect_read(self.at("t.npy"), lf)

    def test_numpy_archives_are_read(self):
        lf = views(np.uint16)
        np.savez(self.at("a.npz"), depth=np.zeros((3, 3)), LF=lf)
        self.expect_read(self.at("a.npz"), lf)
        np.savez_compressed(self.at("c.npz"), something=lf)
        self.expect_read(self.at("c.npz"), lf)

    def test_scipy_mat_is_read(self):
        for compress in (False, True):
            for dtype in (np.uint8, np.float64):
                lf = views(dtype)
                scipy.io.savemat(self.at("a.mat"), {"scale": 2.0, "LF": lf},
                                 do_compression=compress)
                self.expect_read(self.at("a.mat"), lf)

    def test_h5py_files_are_read(self):
        lf = views(np.uint8)
        with h5py.File(self.at("a.h5"), "w") as file:
            file.create_dataset("LF", data=lf, compression="gzip")
        self.expect_read(self.at("a.h5"), lf)
        # HCI 2013: columns run from right to left; depth and camera are stored.
        depth = np.linspace(2, 5, ROWS * COLS * HEIGHT * WIDTH, dtype=np.float32)
        depth = depth.reshape(ROWS, COLS, HEIGHT, WIDTH)
        with h5py.File(self.at("hci.h5"), "w") as file:
            file["LF"] = lf
            file["GT_DEPTH"] = depth
            file.attrs.update({"dH": 0.04, "focalLength": 90.0, "shift": 1.0, "camDistance": 3})
        self.convert(self.at("hci.h5"), self.at("hci.npy"), "--disparity", self.at("d.npy"))
        np.testing.assert_array_equal(np.load(self.at("hci.npy")), lf[:, ::-1])
        centre = depth[ROWS // 2, COLS - 1 - COLS // 2]
        np.testing.assert_allclose(np.load(self.at("d.npy")), 0.04 * 90 / centre - 1, rtol=1e-5,
                                   atol=1e-6)

    def test_matlab_7_3_is_read(self):
        lf = views(np.uint8)
        with h5py.File(self.at("a.mat"), "w", userblock_size=512) as file:
            file["LF"] = lf.transpose(4, 3, 2, 1, 0)
            file["LF"].attrs["MATLAB_class"] = np.bytes_("uint8")
        with open(self.at("a.mat"), "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, Platform: test".ljust(124) + b"\x00\x02IM")
        self.assertEqual(self.info(self.at("a.mat"))["format"], "mat")
        self.expect_read(self.at("a.mat"), lf)

    def test_scikit_image_pictures_are_read(self):
        lf = views(np.uint8)
        os.mkdir(self.at("folder"))
        for row in range(ROWS):
            for col in range(COLS):
                skimage.io.imsave(self.at(f"folder/{row}_{col}.png"), lf[row, col],
                                  check_contrast=False)
        self.expect_read(self.at("folder"), lf)
        sheet = lf.transpose(0, 2, 1, 3, 4).reshape(ROWS * HEIGHT, COLS * WIDTH, 3)
        for name in ("sheet.png", "sheet.tif", "sheet.ppm"):
            skimage.io.imsave(self.at(name), sheet, check_contrast=False)
            self.expect_read(self.at(name), lf, "--grid", f"{ROWS}x{COLS}", "--format", "mosaic")
        lenslets = lf.transpose(2, 0, 3, 1, 4).reshape(ROWS * HEIGHT, COLS * WIDTH, 3)
        skimage.io.imsave(self.at("eslf.png"), lenslets, check_contrast=False)
        self.expect_read(self.at("eslf.png"), lf, "--grid", f"{ROWS}x{COLS}", "--format", "eslf")

    def test_jpeg_is_read_as_scikit_image_reads_it(self):
        y, x = np.mgrid[0:40, 0:56]
        picture = np.stack([2 * x + y, 3 * y + 20, 255 - x - y], -1).astype(np.uint8)
        os.mkdir(self.at("jpeg"))
        for col in range(2):
            skimage.io.imsave(self.at(f"jpeg/0_{col}.jpg"), picture, quality=95,
                              check_contrast=False)
        self.convert(self.at("jpeg"), self.at("jpeg.npy"))
        seen = np.load(self.at("jpeg.npy"))[0, 0].astype(int)
        self.assertLessEqual(np.abs(seen - skimage.io.imread(self.at("jpeg/0_0.jpg"))).max(), 2)

    def test_numpy_reads_written_files(self):
        for dtype, bits in ((np.uint8, "8"), (np.uint16, "16"), (np.float32, "float")):
            lf = views(dtype)
            found = np.load(self.written(lf, "out.npy", "--bits", bits))
            self.assertEqual(found.dtype, dtype)
            np.testing.assert_allclose(found, lf, rtol=1e-6 if dtype == np.float32 else 0)

    def test_h5py_reads_written_files(self):
        lf = views(np.uint16)
        with h5py.File(self.written(lf, "out.h5"), "r") as file:
            np.testing.assert_array_equal(file["LF"][:], lf)
            self.assertEqual(file.attrs["hRes"], COLS)

    def test_scikit_image_reads_written_files(self):
        for dtype in (np.uint8, np.uint16):
            lf = views(dtype)
            sheet = lf.transpose(0, 2, 1, 3, 4).reshape(ROWS * HEIGHT, COLS * WIDTH, 3)
            # scikit-image cannot read 16-bit RGB PNG; grey is tested below.
            for name in ("out.png", "out.tif") if dtype == np.uint8 else ("out.tif",):
                found = skimage.io.imread(self.written(lf, name))
                self.assertEqual(found.dtype, dtype)
                np.testing.assert_array_equal(found, sheet)
            lf = lf[..., :1]
            lenslets = lf.transpose(2, 0, 3, 1, 4).reshape(ROWS * HEIGHT, COLS * WIDTH)
            np.testing.assert_array_equal(
                skimage.io.imread(self.written(lf, "eslf.png", "--to", "eslf")), lenslets)
        lf = views(np.float32)
        sheet = lf.transpose(0, 2, 1, 3, 4).reshape(ROWS * HEIGHT, COLS * WIDTH, 3)
        found = skimage.io.imread(self.written(lf, "float.tif", "--bits", "float"))
        np.testing.assert_allclose(found, sheet, rtol=1e-6)
        lf = views(np.uint8)
        folder = self.written(lf, "folder", "--names", "SAI_{row:2}_{col:2}.png")
        np.testing.assert_array_equal(skimage.io.imread(folder + "/SAI_02_03.png"), lf[2, 3])

    def test_disparity_maps_are_exchanged(self):
        lf = views(np.uint8)
        os.mkdir(self.at("lf"))
        d = np.linspace(-1.5, 2, HEIGHT * WIDTH, dtype=np.float32).reshape(HEIGHT, WIDTH)
        for row in range(ROWS):
            for col in range(COLS):
                skimage.io.imsave(self.at(f"lf/lf_{row + 1}_{col + 1}.png"), lf[row, col],
                                  check_contrast=False)
                np.save(self.at(f"lf/disparity_{row + 1}_{col + 1}.npy"),
                        (d + row + 10 * col).astype(np.float64))
        self.convert(self.at("lf"), self.at("out.h5"), "--disparity", self.at("d.png"))
        centre = d + ROWS // 2 + 10 * (COLS // 2)
        with h5py.File(self.at("out.h5"), "r") as file:
            np.testing.assert_allclose(file["disparity"][:], centre, rtol=1e-6)
            np.testing.assert_allclose(file["view_disparity"][1, 3], d + 1 + 30, rtol=1e-6)
        levels = skimage.io.imread(self.at("d.png"))
        self.assertEqual(levels.dtype, np.uint16)
        span = centre.max() - centre.min()
        np.testing.assert_allclose(centre.min() + levels / 65535 * span, centre, atol=span / 65535)


if __name__ == "__main__":
    unittest.main(verbosity=1)
