// From values to colours on the screen.

const toLight = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const fromLight = (v) => v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;

// A value in 8-bit units as it is shown: `stops` of exposure, numbers proportional to light or not.
export function shownValue(value, stops, linear) {
  if (!linear && stops === 0) return value;
  const light = linear ? value / 255 : toLight(value / 255);
  return 255 * fromLight(Math.max(0, light * 2 ** stops));
}

export function shownPixels(image, stops, linear) {
  const { width, height, rgba, floats, channels } = image;
  const pixels = new ImageData(width, height);
  if (rgba && !linear && stops === 0) {
    pixels.data.set(rgba);
    return pixels;
  }
  const table = Uint8ClampedArray.from({ length: 256 }, (_, v) => shownValue(v, stops, linear));
  for (let i = 0; i < width * height; ++i) {
    for (let c = 0; c < 3; ++c) {
      pixels.data[4 * i + c] = rgba ? table[rgba[4 * i + c]]
        : shownValue(floats[i * channels + (channels === 3 ? c : 0)], stops, linear);
    }
    pixels.data[4 * i + 3] = 255;
  }
  return pixels;
}

// From far to near, as `plenosr disparity --preview` colours a map.
const disparityRamp = [[20, 20, 80], [30, 80, 150], [20, 150, 140], [130, 205, 80], [255, 240, 60]];
const shareRamp = [[0, 0, 0], [255, 255, 255]];

export function rampColour(kind, at) {
  const ramp = kind === "share" ? shareRamp : disparityRamp;
  if (!Number.isFinite(at)) return [0, 0, 0];
  const place = Math.min(Math.max(at, 0), 1) * (ramp.length - 1);
  const below = Math.min(Math.floor(place), ramp.length - 2);
  return ramp[below].map((low, c) => low + (place - below) * (ramp[below + 1][c] - low));
}

export function rangeOf(image) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of image.floats || image.rgba) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}

// At most four significant digits.
export function shortNumber(value) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}
