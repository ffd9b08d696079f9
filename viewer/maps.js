// Disparity, confidence and other maps in colours, and points as PLY.
import { $, bindSelect, clampIndex, fillSelect, fitCanvas, placeIn, saveBlob, say } from "./controls.js";
import { rampColour, rangeOf, shortNumber } from "./colours.js";
import { load, valueAt } from "./pictures.js";
import { state } from "./state.js";

const units = { disparity: "pixels of the map per step between views; near is bright",
  share: "from 0 to 1", number: "" };
const depthShare = 0.4;  // of the width: the depth that the range of a disparity map takes

// A point for each finite value of a disparity map, with the colour of the picture there. x is right,
// y up, z towards the camera.
export function plyOf(map, picture) {
  const [low, high] = rangeOf(map);
  const depth = depthShare * map.width / Math.max(high - low, 1e-6);
  const lines = [];
  for (let y = 0; y < map.height; ++y) {
    for (let x = 0; x < map.width; ++x) {
      const d = map.floats[y * map.width + x];
      if (!Number.isFinite(d)) continue;
      const px = Math.floor((x + 0.5) * picture.width / map.width);
      const py = Math.floor((y + 0.5) * picture.height / map.height);
      const colour = [0, 1, 2].map((c) => Math.min(Math.max(Math.round(valueAt(picture, px, py, c)), 0), 255));
      lines.push(`${x} ${map.height - 1 - y} ${((d - low) * depth).toFixed(3)} ${colour.join(" ")} ${d}`);
    }
  }
  return ["ply", "format ascii 1.0",
    `comment z = ${depth.toPrecision(6)} * (disparity - ${low.toPrecision(6)})`,
    `element vertex ${lines.length}`, "property float x", "property float y", "property float z",
    "property uchar red", "property uchar green", "property uchar blue", "property float disparity",
    "end_header", ...lines, ""].join("\n");
}

export class Maps {
  constructor(data) {
    this.data = data;
    this.canvas = $("map");
    this.images = new Map();
    fillSelect("map-choice", data.maps.map(({ picture }) => picture.name));
    bindSelect("map-choice", "map");
    $("ply").addEventListener("click", () => this.savePly());
    this.canvas.addEventListener("pointermove", (event) => {
      this.place = placeIn(this.canvas, event);
      this.read();
    });
  }

  get index() { return clampIndex(state.map, this.data.maps.length); }

  async prepare(index) {
    const { picture, kind } = this.data.maps[index];
    this.images.set(index, null);
    try {
      const map = await load(picture);
      const range = kind === "share" ? [0, 1] : rangeOf(map);
      const pixels = new ImageData(map.width, map.height);
      map.floats.forEach((value, i) => {
        pixels.data.set(rampColour(kind, (value - range[0]) / Math.max(range[1] - range[0], 1e-12)), 4 * i);
        pixels.data[4 * i + 3] = 255;
      });
      this.images.set(index, { map, range, pixels });
      this.draw();
    } catch (error) {
      say(`${picture.name}: ${error.message}`);
    }
  }

  draw() {
    const { index, canvas } = this;
    const { kind, meaning } = this.data.maps[index];
    $("map-choice").value = String(index);
    $("map-unit").textContent = meaning || units[kind] || "";
    $("ply-controls").hidden = kind !== "disparity";
    if (!this.images.has(index)) this.prepare(index);
    const ready = this.images.get(index);
    if (!ready) return;
    canvas.width = ready.map.width;
    canvas.height = ready.map.height;
    canvas.getContext("2d").putImageData(ready.pixels, 0, 0);
    fitCanvas(canvas, canvas.width, canvas.height);
    const ramp = $("ramp");
    ramp.width = 256;
    ramp.height = 1;
    const colours = new ImageData(256, 1);
    for (let i = 0; i < 256; ++i) colours.data.set([...rampColour(kind, i / 255), 255], 4 * i);
    ramp.getContext("2d").putImageData(colours, 0, 0);
    $("map-low").textContent = shortNumber(ready.range[0]);
    $("map-high").textContent = shortNumber(ready.range[1]);
    this.read();
  }

  read() {
    const ready = this.images.get(this.index);
    if (!ready || !this.place) return;
    const x = Math.min(Math.floor(this.place.x), ready.map.width - 1);
    const y = Math.min(Math.floor(this.place.y), ready.map.height - 1);
    if (x < 0 || y < 0) return;
    $("map-readout").textContent = `x ${x}, y ${y}: ${shortNumber(ready.map.floats[y * ready.map.width + x])}`;
  }

  // Coloured by the picture whose size is nearest to that of the map.
  async savePly() {
    const { picture } = this.data.maps[this.index];
    const reference = this.data.views.find(({ position }) => String(position) === String(this.data.reference));
    const pictures = [...this.data.results, ...(reference ? [reference.picture] : [])];
    const distance = (p) => Math.abs(Math.log(p.width / picture.width));
    const nearest = pictures.reduce((best, p) => !best || distance(p) <= distance(best) ? p : best, null);
    const map = await load(picture);
    const colours = nearest ? await load(nearest) : { width: 1, height: 1, channels: 1, rgba: [200, 200, 200, 255], floats: null };
    saveBlob(new Blob([plyOf(map, colours)], { type: "application/octet-stream" }), "points.ply");
  }

  key() { return false; }
  save() { return { canvas: this.canvas, name: "map" }; }
}
