// Which views there are, and which of them make a picture.
import { load } from "./pictures.js";

// The number of the position [row, col] that is nearest to a place.
export function nearestPosition(positions, row, col) {
  let best = 0;
  let least = Infinity;
  positions.forEach(([r, c], i) => {
    const distance = (r - row) ** 2 + (c - col) ** 2;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

export class LightField {
  constructor(views) {
    this.views = views.map(({ position, picture }) => ({ row: position[0], col: position[1], picture, image: null }));
    const { width, height, channels } = this.views[0].picture;
    Object.assign(this, { width, height, channels });
    const rows = this.views.map((view) => view.row);
    const cols = this.views.map((view) => view.col);
    this.rows = [Math.min(...rows), Math.max(...rows)];
    this.cols = [Math.min(...cols), Math.max(...cols)];
    this.loading = new Map();
  }

  nearest(row, col) { return nearestPosition(this.views.map((view) => [view.row, view.col]), row, col); }

  // The next view in a direction, or the same one: places may be empty.
  next(from, down, right) {
    const start = this.views[from];
    let best = from;
    let least = Infinity;
    this.views.forEach((view, i) => {
      const along = (view.row - start.row) * down + (view.col - start.col) * right;
      const across = Math.abs((view.row - start.row) * right) + Math.abs((view.col - start.col) * down);
      if (along <= 0 || across > along) return;
      const distance = along + 2 * across;
      if (distance < least) [best, least] = [i, distance];
    });
    return best;
  }

  farthest(from) {
    const start = this.views[from];
    return Math.max(...this.views.map((view) => Math.hypot(view.row - start.row, view.col - start.col)));
  }

  // The views within the aperture, a radius in steps between views, with their weights. The edge of
  // the aperture is one step wide.
  withinAperture(from, aperture) {
    const start = this.views[from];
    const list = [];
    this.views.forEach((view, i) => {
      const u = view.col - start.col;
      const v = view.row - start.row;
      const weight = i === from ? 1 : aperture === 0 ? 0 : Math.min(1, aperture + 0.5 - Math.hypot(u, v));
      if (weight > 0) list.push({ index: i, u, v, weight });
    });
    return list;
  }

  async load(index) {
    if (!this.loading.has(index)) {
      this.loading.set(index, load(this.views[index].picture).then((image) => {
        this.views[index].image = image;
        return image;
      }));
    }
    return this.loading.get(index);
  }
}
