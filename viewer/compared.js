// What can be compared: pictures, and series of which one picture is shown at a time.
import { say } from "./controls.js";
import { shownPixels } from "./colours.js";
import { shownOf } from "./film.js";
import { load } from "./pictures.js";
import { set, state } from "./state.js";

const mostShown = 16;  // pictures that are kept ready, if there are series among them

export class Compared {
  constructor(data) {
    this.linear = data.linear;
    this.pictures = [...data.results, ...data.series.map((series) => ({ ...series.pictures[0], name: series.name, series }))];
    this.film = this.pictures.findIndex(({ series }) => series?.iterations.length);
    this.series = data.series.find(({ positions }) => positions.length);  // with a picture of every view
    this.samples = -1;  // the entry of the views as they are
    const reference = data.views.find(({ position }) => String(position) === String(data.reference));
    if (this.series && data.views.length) {
      const series = { iterations: [], positions: data.views.map(({ position }) => position),
        pictures: data.views.map(({ picture }) => picture) };
      this.samples = this.pictures.push({ ...series.pictures[0], name: "views, as they are", series }) - 1;
    } else if (reference) {
      this.samples = this.pictures.push({ ...reference.picture, name: `view ${reference.picture.name}, as it is` }) - 1;
    }
    this.shown = new Map();  // by key: null while it is loaded
    this.last = new Map();   // of each series
  }

  // Which picture of an entry is shown.
  partOf(index) {
    const { series } = this.pictures[index];
    return series ? shownOf(series) : 0;
  }

  label(index) {
    const { name, series } = this.pictures[index];
    return series ? `${name}: ${series.pictures[this.partOf(index)].name}` : name;
  }

  keyOf(index, part) { return `${index} ${part} ${state.exposure}`; }

  // The picture as {image, canvas, pixels}, or nothing while it is loaded.
  of(index, part = this.partOf(index)) { return this.shown.get(this.keyOf(index, part)); }

  async prepare(index, part) {
    const key = this.keyOf(index, part);
    if (this.shown.has(key)) return;
    for (const old of this.shown.keys()) {
      const ofSeries = this.pictures[old.split(" ")[0]].series;
      if (!old.endsWith(` ${state.exposure}`) || (ofSeries && this.shown.size >= mostShown)) this.shown.delete(old);
    }
    this.shown.set(key, null);
    const { series } = this.pictures[index];
    const picture = series ? series.pictures[part] : this.pictures[index];
    try {
      const image = await load(picture, !series);
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      const pixels = shownPixels(image, state.exposure, this.linear);
      canvas.getContext("2d").putImageData(pixels, 0, 0);
      this.shown.set(key, { image, canvas, pixels });
      set({});
    } catch (error) {
      say(`${picture.name}: ${error.message}`);
    }
  }

  // The picture to draw. While one of a series loads, the one before stays.
  ready(index) {
    const part = this.partOf(index);
    this.prepare(index, part);
    const { series } = this.pictures[index];
    if (series?.iterations.length && part + 1 < series.pictures.length) this.prepare(index, part + 1);
    const found = this.of(index, part);
    if (found) this.last.set(index, found);
    return found || (series ? this.last.get(index) : null);
  }
}
