"""Reconstructs with a denoiser of your own: any function (image, sigma) -> image.

    python plug_and_play.py OUTPUT_FOLDER

Here it removes small cosine coefficients of all blocks, in a few lines (needs scipy). A neural network works in the
same way:

    def network(image, sigma):
        with torch.no_grad():
            tensor = torch.from_numpy(image)[None, None] / 255
            return (model(tensor, sigma / 255)[0, 0] * 255).numpy()
"""
import sys
from pathlib import Path

import numpy as np
from scipy.fft import dctn, idctn

import plenosr as ps


def sliding_dct(image, sigma, block=8, step=2, threshold=2.7):
    """Sets small cosine coefficients of all blocks to zero and averages the overlapping blocks."""
    padded = np.pad(image, block, mode="reflect")
    total = np.zeros_like(padded)
    for y in range(0, block, step):
        for x in range(0, block, step):
            height, width = ((side - start) // block * block for side, start in zip(padded.shape, (y, x)))
            inside = (slice(y, y + height), slice(x, x + width))
            blocks = padded[inside].reshape(height // block, block, width // block, block)
            coefficients = dctn(blocks, axes=(1, 3), norm="ortho")
            mean = coefficients[:, 0, :, 0].copy()
            coefficients[np.abs(coefficients) < threshold * sigma] = 0
            coefficients[:, 0, :, 0] = mean
            total[inside] += idctn(coefficients, axes=(1, 3), norm="ortho").reshape(height, width)
    count = (block // step) ** 2
    return total[block:-block, block:-block] / count


def main(output):
    output.mkdir(parents=True, exist_ok=True)
    scene = ps.synth(scene="planes", grid=3, width=96, height=96, channels=1)
    low = ps.degrade(scene.light_field, scale=2, gaussian=20)
    centre = scene.light_field.centre
    truth = scene.light_field[centre]
    results = {name: ps.reconstruct(low, disparity=scene.maps[centre], denoiser=denoiser)
               for name, denoiser in (("none", "none"), ("sliding DCT", sliding_dct), ("bm3d", "bm3d"))}
    quality = {name: ps.evaluate(result.image, truth, border=4)["psnr"] for name, result in results.items()}
    print(", ".join(f"{name} {psnr:.2f} dB" for name, psnr in quality.items()))
    images = [result.image for result in results.values()] + [truth]
    ps.write_image(output / "none_dct_bm3d_truth.png", np.concatenate(images, axis=1))
    return quality


if __name__ == "__main__":
    main(Path(sys.argv[1]))
