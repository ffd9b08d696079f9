"""Small valid inputs of every format, as bytes. Pictures are written by hand, so that only numpy,
h5py and scipy are required."""
import base64
import io
import json
import struct
import zipfile
import zlib

import h5py
import numpy as np
import scipy.io

ROWS, COLS, HEIGHT, WIDTH = 3, 3, 12, 16

JPEG_GREY = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVG"
    "ZIhlbXd7gYKBTmCNl4x9lnN+gXz/wAALCAAMABABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAgQF/8QAHxAAAQMFAAMA"
    "AAAAAAAAAAAAAgEDBAAFERITMUFR/9oACAEBAAA/ACt7KKvBBynimNsG6J1Jce6pagR3muhhkvtZ0qU7EPRktUr/2Q=="
)
JPEG_RGB = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1td"
    "hbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk"
    "pKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAMABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAwIE/8QAFAEB"
    "AAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEAMQAAABhEzH/8QAGBABAAMBAAAAAAAAAAAAAAAAAQACERL/2gAIAQEAAQUC"
    "6SAWgGXcf//EABURAQEAAAAAAAAAAAAAAAAAADEA/9oACAEDAQE/AVv/xAAXEQADAQAAAAAAAAAAAAAAAAAAASEy/9oA"
    "CAECAQE/AVcn/8QAFhAAAwAAAAAAAAAAAAAAAAAAABAh/9oACAEBAAY/Aiv/xAAXEAEBAQEAAAAAAAAAAAAAAAABABEh"
    "/9oACAEBAAE/IVmEJsdrJOF//9oADAMBAAIAAwAAABDj/8QAFxEAAwEAAAAAAAAAAAAAAAAAAAExQf/aAAgBAwEBPxBY"
    "g//EABgRAQADAQAAAAAAAAAAAAAAAAEAESFR/9oACAECAQE/EEOsvZ//xAAXEAEBAQEAAAAAAAAAAAAAAAARAAEh/9oA"
    "CAEBAAE/EDlpODshLYBsy//Z"
)


