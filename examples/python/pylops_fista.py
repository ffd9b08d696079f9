"""Solves with FISTA of PyLops instead of PlenoSR's solver: sparse in a wavelet basis.

    python pylops_fista.py OUTPUT_FOLDER

    minimise |A W' c - y|^2 + eps |c|_1,  x = W' c

A is PlenoSR's operator and W the Haar wavelet transform, which this file defines. Needs pylops.
"""
import sys
from pathlib import Path

import numpy as np
import pylops

import plenosr as ps


class Haar(pylops.LinearOperator):
    """One level of the orthonormal Haar transform of an image with even sides."""

    def __init__(self, shape):
        self.image_shape = shape
        super().__init__(dtype=np.float32, shape=(np.prod(shape), np.prod(shape)))

    def _matvec(self, x):
        x = x.reshape(self.image_shape)
        for axis in (0, 1):
            even, odd = np.take(x, range(0, x.shape[axis], 2), axis), np.take(x, range(1, x.shape[axis], 2), axis)
            x = np.concatenate([even + odd, even - odd], axis) / np.sqrt(2)
        return x.ravel()

    def _rmatvec(self, c):
        c = c.reshape(self.image_shape)
        for axis in (1, 0):
            low, high = np.split(c, 2, axis)
            pairs = np.stack([low + high, low - high], axis + 1) / np.sqrt(2)
            c = pairs.reshape(self.image_shape)
        return c.ravel()


def main(output):
    output.mkdir(parents=True, exist_ok=True)
    scene = ps.synth(scene="planes", grid=5, width=96, height=96, channels=1)
    low = ps.degrade(scene.light_field, scale=2, gaussian=2)
    centre = scene.light_field.centre
    truth = scene.light_field[centre]

    model = ps.operator(low, disparity=scene.maps[centre])
    a = pylops.aslinearoperator(model)
    pylops.utils.dottest(a, rtol=1e-4)
    start = ps.reconstruct(low, disparity=scene.maps[centre], iterations=0, init="median", denoiser="none").initial
    basis = Haar(model.image_shape)
    coefficients, _, _ = pylops.optimization.sparsity.fista(
        a @ basis.H, model.data, x0=basis @ start.ravel(), niter=30, eps=8.0)
    image = (basis.H @ coefficients).reshape(model.image_shape)

    ours = ps.reconstruct(low, disparity=scene.maps[centre]).image
    ps.write_image(output / "start_fista_plenosr_truth.png",
                   np.concatenate([start, image, ours, truth], axis=1).astype(np.float32))
    quality = {name: ps.evaluate(np.float32(x), truth, border=4)["psnr"]
               for name, x in (("start", start), ("fista", image), ("plenosr", ours))}
    print(", ".join(f"{name} {psnr:.2f} dB" for name, psnr in quality.items()))
    return quality


if __name__ == "__main__":
    main(Path(sys.argv[1]))
