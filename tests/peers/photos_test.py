"""photos_test.py PROGRAM: photographs of a turned camera, written and checked with Pillow."""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from PIL import Image, ImageCms, ImageOps

PROGRAM = os.path.abspath(sys.argv.pop(1))
MAKE, ORIENTATION, EXPOSURE_DIRECTORY = 271, 274, 0x8769
EXPOSURE_TIME, SENSITIVITY = 33434, 34855


def exif(orientation):
    """Big endian, as many cameras write it: maker, orientation, and 1/125 s at ISO 200."""
    def entry(tag, kind, count, value):
        return struct.pack(">HHI", tag, kind, count) + value

    first = (struct.pack(">H", 3) + entry(MAKE, 2, 6, struct.pack(">I", 50)) +
             entry(ORIENTATION, 3, 1, struct.pack(">HH", orientation, 0)) +
             entry(EXPOSURE_DIRECTORY, 4, 1, struct.pack(">I", 56)) + struct.pack(">I", 0))
    exposure = (struct.pack(">H", 2) + entry(EXPOSURE_TIME, 5, 1, struct.pack(">I", 86)) +
                entry(SENSITIVITY, 3, 1, struct.pack(">HH", 200, 0)) + struct.pack(">I", 0) +
                struct.pack(">II", 1, 125))
    return b"Exif\0\0MM\0*" + struct.pack(">I", 8) + first + b"Canon\0" + exposure


class Photos(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="plenosr-photos-")
        self.addCleanup(self.folder.cleanup)

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def run_program(self, *words):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_every_orientation_is_that_of_pillow(self):
        y, x = np.mgrid[0:20, 0:30]
        stored = Image.fromarray(np.stack([8 * x, 12 * y, x + y], axis=2).astype(np.uint8))
        for orientation in range(1, 9):
            tags = Image.Exif()
            tags[ORIENTATION] = orientation
            for name in ("a.png", "a.tif"):
                stored.save(self.at(name), exif=tags)
                upright = ImageOps.exif_transpose(Image.open(self.at("a.png")))
                Image.fromarray(np.asarray(upright)).save(self.at("upright.png"))
                self.assertIn("PSNR inf", self.run_program("evaluate", self.at(name),
                                                           self.at("upright.png")))

    def test_a_burst_of_a_turned_camera_becomes_an_upright_photo(self):
        y, x = np.mgrid[0:60, 0:80]
        scene = np.stack([128 + 100 * np.sin(x / 5.0) * np.cos(y / 7.0), 3.0 * x, 4.0 * y], axis=2)
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        os.mkdir(self.at("burst"))
        for k in range(4):
            frame = scene[k // 2::2, k % 2::2].astype(np.uint8)
            turned = Image.fromarray(np.ascontiguousarray(np.rot90(frame)))
            turned.save(self.at("burst/%d.jpg" % k), quality=95, exif=exif(6), icc_profile=profile)
        for name in ("a.png", "a.tif", "a.jpg", "a.webp"):
            self.run_program("frames", self.at("burst"), "-o", self.at(name), "--iterations", "3",
                             "--quiet")
            picture = Image.open(self.at(name))
            picture.load()
            tags = picture.getexif()
            exposure = tags.get_ifd(EXPOSURE_DIRECTORY)
            self.assertEqual(picture.size, (80, 60))
            self.assertEqual(picture.info["icc_profile"], profile)
            self.assertEqual((tags[MAKE], tags[ORIENTATION]), ("Canon", 1))
            self.assertEqual((float(exposure[EXPOSURE_TIME]), exposure[SENSITIVITY]), (0.008, 200))
            error = np.asarray(picture).astype(float) - scene
            self.assertLess(np.sqrt(np.mean(error ** 2)), 20, name)


if __name__ == "__main__":
    unittest.main()
