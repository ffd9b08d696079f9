// Draws light fields without WebGL2: the same picture as draw_webgl.js, computed here.
import { shownValue } from "./colours.js";
import { valueAt } from "./pictures.js";

export class CanvasDrawer {
  constructor(canvas, lightField) {
    this.context = canvas.getContext("2d");
    this.canvas = canvas;
    this.field = lightField;
    canvas.width = lightField.width;
    canvas.height = lightField.height;
  }

  get name() { return "2D canvas"; }
  get note() { return "This browser has no WebGL2: refocusing works, but slowly."; }
  setView() {}  // the views of the light field are drawn as they are

  draw(list, focus, stops, linear) {
    const { width, height } = this.field;
    const sum = new Float32Array(4 * width * height);
    for (const { index, u, v, weight } of list) {
      const image = this.field.views[index].image;
      const right = -u * focus;
      const down = -v * focus;
      for (let y = 0; y < height; ++y) {
        const sy = y + down;
        if (sy < -0.5 || sy > height - 0.5) continue;
        for (let x = 0; x < width; ++x) {
          const sx = x + right;
          if (sx < -0.5 || sx > width - 0.5) continue;
          addSample(image, sx, sy, weight, sum, 4 * (y * width + x));
        }
      }
    }
    const pixels = new ImageData(width, height);
    for (let i = 0; i < width * height; ++i) {
      for (let c = 0; c < 3; ++c) {
        pixels.data[4 * i + c] = shownValue(sum[4 * i + c] / Math.max(sum[4 * i + 3], 1e-6), stops, linear);
      }
      pixels.data[4 * i + 3] = 255;
    }
    this.context.putImageData(pixels, 0, 0);
  }
}

// Adds the bilinear value at (x, y), clamped to the border, times the weight; sum[at + 3] += weight.
function addSample(image, x, y, weight, sum, at) {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const xs = [Math.min(Math.max(x0, 0), image.width - 1), Math.min(Math.max(x0 + 1, 0), image.width - 1)];
  const ys = [Math.min(Math.max(y0, 0), image.height - 1), Math.min(Math.max(y0 + 1, 0), image.height - 1)];
  for (let c = 0; c < 3; ++c) {
    let value = (1 - fx) * (1 - fy) * valueAt(image, xs[0], ys[0], c);
    if (fx) value += fx * (1 - fy) * valueAt(image, xs[1], ys[0], c);
    if (fy) value += (1 - fx) * fy * valueAt(image, xs[0], ys[1], c);
    if (fx && fy) value += fx * fy * valueAt(image, xs[1], ys[1], c);
    sum[at + c] += weight * value;
  }
  sum[at + 3] += weight;
}