def picture(shift=0.0, channels=1):
    """A texture in [0, 1], moved by `shift` pixels: [y, x] or [y, x, channel]."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    grey = 0.5 + 0.4 * np.sin((x - shift) / 2.0) * np.cos((y + shift) / 3.0)
    if channels == 1:
        return grey
    return np.stack([grey, grey[::-1], 1 - grey], axis=2)


def views(channels=1):
    return [[picture(0.5 * (row + col), channels) for col in range(COLS)] for row in range(ROWS)]


def as_type(values, dtype):
    if np.issubdtype(dtype, np.floating):
        return np.ascontiguousarray(values, dtype=dtype)
    return np.round(values * np.iinfo(dtype).max).astype(dtype)


def channels_of(pixels):
    return 1 if pixels.ndim == 2 else pixels.shape[2]


# ---- pictures ------------------------------------------------------------------------------------
def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels, note=None):
    depth = pixels.dtype.itemsize * 8
    colour = 0 if channels_of(pixels) == 1 else 2
    head = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], depth, colour, 0, 0, 0)
    rows = pixels.astype(pixels.dtype.newbyteorder(">")).reshape(pixels.shape[0], -1)
    data = b"".join(b"\0" + row.tobytes() for row in rows)
    text = png_chunk(b"tEXt", b"Description\0" + note) if note else b""
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", head) + text +
            png_chunk(b"IDAT", zlib.compress(data)) + png_chunk(b"IEND", b""))


def exif(order="<", orientation=6):
    """Tags as a camera writes them: a first directory and that of the exposure."""
    def entry(tag, kind, count, value):
        return struct.pack(order + "HHI", tag, kind, count) + value

    def place(value):
        return struct.pack(order + "I", value)

    first = (struct.pack(order + "H", 4) + entry(271, 2, 6, place(62)) +
             entry(272, 2, 4, b"EOS\0") +
             entry(274, 3, 1, struct.pack(order + "HH", orientation, 0)) +
             entry(34665, 4, 1, place(68)) + place(0))
    exposure = (struct.pack(order + "H", 3) + entry(33434, 5, 1, place(110)) +
                entry(34855, 3, 1, struct.pack(order + "HH", 200, 0)) +
                entry(37380, 10, 1, place(118)) + place(0) +
                struct.pack(order + "IIii", 1, 125, -1, 3))
    return ((b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8) + first +
            b"Canon\0" + exposure)


def profile(size=300):
    """A colour profile as far as it is checked."""
    data = bytearray(struct.pack(">I", size) + b"p" * (size - 4))
    data[16:20], data[36:40] = b"RGB ", b"acsp"
    return bytes(data)


def camera_jpeg(data):
    segments = b""
    for kind, content in ((b"\xff\xe1", b"Exif\0\0" + exif(">")),
                          (b"\xff\xe2", b"ICC_PROFILE\0\1\1" + profile())):
        segments += kind + struct.pack(">H", len(content) + 2) + content
    return data[:2] + segments + data[2:]


def camera_png(data):
    name = b"p\0\0" + zlib.compress(profile())
    return data[:33] + png_chunk(b"iCCP", name) + png_chunk(b"eXIf", exif()) + data[33:]


def camera_tiff(pixels):
    """A directory of its own with orientation, maker, profile and exposure."""
    plain = bytearray(tiff([pixels]))
    first = struct.unpack_from("<I", plain, 4)[0]
    count = struct.unpack_from("<H", plain, first)[0]
    entries = [bytes(plain[first + 2 + 12 * i:first + 14 + 12 * i]) for i in range(count)]
    extra = len(plain)
    exposure = struct.pack("<HHHIHHI", 1, 34855, 3, 1, 200, 0, 0)
    plain += b"Canon\0" + exposure + profile()
    entries += [struct.pack("<HHII", 271, 2, 6, extra), struct.pack("<HHIHH", 274, 3, 1, 6, 0),
                struct.pack("<HHII", 34665, 4, 1, extra + 6),
                struct.pack("<HHII", 34675, 7, 300, extra + 6 + len(exposure))]
    entries.sort(key=lambda entry: struct.unpack_from("<H", entry)[0])
    plain += b"\0" * (len(plain) % 2)
    struct.pack_into("<I", plain, 4, len(plain))
    return bytes(plain + struct.pack("<H", len(entries)) + b"".join(entries) + b"\0" * 4)


def tiff(pages, compressed=False, order="<"):
    out = bytearray((b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 0))
    link = 4
    for pixels in pages:
        data = pixels.astype(pixels.dtype.newbyteorder(order)).tobytes()
        if compressed:
            data = zlib.compress(data)
        at = len(out)
        out += data + b"\0" * (len(data) % 2)
        n = channels_of(pixels)
        bits = pixels.dtype.itemsize * 8
        sample = 3 if np.issubdtype(pixels.dtype, np.floating) else 1
        arrays = len(out)
        out += struct.pack(order + "%dH" % (2 * n), *([bits] * n + [sample] * n))
        inline = n == 1
        entries = [
            (256, 4, 1, pixels.shape[1]), (257, 4, 1, pixels.shape[0]),
            (258, 3, n, bits if inline else arrays), (259, 3, 1, 8 if compressed else 1),
            (262, 3, 1, 1 if n == 1 else 2), (273, 4, 1, at), (277, 3, 1, n),
            (278, 4, 1, pixels.shape[0]), (279, 4, 1, len(data)), (284, 3, 1, 1),
            (339, 3, n, sample if inline else arrays + 2 * n)]
        struct.pack_into(order + "I", out, link, len(out))
        out += struct.pack(order + "H", len(entries))
        for tag, kind, count, value in entries:
            short = kind == 3 and count == 1
            out += struct.pack(order + ("HHIHH" if short else "HHII"),
                               *((tag, kind, count, value, 0) if short else
                                 (tag, kind, count, value)))
        link = len(out)
        out += struct.pack(order + "I", 0)
    return bytes(out)


def exr(pixels, compression=0):
    """Scan lines of 32-bit floats; compression 0 is none, 2 one deflated line, 3 16 lines."""
    n = channels_of(pixels)
    names = {1: "Y", 2: "XY", 3: "BGR"}[n]  # in the order of the alphabet
    planes = [pixels] if n == 1 else [pixels[:, :, i] for i in range(n)][::-1 if n == 3 else 1]
    height, width = pixels.shape[:2]

    def attribute(name, kind, value):
        return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value

    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    channels = b"".join(c.encode() + b"\0" + struct.pack("<iB3xii", 2, 0, 1, 1) for c in names)
    head = (b"\x76\x2f\x31\x01" + struct.pack("<I", 2) +
            attribute(b"channels", b"chlist", channels + b"\0") +
            attribute(b"compression", b"compression", bytes([compression])) +
            attribute(b"dataWindow", b"box2i", window) +
            attribute(b"displayWindow", b"box2i", window) +
            attribute(b"lineOrder", b"lineOrder", b"\0") +
            attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1)) +
            attribute(b"screenWindowCenter", b"v2f", struct.pack("<2f", 0, 0)) +
            attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + b"\0")
    lines = 16 if compression == 3 else 1
    blocks = []
    for first in range(0, height, lines):
        raw = b"".join(plane[y].astype("<f4").tobytes()
                       for y in range(first, min(first + lines, height)) for plane in planes)
        data = raw
        if compression:  # halves of the bytes apart, then differences
            split = np.frombuffer(raw[0::2] + raw[1::2], np.uint8).astype(int)
            step = np.diff(split) + 128
            data = zlib.compress(bytes([split[0]]) + (step % 256).astype(np.uint8).tobytes())
            data = data if len(data) < len(raw) else raw
        blocks.append(struct.pack("<ii", first, len(data)) + data)
    at = len(head) + 8 * len(blocks)
    table = b""
    for block in blocks:
        table += struct.pack("<Q", at)
        at += len(block)
    return head + table + b"".join(blocks)


def pfm(pixels):
    kind = b"Pf" if channels_of(pixels) == 1 else b"PF"
    head = kind + b"\n%d %d\n-1.0\n" % (pixels.shape[1], pixels.shape[0])
    return head + pixels[::-1].astype("<f4").tobytes()


def pnm(pixels, ascii_form=False):
    grey = channels_of(pixels) == 1
    kind = {(True, True): b"P2", (False, True): b"P3", (True, False): b"P5",
            (False, False): b"P6"}[(grey, ascii_form)]
    top = np.iinfo(pixels.dtype).max
    head = kind + b"\n%d %d\n%d\n" % (pixels.shape[1], pixels.shape[0], top)
    if ascii_form:
        return head + b" ".join(b"%d" % v for v in pixels.reshape(-1)) + b"\n"
    return head + pixels.astype(pixels.dtype.newbyteorder(">")).tobytes()


def bmp(pixels):
    height, width = pixels.shape[:2]
    rows = b""
    for row in pixels[::-1]:
        line = row[:, ::-1].tobytes()
        rows += line + b"\0" * (-len(line) % 4)
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54) + head + rows


def pictures():
    """name -> bytes, of every kind of picture."""
    grey, rgb = picture(), picture(channels=3)
    byte, short = as_type(grey, np.uint8), as_type(grey, np.uint16)
    colour = as_type(rgb, np.uint8)
    floats, colour_floats = as_type(grey, np.float32), as_type(rgb, np.float32)
    return {
        "grey.png": png(byte), "rgb.png": png(colour), "deep.png": png(short),
        "grey.tif": tiff([byte]), "rgb.tif": tiff([colour], True), "float.tif": tiff([floats]),
        "big.tif": tiff([short], order=">"), "pages.tif": tiff([byte, byte, byte], True),
        "grey.exr": exr(floats), "rgb.exr": exr(colour_floats), "zip.exr": exr(colour_floats, 3),
        "zips.exr": exr(floats, 2), "grey.pfm": pfm(255 * floats),
        "rgb.pfm": pfm(255 * colour_floats), "grey.pgm": pnm(byte), "rgb.ppm": pnm(colour),
        "deep.pgm": pnm(short), "ascii.pgm": pnm(byte, True), "ascii.ppm": pnm(colour, True),
        "rgb.bmp": bmp(colour), "grey.jpg": base64.b64decode(JPEG_GREY),
        "rgb.jpg": base64.b64decode(JPEG_RGB), "camera.png": camera_png(png(colour)),
        "camera.jpg": camera_jpeg(base64.b64decode(JPEG_RGB)), "camera.tif": camera_tiff(colour)}


# ---- arrays and containers -----------------------------------------------------------------------
def npy(array, version=(1, 0)):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def npz(array, compressed=True):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as z:
        info = zipfile.ZipInfo("lf.npy")  # a fixed date: the bytes depend on the seed alone
        info.compress_type = z.compression
        z.writestr(info, npy(array))
    return out.getvalue()


def array(dtype=np.uint8, channels=1):
    return as_type(np.array(views(channels)), dtype)


def hdf5(build):
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        build(file)
    return out.getvalue()


def plain_hdf5(**storage):
    def build(file):
        file.create_dataset("LF", data=array(channels=3), **storage)
        file.create_dataset("disparity", data=np.full((HEIGHT, WIDTH), 0.5, np.float32))
    return hdf5(build)


def hci_2013():
    def build(file):
        file.create_dataset("LF", data=array(channels=3))
        file.create_dataset("GT_DEPTH", data=np.full((ROWS, COLS, HEIGHT, WIDTH), 2.0, np.float32))
        for name, value in (("dH", 0.1), ("focalLength", 10.0), ("shift", 0.0), ("hRes", COLS),
                            ("vRes", ROWS), ("xRes", WIDTH), ("yRes", HEIGHT)):
            file.attrs[name] = value
    return hdf5(build)


def basiclfsr():
    """5x5 views side by side, x before y, with their originals."""
    def build(file):
        low = picture().T.astype(np.float32)
        file.create_dataset("Lr_SAI_y", data=np.tile(low, (5, 5)), compression="gzip")
        file.create_dataset("Hr_SAI_y", data=np.tile(low.repeat(2, 0).repeat(2, 1), (5, 5)))
    return hdf5(build)


def mat(compressed):
    out = io.BytesIO()
    scipy.io.savemat(out, {"LF": array(channels=3)}, do_compression=compressed)
    return b"MATLAB 5.0 MAT-file, of a test".ljust(116) + out.getvalue()[116:]  # no date


def arrays():
    """name -> bytes, of light fields in one file."""
    transposed = np.asfortranarray(array(np.uint16))
    sheet = array().transpose(0, 2, 1, 3).reshape(ROWS * HEIGHT, COLS * WIDTH)
    return {
        "lf.npy": npy(array()), "float.npy": npy(array(np.float32, 3)), "v2.npy":
        npy(array(np.float64), (2, 0)), "fortran.npy": npy(transposed), "lf.npz": npz(array()),
        "stored.npz": npz(array(np.float32), False), "lf.h5": plain_hdf5(),
        "chunks.h5": plain_hdf5(chunks=(1, 1, HEIGHT, WIDTH, 3), compression="gzip", shuffle=True),
        "hci.h5": hci_2013(), "basiclfsr.h5": basiclfsr(), "lf.mat": mat(False),
        "small.mat": mat(True), "sheet.png": png(sheet)}


# ---- folders: name -> bytes of their files -------------------------------------------------------
MANIFEST = {"plenosr_light_field": 2, "format": "list", "pixels": "8-bit",
            "grid": {"first_row": 0, "first_col": 0, "rows": 3, "cols": 3},
            "degradation": {"scale": 2, "blur": "psf:kernel.pfm", "gaussian": 1, "impulse": 0,
                            "seed": 1, "colour": "luma", "source": "", "full_disparity": ""}}
CONFIG = """[intrinsics]
focal_length_mm = 100.0
image_resolution_x_px = 16
image_resolution_y_px = 12
sensor_size_mm = 35.0
fstop = 100.0

