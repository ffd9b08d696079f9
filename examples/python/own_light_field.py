"""Super-resolves the centre view of a light field and shows what was decided.

    python own_light_field.py OUTPUT_FOLDER [LIGHT_FIELD]

Without LIGHT_FIELD a scene is rendered and degraded first.
"""
import sys
from pathlib import Path

import plenosr as ps


def rendered():
    scene = ps.synth(scene="planes", grid=5, width=160, height=128)
    return ps.degrade(scene.light_field, scale=2, gaussian=2, colour="rgb", seed=1)


def main(output, path=None):
    output.mkdir(parents=True, exist_ok=True)
    light_field = ps.open(path) if path else rendered()
    print(light_field)
    for note in light_field.notes:
        print("note:", note)
    print(f"noise: {light_field.noise(single=True)['sigma']:.1f} grey levels")

    result = ps.reconstruct(light_field)
    for sentence in result.explanation:
        print(sentence)
    result.save(output / "super_resolved.png", bits=16)
    ps.write_image(output / "disparity.png", ps.DisparityResult.colours(result.disparity))
    print(f"{result.message}; {output / 'super_resolved.png'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
