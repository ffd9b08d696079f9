"""BM3D in numpy: a baseline that does not depend on the programs that are compared.

Dabov et al. 2007 with blocks of 8x8, stacks of up to 16, cosine and Walsh-Hadamard transforms, a hard threshold of
2.7 sigma and a Wiener filter. Reference blocks are 4 pixels apart and the search reaches 10 pixels.
"""
import numpy

import tables

BLOCK, STEP, REACH, MOST = 8, 4, 10, 16
_k = numpy.arange(BLOCK)
DCT = numpy.sqrt(2 / BLOCK) * numpy.cos(numpy.pi * _k[:, None] * (_k + 0.5) / BLOCK)
DCT[0] /= numpy.sqrt(2)


def hadamard(n):
    h = numpy.ones((1, 1))
    while len(h) < n:
        h = numpy.block([[h, h], [h, -h]])
    return h / numpy.sqrt(n)


def matches(image):
    """Distances of the reference blocks to the most similar ones, the block itself first, and their places (y, x)."""
    height, width = image.shape
    far = 1e4  # blocks that reach outside are never similar
    padded = numpy.pad(image, REACH, constant_values=far)
    rows, cols = height // STEP - 1, width // STEP - 1
    shifts = [(dy, dx) for dy in range(-REACH, REACH + 1) for dx in range(-REACH, REACH + 1)]
    distance = numpy.empty((len(shifts), rows, cols), numpy.float32)
    for i, (dy, dx) in enumerate(shifts):
        other = padded[REACH + dy:REACH + dy + height, REACH + dx:REACH + dx + width]
        cells = ((image - other)**2).reshape(rows + 1, STEP, cols + 1, STEP).sum(axis=(1, 3))
        distance[i] = cells[:-1, :-1] + cells[1:, :-1] + cells[:-1, 1:] + cells[1:, 1:]
    distance[shifts.index((0, 0))] = -1
    distance = distance.reshape(len(shifts), -1).T
    nearest = numpy.argpartition(distance, MOST, axis=1)[:, :MOST]
    order = numpy.argsort(numpy.take_along_axis(distance, nearest, 1), axis=1)
    nearest = numpy.take_along_axis(nearest, order, 1)
    y, x = numpy.divmod(numpy.arange(rows * cols), cols)
    dy, dx = numpy.array(shifts).T
    return (numpy.take_along_axis(distance, nearest, 1) / BLOCK**2, STEP * y[:, None] + dy[nearest],
            STEP * x[:, None] + dx[nearest])


def transformed(image, y, x):
    blocks = numpy.lib.stride_tricks.sliding_window_view(image, (BLOCK, BLOCK))[y, x]
    return DCT @ blocks @ DCT.T


def filtered(image, guide, sigma, found, limit):
    """One pass: a hard threshold, or Wiener's filter if there is a guide."""
    distance, y, x = found
    size = numpy.ones(len(y), int)
    for n in (2, 4, 8, 16):
        size[(size == n // 2) & (distance[:, n - 1] < limit)] = n
    total, weight = numpy.zeros(image.size), numpy.zeros(image.size)
    inside = (numpy.arange(BLOCK)[:, None] * image.shape[1] + numpy.arange(BLOCK)).ravel()
    for n in (1, 2, 4, 8, 16):
        some = size == n
        if not some.any():
            continue
        ys, xs, h = y[some, :n], x[some, :n], hadamard(n)
        values = numpy.einsum("ij,bjkl->bikl", h, transformed(image, ys, xs))
        if guide is None:
            kept = numpy.abs(values) >= 2.7 * sigma
            kept[:, 0, 0, 0] = True
            gain = kept.astype(float)
        else:
            energy = numpy.einsum("ij,bjkl->bikl", h, transformed(guide, ys, xs))**2
            gain = energy / (energy + sigma**2)
        w = 1 / numpy.maximum((gain**2).sum(axis=(1, 2, 3)), 1e-6)
        blocks = DCT.T @ numpy.einsum("ij,bjkl->bikl", h, gain * values) @ DCT
        at = ((ys * image.shape[1] + xs)[..., None] + inside).ravel()
        spread = numpy.broadcast_to(w[:, None, None], (len(w), n, BLOCK**2)).ravel()
        total += numpy.bincount(at, spread * blocks.ravel(), image.size)
        weight += numpy.bincount(at, spread, image.size)
    return (total / weight).reshape(image.shape)


def smoothed(image):
    """Noise makes similar blocks differ: they are compared after smoothing (binomial, 5x5)."""
    for axis in (0, 1):
        p = numpy.pad(image, [(2, 2) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        n = image.shape[axis]
        image = sum(w * numpy.take(p, range(t, t + n), axis) for t, w in enumerate((1, 4, 6, 4, 1))) / 16
    return image


def denoised(image, sigma):
    height, width = image.shape
    padded = numpy.pad(image, ((0, -height % STEP), (0, -width % STEP)), mode="symmetric")
    first = filtered(padded, None, sigma, matches(smoothed(padded)), 0.7 * sigma**2 + 60)
    second = filtered(padded, first, sigma, matches(first), 0.4 * sigma**2 + 30)
    return second[:height, :width]


def best_enlarged(reference, truth, scale, noise, border):
    """The reference denoised with the sigma that yields the best PSNR, and enlarged."""
    sigmas = [f * noise for f in (0.5, 1, 1.5)] if noise else [1, 2]
    pictures = [reference] + [denoised(reference, sigma) for sigma in sigmas]
    enlarged = [tables.enlarged(picture, scale, 0) for picture in pictures]
    return max(enlarged, key=lambda image: tables.psnr(image, truth, border))
