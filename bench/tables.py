"""Shared by the scripts that print tables: programs, light fields, pictures, figures and finished rows.

Pictures are numpy arrays [y, x] of luma in 8-bit units. Needs numpy.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import numpy

LUMA = numpy.array([0.299, 0.587, 0.114])  # BT.601


# ---- pictures ------------------------------------------------------------------------------------
def read_png(path):
    """The luma of a PNG of 8 or 16 bits, grey or colour, not interlaced and without a palette."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    channels = {0: 1, 2: 3, 4: 2, 6: 4}.get(colour)
    if not channels or bits < 8 or interlaced:
        sys.exit(f"{path}: only PNG of 8 or 16 bits without palette and interlacing is read")
    size = bits // 8
    rows = unfiltered(zlib.decompress(packed), height, width * channels * size, channels * size)
    values = rows.reshape(height, width, channels, size).astype(float)
    values = values[..., 0] if size == 1 else (256 * values[..., 0] + values[..., 1]) / 257
    return values[..., :3] @ LUMA if channels >= 3 else values[..., 0]


def unfiltered(data, height, stride, step):
    """Undoes the filters of the rows of a PNG: none, sub, up, average and Paeth."""
    out = numpy.zeros((height, stride), numpy.uint8)
    above = bytearray(stride)
    for y in range(height):
        kind = data[y * (stride + 1)]
        row = bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            sums = numpy.frombuffer(bytes(row), numpy.uint8).reshape(-1, step)
            row = bytearray(numpy.cumsum(sums, axis=0, dtype=numpy.uint8).tobytes())
        elif kind == 2:
            row = bytearray((numpy.frombuffer(bytes(row), numpy.uint8) +
                             numpy.frombuffer(bytes(above), numpy.uint8)).tobytes())
        elif kind == 3:
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                a, c = (row[i - step], above[i - step]) if i >= step else (0, 0)
                b = above[i]
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        out[y] = numpy.frombuffer(bytes(row), numpy.uint8)
        above = row
    return out


def write_pfm(path, image):
    """One channel; rows from bottom to top, little-endian."""
    with open(path, "wb") as file:
        file.write(b"Pf\n%d %d\n-1.0\n" % (image.shape[1], image.shape[0]))
        file.write(numpy.flipud(image).astype("<f4").tobytes())


def cubic(x):
    """The interpolation kernel of Keys with a = -1/2, as of MATLAB's imresize."""
    a = numpy.abs(x)
    return numpy.where(a <= 1, 1.5 * a**3 - 2.5 * a**2 + 1,
                       numpy.where(a < 2, -0.5 * a**3 + 2.5 * a**2 - 4 * a + 2, 0))


def enlarged(image, scale, phase):
    """Bicubic enlargement: pixel i of the image lies at scale * i + phase of the result."""
    def matrix(size):
        m = numpy.zeros((size * scale, size))
        for i in range(size * scale):
            place = (i - phase) / scale
            taps = numpy.arange(4) + int(numpy.floor(place)) - 1
            for tap, weight in zip(numpy.clip(taps, 0, size - 1), cubic(place - taps)):
                m[i, tap] += weight
        return m
    return matrix(image.shape[0]) @ image @ matrix(image.shape[1]).T


# ---- figures -------------------------------------------------------------------------------------
def inner(image, border):
    return image[border:image.shape[0] - border, border:image.shape[1] - border]


def psnr(image, truth, border):
    """In dB, of the picture as a file of 8 bits holds it."""
    truth = truth[:image.shape[0], :image.shape[1]]
    error = inner(numpy.clip(numpy.rint(image), 0, 255) - truth, border)
    return 10 * numpy.log10(255**2 / max(numpy.mean(error**2), 1e-10))


def neighbours(image):
    """The eight neighbours of all pixels but the outermost ones."""
    height, width = image.shape
    return numpy.stack([image[1 + dy:height - 1 + dy, 1 + dx:width - 1 + dx]
                        for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx])


def isolated_extrema(image, levels=10):
    """Pixels above or below all eight neighbours by more than `levels`, per 10^4 pixels."""
    around, middle = neighbours(image), image[1:-1, 1:-1]
    found = (middle > around.max(axis=0) + levels) | (middle < around.min(axis=0) - levels)
    return 1e4 * found.mean()


def median_deviations(image, levels=16):
    """Pixels that differ from the median of their 3x3 pixels by more than `levels`, per 10^4 pixels."""
    middle = image[1:-1, 1:-1]
    median = numpy.median(numpy.concatenate([neighbours(image), middle[None]]), axis=0)
    return 1e4 * (numpy.abs(middle - median) > levels).mean()


