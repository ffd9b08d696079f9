"""Super-resolves a burst: several frames of a camera that moved a little.

    python own_burst.py OUTPUT_FOLDER [FRAME…]

Without frames, shifted and decimated copies of a rendered picture are used.
"""
import sys
from pathlib import Path

import numpy as np

import plenosr as ps


def rendered():
    """Every second pixel of a picture, from four starts: shifts by half a pixel of the frames."""
    picture = ps.synth(scene="planes", grid=1, width=160, height=128).light_field[0, 0]
    noise = np.random.default_rng(1)
    frames = [picture[y::2, x::2] for y in (0, 1) for x in (0, 1)]
    return [np.clip(frame + noise.normal(0, 2, frame.shape), 0, 255).round().astype(np.uint8) for frame in frames]


def main(output, *paths):
    output.mkdir(parents=True, exist_ok=True)
    result = ps.frames(list(paths) or rendered(), scale=2, register="translation")
    for k, frame in enumerate(result.report["frames"]):
        dx, dy = frame["matrix"][2], frame["matrix"][5]
        print(f"frame {k}: shift ({dx:.2f}, {dy:.2f}), weight {frame['weight']:.2g}")
    result.save(output / "super_resolved.png")
    print(f"{result.message}; {output / 'super_resolved.png'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
