// The disparity at one pixel, where no map tells it: the views agree best there.
import { valueAt } from "./pictures.js";

const radius = 4;  // of the window, pixels: a smaller one often finds a wrong place

function grey(image, x, y) {
  const at = (channel) => valueAt(image, Math.min(Math.max(Math.round(x), 0), image.width - 1),
    Math.min(Math.max(Math.round(y), 0), image.height - 1), channel);
  return 0.299 * at(0) + 0.587 * at(1) + 0.114 * at(2);
}

// `list` as of LightField.withinAperture(); the loaded views take part.
export function matchedDisparity(views, list, from, x, y, low, high) {
  const steps = 96;
  const others = list.filter(({ index, u, v }) => views[index].image && (u !== 0 || v !== 0));
  let best = 0;
  let least = Infinity;
  for (let k = 0; k <= steps; ++k) {
    const d = low + (high - low) * k / steps;
    let cost = 0;
    for (const { index, u, v } of others) {
      for (let dy = -radius; dy <= radius; ++dy) {
        for (let dx = -radius; dx <= radius; ++dx) {
          const difference = grey(views[from].image, x + dx, y + dy) - grey(views[index].image, x + dx - u * d, y + dy - v * d);
          cost += Math.min(Math.abs(difference), 40);
        }
      }
    }
    if (cost < least) [best, least] = [d, cost];
  }
  return best;
}