[extrinsics]
num_cams_x = 3
num_cams_y = 3
baseline_mm = 50.0
focus_distance_m = 2.0
center_cam_x_m = 0.0

[meta]
scene = "a scene"
disp_min = -1.5
disp_max = 1.5
"""
SHIFTS = "# dx dy\n0 0\n0.5 0.25\n-0.5, 0.125\n1e-1 -0.75\n"
MATRICES = ("1 0 0 0 1 0\n1 0.001 0.5 -0.001 1 0.25  # affine\n"
            "1 0 1\n0 1 -0.5\n1e-4 0 1\n2 0 1 0 2 -0.75 0 0 2\n")
PSF_GRID = {"plenosr_psf_grid": 1, "rows": 2, "cols": 2,
            "psfs": ["gaussian:1.5", "motion:3,30", "disc:1.2", "psf:kernel.pfm"]}


def kernel():
    y, x = np.mgrid[-2:3, -2:3]
    return np.exp(-(x * x + y * y) / 2.0).astype(np.float32)


def kernel_grid():
    return np.broadcast_to(kernel(), (2, 2, 5, 5)).astype(np.float32)


def disparity_map():
    return np.full((HEIGHT, WIDTH), 0.5, np.float32)


def hci_folder():
    files = {"input_Cam%03d.png" % (COLS * r + c): png(as_type(v, np.uint8))
             for r, row in enumerate(views()) for c, v in enumerate(row)}
    files["parameters.cfg"] = CONFIG.encode()
    files["gt_disp_lowres.pfm"] = pfm(disparity_map())
    return files


def manifest_folder():
    files = {"view_%04d.png" % (COLS * r + c): png(as_type(v, np.uint8))
             for r, row in enumerate(views()) for c, v in enumerate(row)}
    manifest = dict(MANIFEST)
    manifest["views"] = [{"file": name, "position": [i // COLS, i % COLS]}
                         for i, name in enumerate(sorted(files))]
    files["lightfield.json"] = json.dumps(manifest, indent=1).encode()
    files["kernel.pfm"] = pfm(kernel())
    return files


def stanford_folder():
    return {"out_%02d_%02d_%.3f_%.3f_.png" % (r, c, 10.0 * r, 10.0 * c): png(as_type(v, np.uint8))
            for r, row in enumerate(views()) for c, v in enumerate(row)}


def flow():
    """Half a pixel to the right and a quarter down."""
    return np.tile(np.array([0.5, 0.25], np.float32), (HEIGHT, WIDTH, 1))


def flo(field):
    return b"PIEH" + struct.pack("<ii", field.shape[1], field.shape[0]) + field.tobytes()


def motions():
    """name -> bytes, of the motions of four frames; in a folder, one file for each."""
    matrices = np.tile(np.array([[1, 0, 0.5], [0, 1, 0.25], [1e-4, 0, 1]]), (4, 1, 1))
    return {"shifts.txt": SHIFTS.encode(), "matrices.txt": MATRICES.encode(),
            "shifts.npy": npy(matrices[:, :2, 2].copy()),
            "affine.npy": npy(matrices[:, :2].astype(np.float32)), "homography.npy": npy(matrices),
            "flows.npy": npy(np.stack([flow()] * 4)),
            "flows/1.flo": flo(flow()), "flows/2.exr": exr(flow()), "flows/3.npy": npy(flow()),
            "flows/4.txt": b"0.5 0.25\n"}


def frames_folder():
    return {"frame%d.png" % i: png(as_type(picture(0.5 * i), np.uint8)) for i in range(4)}
