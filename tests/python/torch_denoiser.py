"""A network of PyTorch as denoiser: `./dev test-long 0 torch` runs it; pytest does not find it by itself."""
import numpy as np
import torch

import plenosr as ps


def test_a_network_denoises(views):
    network = torch.nn.Conv2d(1, 1, 3, padding=1, padding_mode="replicate", bias=False)
    with torch.no_grad():
        network.weight[:] = torch.tensor([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16
    seen = []

    def denoise(image, sigma):
        seen.append(sigma)
        with torch.no_grad():
            return network(torch.from_dlpack(image.copy())[None, None])[0, 0]  # a tensor, by DLPack

    def same(image, sigma):
        padded = np.pad(image, 1, mode="edge").astype(np.float64)
        weights = np.array([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16
        height, width = image.shape
        return sum(weights[j, i] * padded[j:j + height, i:i + width] for j in range(3) for i in range(3))

    options = {"scale": 2, "disparity": np.zeros(views.shape[2:4])}
    image = ps.reconstruct(views, denoiser=denoise, **options).image
    assert len(seen) >= 2 and seen[0] > seen[1]
    np.testing.assert_allclose(image, ps.reconstruct(views, denoiser=same, **options).image, atol=0.05)
    tensor = torch.from_dlpack(image)
    assert tensor.data_ptr() == image.ctypes.data
    lf = ps.light_field(torch.from_numpy(np.ascontiguousarray(views)))
    np.testing.assert_array_equal(lf.array(), views)