def rms_by_phase(image, truth, scale, border):
    """Rms error of the pixels (y mod scale, x mod scale), row by row; the border is rounded up to blocks."""
    border = -(-border // scale) * scale
    error = inner(image - truth[:image.shape[0], :image.shape[1]], border)
    return [float(numpy.sqrt(numpy.mean(error[y::scale, x::scale]**2))) for y in range(scale) for x in range(scale)]


# ---- programs and light fields -------------------------------------------------------------------
class Program:
    """A program `plenosr` by its path; `options` are given to each reconstruction."""

    def __init__(self, name, path, options=()):
        self.name, self.path, self.options = name, os.path.abspath(path), list(options)
        try:
            self.help = self.output("reconstruct", "--help")
            if "--help-all" in self.help:  # 0.1.0 lists all options in --help
                self.help = self.output("reconstruct", "--help-all")
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"--program {name}={path}: it cannot be run ({error})")
        with open(path, "rb") as file:  # resumed rows must come from the same program and options
            self.digest = hashlib.sha1(file.read() + repr(self.options).encode()).hexdigest()[:8]

    def output(self, *words):
        return subprocess.run([self.path, *words], check=True, capture_output=True, text=True).stdout

    def run(self, *words):
        done = subprocess.run([self.path, *map(str, words), "--quiet"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{self.name} {words[0]}: {done.stderr.strip() or done.returncode}")

    def blurs(self):
        """The choices of --blur, such as bicubic and auto."""
        found = re.search(r"--blur (\S+)", self.help)
        return re.split(r"[|:]", found.group(1)) if found else []

    def knows(self, option):
        return option in self.help

    def reconstruct(self, light_field, output, *words):
        """Returns the picture, the seconds and the report."""
        return self.result("reconstruct", [light_field], output, words)

    def frames(self, files, output, *words):
        """The same for a burst."""
        return self.result("frames", files, output, words)

    def result(self, command, inputs, output, words):
        start = time.monotonic()
        self.run(command, *inputs, "-o", output, "--json", output + ".json", *words, *self.options)
        seconds = time.monotonic() - start
        with open(output + ".json", encoding="utf-8") as file:
            return read_png(output), seconds, json.load(file)


def centre_view(folder):
    """The file of the centre view in a folder of the layout hci or row_col."""
    found = {}
    for name in os.listdir(folder):
        if match := re.fullmatch(r"(?:input_Cam)?0*(\d+)(?:_0*(\d+))?\.png", name):
            found[tuple(int(g) for g in match.groups() if g is not None)] = name
    if not found:
        sys.exit(f"{folder} has no views named input_CamNNN.png or R_C.png")
    if len(next(iter(found))) == 1:
        return os.path.join(folder, found[sorted(found)[len(found) // 2]])
    rows, cols = (sorted({place[axis] for place in found}) for axis in (0, 1))
    return os.path.join(folder, found[rows[len(rows) // 2], cols[len(cols) // 2]])


def edited_copy(folder, target, change):
    """A light field whose manifest is changed by change(manifest); views are linked, maps left out."""
    os.makedirs(target)
    for name in os.listdir(folder):
        if name.endswith(".png") or name == "parameters.cfg":
            os.symlink(os.path.abspath(os.path.join(folder, name)), os.path.join(target, name))
    with open(os.path.join(folder, "lightfield.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    change(manifest)
    with open(os.path.join(target, "lightfield.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    return target


class Once:
    """Makes a folder or picture the first time that it is asked for, also from several threads."""

    def __init__(self):
        self.lock, self.locks, self.made = threading.Lock(), {}, {}

    def __call__(self, key, make):
        with self.lock:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self.made:
                self.made[key] = make()
            return self.made[key]


# ---- tables --------------------------------------------------------------------------------------
class Rows:
    """Finished rows by their key, kept in a CSV file, so that a later run continues."""

    def __init__(self, path, resume, keys, values):
        self.path, self.keys, self.columns = path, keys, keys + values
        self.done, self.lock = {}, threading.Lock()
        if resume and path and os.path.exists(path):
            with open(path, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    self.done[tuple(row[k] for k in keys)] = row
        elif path:
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerow(self.columns)

    def add(self, key, values):
        row = dict(zip(self.keys, key)) | {k: f"{v:.4f}" if isinstance(v, float) else str(v) for k, v in values.items()}
        with self.lock:
            self.done[key] = row
            if self.path:
                with open(self.path, "a", encoding="utf-8", newline="") as file:
                    csv.DictWriter(file, self.columns, restval="").writerow(row)

    def run(self, cases, measure, jobs):
        """Measures the cases that are not done: keys of strings. A failure is reported and leaves its row out."""
        left = [case for case in cases if case not in self.done]

        def work(case):
            try:
                self.add(case, measure(*case))
                print("done: " + " ".join(case), file=sys.stderr, flush=True)
            except RuntimeError as error:
                print(f"failed: {' '.join(case)}: {error}", file=sys.stderr, flush=True)
                return False
            return True

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return all(list(pool.map(work, left)))

    def number(self, key, column):
        text = self.done.get(key, {}).get(column, "")
        return float(text) if text else None


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def head(cells):
    row(cells)
    print("|---" * len(cells) + "|")


def cell(value, decimals=2, sign=False):
    return "–" if value is None else f"{value:{'+' if sign else ''}.{decimals}f}"


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values and None not in values else None


def parser(doc):
    """The options that all tables have."""
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", action="append", required=True, metavar="NAME=PATH",
                   help="a program to measure; may be repeated. The first one makes the test data")
    p.add_argument("--options", default="", help="options for each reconstruction, such as '--threads 1'")
    p.add_argument("--csv", help="keep the finished rows in this file")
    p.add_argument("--resume", action="store_true", help="continue the rows of --csv")
    p.add_argument("--jobs", type=int, default=1, help="reconstructions at the same time (default: 1)")
    p.add_argument("--keep", metavar="DIR", help="keep the test data and the results in this folder")
    return p


def programs_of(arguments):
    found = []
    for text in arguments.program:
        name, equals, path = text.partition("=")
        found.append(Program(name, path, shlex.split(arguments.options)) if equals else
                     sys.exit(f"--program {text} must be NAME=PATH"))
    return found


class Folder:
    """The folder of the test data: that of --keep, or a temporary one."""

    def __init__(self, keep):
        self.keep = keep

    def __enter__(self):
        self.path = self.keep or tempfile.mkdtemp()
        os.makedirs(self.path, exist_ok=True)
        return self.path

    def __exit__(self, *_):
        if not self.keep:
            shutil.rmtree(self.path, ignore_errors=True)


def listed(text):
    return [word for word in text.split(",") if word]
