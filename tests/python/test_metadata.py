"""Results carry the metadata of their files."""
import struct

import numpy as np
import pytest

import plenosr as ps


def exif_of(make):
    """A block of EXIF tags with the maker of the camera."""
    make += b"\0"
    return (b"Exif\0\0II*\0" + struct.pack("<IHHHIII", 8, 1, 271, 2, len(make), 26, 0) + make)


@pytest.fixture
def photos(tmp_path, burst):
    """The frames of a burst as JPEG files of a camera."""
    files = []
    for frame in sorted(burst.glob("*.png")):
        files.append(tmp_path / f"{frame.stem}.jpg")
        ps.write_image(files[-1], ps.read_image(frame), quality=95)
        jpeg, block = files[-1].read_bytes(), exif_of(b"Canon of test")
        files[-1].write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:])
    return files


def tells_the_camera(file):
    return b"Canon of test" in file.read_bytes()


def test_save_carries_the_metadata_of_the_reference(photos, tmp_path):
    result = ps.frames(photos, scale=2, iterations=2)
    for name in ("a.png", "a.tif", "b.jpg"):
        result.save(tmp_path / name)
        assert tells_the_camera(tmp_path / name)
    in_memory = ps.frames([ps.read_image(p) for p in photos], scale=2, iterations=2)
    in_memory.save(tmp_path / "c.png")
    assert not tells_the_camera(tmp_path / "c.png")


def test_the_name_decides_the_format(photos, tmp_path):
    result = ps.frames(photos, scale=2, iterations=2)
    result.save(tmp_path / "a.exr")
    assert result.report["bits"] == "float"
    np.testing.assert_allclose(ps.read_image(tmp_path / "a.exr"), result.image, atol=1e-3)
    result.save(tmp_path / "good.webp", quality=90)
    result.save(tmp_path / "poor.webp", quality=10)
    assert (tmp_path / "poor.webp").stat().st_size < (tmp_path / "good.webp").stat().st_size
    assert result.report["bits"] == 8
    for words in ({"quality": 0}, {"quality": 101}):
        with pytest.raises(ValueError, match="from 1 to 100"):
            result.save(tmp_path / "c.jpg", **words)
    with pytest.raises(ValueError, match="quality is for names"):
        result.save(tmp_path / "c.png", quality=90)
    assert not (tmp_path / "c.jpg").exists() and not (tmp_path / "c.png").exists()
