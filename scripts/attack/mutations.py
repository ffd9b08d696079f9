"""Damages inputs: any bytes, and the fields that a format's reader trusts. All functions take a
random.Random, so that a case can be repeated."""
import io
import json
import os
import re
import struct
import zipfile
import zlib

import h5py
import numpy as np

import seeds

NUMBERS = [0, 1, 2, 3, 7, 8, 15, 16, 17, 127, 128, 255, 256, 257, 1000, 4096, 32767, 32768, 65535,
           65536, 65537, 100000, 10**6, 2**24, 2**28, 2**30, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
           2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
WORDS = ["0", "-1", "1", "2", "1e9", "1e-9", "1e308", "-1e308", "1e999", "nan", "inf", "-inf", "",
         " ", "65536", "65537", "2147483647", "2147483648", "4294967296", "9223372036854775807",
         "18446744073709551616", "0x10", "1.5", "1,5", "NaN", "null", "true", "é", "\u202e",
         "\x1b[2J",         "../../etc/passwd", "/etc/passwd", "a" * 300, "%s%n", "{}", "\0"]


def of_bytes(rng, data):
    """A few changes anywhere, most of them near the beginning, where headers are."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        if not data:
            break
        size = len(data)
        at = rng.randrange(size) if rng.random() < 0.4 else rng.randrange(min(size, 200))
        what = rng.randrange(9)
        if what == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            data[at] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        elif what == 2:
            del data[at:]
        elif what == 3:
            del data[at:at + rng.choice([1, 2, 4, 8, 100])]
        elif what == 4:
            data[at:at] = rng.randbytes(rng.choice([1, 2, 4, 100]))
        elif what == 5:
            length = rng.choice([4, 16, 64])
            data[at:at] = data[at:at + length] * rng.choice([1, 3, 50])
        elif what in (6, 7):
            width, kind = rng.choice([(2, "H"), (4, "I"), (8, "Q")])
            value = rng.choice(NUMBERS) % (1 << 8 * width)
            data[at:at + width] = struct.pack(rng.choice("<>") + kind, value)
        else:
            end = min(size, at + rng.choice([4, 64, size]))
            data[at:end] = bytes([rng.choice([0, 255])]) * (end - at)
    return bytes(data)


def of_numbers(rng, data):
    """Replaces numbers and words of a text."""
    text = data.decode("latin-1")
    for _ in range(rng.choice([1, 1, 2, 5])):
        found = list(re.finditer(r"-?\d[\d.eE+-]*|[A-Za-z_]+", text))
        if not found:
            break
        match = rng.choice(found)
        word = rng.choice(WORDS) if rng.random() < 0.6 else str(rng.choice(NUMBERS))
        text = text[:match.start()] + word + text[match.end():]
    return text.encode("utf-8", "surrogateescape")


def of_text(rng, data):
    what = rng.randrange(5)
    if what == 0:
        return of_bytes(rng, data)
    if what == 1:
        lines = data.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    if what == 2:
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        return b"\n".join(lines[:at] + [lines[at]] * rng.choice([0, 2, 2000]) + lines[at + 1:])
    return of_numbers(rng, data)


def of_header(rng, data, size=40):
    """Numbers of a short text in front of binary data."""
    if rng.random() < 0.4:
        return of_bytes(rng, data)
    return of_numbers(rng, data[:size]) + data[size:]


# ---- JSON ----------------------------------------------------------------------------------------
def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()
    for key, child in items:
        yield from places(child, path + (key,))


def strange(rng):
    return rng.choice([None, True, [], {}, "", rng.choice(WORDS), rng.choice(NUMBERS),
                       -rng.choice(NUMBERS), 1e308, -1e-308, 0.5, [[]] * 3, [1e9, 1e9], [-1, 10000],
                       {"rows": 10000, "cols": 10000}, "x" * 5000])


def of_json(rng, data):
    if rng.random() < 0.25:
        return of_text(rng, data)
    value = json.loads(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        path = rng.choice(list(places(value)))
        if not path:
            continue
        parent = value
        for key in path[:-1]:
            parent = parent[key]
        what = rng.randrange(4)
        if what == 0 and isinstance(parent, (dict, list)):
            del parent[path[-1]]
        elif what == 1 and isinstance(parent, list):
            parent.extend([parent[path[-1]]] * rng.choice([1, 3, 500]))
        elif what == 2 and isinstance(parent, dict):
            parent[rng.choice(["crop", "degradation", "pattern", "disparity", "grid", "pixels",
                               "colour_space", "views", "format"])] = strange(rng)
        else:
            parent[path[-1]] = strange(rng)
    nested = "[" * 100000 if rng.random() < 0.02 else ""
    return (nested + json.dumps(value)).encode("utf-8", "surrogateescape")


# ---- PNG: checksums are repaired, so that damage reaches the decoder ----------------------------
def png_chunks(data):
    at, chunks = 8, []
    while at + 12 <= len(data):
        length = struct.unpack_from(">I", data, at)[0]
        chunks.append([data[at + 4:at + 8], data[at + 8:at + 8 + length]])
        at += 12 + length
    return chunks


def of_png(rng, data):
    if rng.random() < 0.2:
        return of_bytes(rng, data)
    chunks = png_chunks(data)
    for _ in range(rng.choice([1, 1, 2, 3])):
        if not chunks:
            break
        i = rng.randrange(len(chunks))
        kind, body = chunks[i]
        what = rng.randrange(8)
        if what == 0 and kind == b"IDAT":  # valid deflate of changed rows
            try:
                chunks[i][1] = zlib.compress(of_bytes(rng, zlib.decompress(body)))
            except zlib.error:
                pass
        elif what == 1:
            del chunks[i]
        elif what == 2:
            chunks.insert(i, list(chunks[i]))
        elif what == 3:
            rng.shuffle(chunks)
        elif what == 4:
            chunks.insert(i, [rng.choice([b"tEXt", b"zTXt", b"iTXt", b"iCCP", b"PLTE", b"tRNS",
                                          b"gAMA", b"eXIf", b"acTL", b"bKGD", b"pHYs", b"IDAT"]),
                              rng.choice([b"", b"\0", rng.randbytes(30), b"ICC\0\0" +
                                          zlib.compress(b"\0" * 10**6)])])
        elif kind == b"IHDR" and len(body) == 13 and what in (5, 6):
            fields = list(struct.unpack(">IIBBBBB", body))
            at = rng.randrange(7)
            fields[at] = rng.choice(NUMBERS) % (2**32 if at < 2 else 256)
            if at >= 2:
                fields[at] = rng.choice([0, 1, 2, 3, 4, 6, 8, 16, 255])
            chunks[i][1] = struct.pack(">IIBBBBB", *fields)
        else:
            chunks[i][1] = of_bytes(rng, body)
    return data[:8] + b"".join(seeds.png_chunk(kind, body) for kind, body in chunks)


# ---- TIFF: entries of a directory ----------------------------------------------------------------
TAGS = [254, 256, 257, 258, 259, 262, 266, 270, 273, 274, 277, 278, 279, 284, 317, 320, 322, 323,
        324, 325, 330, 338, 339, 347, 512, 529, 530, 532, 34665, 34675, 37724, 50838]


def of_tiff(rng, data):
    if rng.random() < 0.3 or len(data) < 8:
        return of_bytes(rng, data)
    data = bytearray(data)
    order = "<" if data[:2] == b"II" else ">"
    directory = struct.unpack_from(order + "I", data, 4)[0]
    for _ in range(rng.choice([0, 0, 1, 2])):  # of a later page
        entries = struct.unpack_from(order + "H", data, directory)[0]
        following = struct.unpack_from(order + "I", data, directory + 2 + 12 * entries)[0]
        directory = following or directory
    entries = struct.unpack_from(order + "H", data, directory)[0]
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = directory + 2 + 12 * rng.randrange(entries)
        what = rng.randrange(6)
        if what == 0:
            struct.pack_into(order + "H", data, at, rng.choice(TAGS))
        elif what == 1:
            struct.pack_into(order + "H", data, at + 2, rng.randrange(20))
        elif what == 2:
            struct.pack_into(order + "I", data, at + 4, rng.choice(NUMBERS) % 2**32)
        elif what == 3:
            struct.pack_into(order + "H", data, at + 8, rng.choice(NUMBERS) % 2**16)
        elif what == 4:
            struct.pack_into(order + "I", data, at + 8, rng.choice(NUMBERS + [directory, len(data)])
                             % 2**32)
        else:  # the next directory, also this one again
            struct.pack_into(order + "I", data, directory + 2 + 12 * entries,
                             rng.choice([directory, 4, len(data), 2**32 - 1]))
    return bytes(data)


# ---- NPY, NPZ, HDF5 ------------------------------------------------------------------------------
def of_npy(rng, data):
    if rng.random() < 0.3:
        return of_bytes(rng, data)
    start = 10 if data[6] == 1 else 12
    end = data.index(b"\n") + 1
    head = of_numbers(rng, data[start:end])
    if rng.random() < 0.5:
        shape = tuple(rng.choice([0, 1, 2, 3, 4, 5, 12, 16, rng.choice(NUMBERS)])
                      for _ in range(rng.randrange(7)))
        kind = rng.choice(["|u1", "<u2", ">u2", "<f4", ">f4", "<f8", "<i4", "|O", "<c8", "|S1",
                           "<u1", "|b1", "<f2"])
        head = ("{'descr': '%s', 'fortran_order': %s, 'shape': %r, }\n" %
                (kind, rng.choice(["True", "False", "1", "None"]), shape)).encode()
    length = len(head) if rng.random() < 0.8 else rng.choice(NUMBERS)
    kind = "<H" if start == 10 else "<I"
    length %= 2**16 if start == 10 else 2**32
    return data[:8] + struct.pack(kind, length) + head + data[end:]


def of_npz(rng, data):
    if rng.random() < 0.5:
        return of_bytes(rng, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        name = archive.namelist()[0]
        member = archive.read(name)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED,
                                               zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])) as archive:
        for _ in range(rng.choice([1, 1, 2, 50])):
            stored = zipfile.ZipInfo(rng.choice([name, "a.npy", "../b.npy", "/c.npy", "", "d.txt",
                                                 "e\n\x1b.npy"]))
            stored.compress_type = archive.compression
            if stored.filename not in archive.namelist():
                archive.writestr(stored, of_npy(rng, member) if rng.random() < 0.7 else
                                 b"\0" * rng.choice([0, 10**6]))
    return out.getvalue()


def strange_hdf5(rng):
    """Valid files of the library that no reader of light fields expects."""
    def build(file):
        shape = tuple(rng.choice([0, 1, 2, 3, 12, 16, rng.choice([1000, 10**6, 2**31, 2**33])])
                      for _ in range(rng.randrange(7)))
        kind = rng.choice([np.uint8, np.uint16, np.float32, np.float64, np.int32, np.float16, "S3",
                           np.complex64, h5py.special_dtype(vlen=str), np.dtype([("a", "u1")])])
        storage = {}
        if shape and all(shape) and rng.random() < 0.7:
            storage["chunks"] = tuple(min(s, rng.choice([1, 3, 64, 2**20])) for s in shape)
            while np.prod([float(s) for s in storage["chunks"]]) > 2**26:
                storage["chunks"] = tuple(max(1, s // 4) for s in storage["chunks"])
            if rng.random() < 0.5 and np.dtype(kind).kind != "O":
                storage["compression"] = rng.choice(["gzip", "lzf"])
                storage["shuffle"] = rng.random() < 0.5
        name = rng.choice(["LF", "LF", "other", "a/b/LF", "GT_DEPTH", "view_disparity"])
        file.create_dataset(name, shape=shape, dtype=kind, **storage)
        what = rng.randrange(7)
        if what == 0:
            file["link"] = h5py.ExternalLink("/etc/passwd", "/LF")
        elif what == 1:
            file["loop"] = h5py.SoftLink("/loop")
        elif what == 2 and "LF" not in file:
            file["LF"] = h5py.SoftLink("/" + name)
        elif what == 3 and "LF" not in file:
            layout = h5py.VirtualLayout(shape=(3, 3, 12, 16), dtype="u1")
            layout[:] = h5py.VirtualSource(".", "LF", shape=(3, 3, 12, 16))
            file.create_virtual_dataset("LF", layout)
        elif what == 4 and "LF" not in file:
            file.create_dataset("LF", shape=(3, 3, 12, 16), dtype="u1",
                                external=[("/etc/passwd", 0, 3 * 3 * 12 * 16)])
        elif what == 5:
            file.attrs[rng.choice(["dH", "shift", "focalLength", "plenosr_first_row"])] = \
                rng.choice([np.nan, np.inf, "text", [1, 2], 0.0, -1e308, 10**12])
        elif what == 6:
            file["group/again"] = file["/"]
    try:
        return seeds.hdf5(build)
    except (ValueError, TypeError, OSError, OverflowError, MemoryError):
        return None


def of_hdf5(rng, data):
    if rng.random() < 0.5:
        made = strange_hdf5(rng)
        if made is not None:
            return made
    return of_bytes(rng, data)


BY_EXTENSION = {
    ".png": of_png, ".tif": of_tiff, ".pfm": of_header, ".pgm": of_header, ".ppm": of_header,
    ".json": of_json, ".cfg": of_text, ".txt": of_text, ".npy": of_npy, ".npz": of_npz,
    ".h5": of_hdf5}


def mutated(rng, name, data):
    return BY_EXTENSION.get(os.path.splitext(name)[1], of_bytes)(rng, data)
