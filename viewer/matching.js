// The disparity at one pixel without a map: the views agree best there.
import { valueAt } from "./pictures.js";

const radius = 4;  // of the window, pixels: a smaller one often finds a wrong place

const outlier = 40;  // grey levels: larger differences are of other surfaces

function grey(image, x, y) {
  const at = (channel) => valueAt(image, Math.min(Math.max(x, 0), image.width - 1),
    Math.min(Math.max(y, 0), image.height - 1), channel);
  return 0.299 * at(0) + 0.587 * at(1) + 0.114 * at(2);
}

// The grey levels of a window around (x, y), interpolated bilinearly.
function greyWindow(image, x, y) {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const side = 2 * radius + 2;
  const whole = Array.from({ length: side * side }, (_, i) =>
    grey(image, x0 - radius + i % side, y0 - radius + Math.floor(i / side)));
  const values = [];
  for (let j = 0; j + 1 < side; ++j) {
    for (let i = 0; i + 1 < side; ++i) {
      const at = j * side + i;
      values.push((1 - fy) * ((1 - fx) * whole[at] + fx * whole[at + 1]) +
        fy * ((1 - fx) * whole[at + side] + fx * whole[at + side + 1]));
    }
  }
  return values;
}

// `list` as of LightField.withinAperture(); the loaded views take part.
export function matchedDisparity(views, list, from, x, y, low, high) {
  const steps = 192;
  const others = list.filter(({ index, u, v }) => views[index].image && (u !== 0 || v !== 0));
  const own = greyWindow(views[from].image, x, y);
  let best = 0;
  let least = Infinity;
  for (let k = 0; k <= steps; ++k) {
    const d = low + (high - low) * k / steps;
    let cost = 0;
    for (const { index, u, v } of others) {
      greyWindow(views[index].image, x - u * d, y - v * d).forEach((value, i) => {
        cost += Math.min(Math.abs(value - own[i]), outlier);
      });
    }
    if (cost < least) [best, least] = [d, cost];
  }
  return best;
}
