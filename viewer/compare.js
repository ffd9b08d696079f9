// Results side by side, one over the other, or as a difference.
import { $, bindChoice, bindSelect, bindSlider, clampIndex, fillSelect, placeIn, showChoice, showSlider } from "./controls.js";
import { shortNumber } from "./colours.js";
import { Compared } from "./compared.js";
import { Film, shownOf } from "./film.js";
import { valueAt } from "./pictures.js";
import { set, state } from "./state.js";

const modes = ["slider", "single", "side", "difference"];
const largestZoom = 64;  // screen pixels per pixel

export class Compare {
  constructor(data) {
    this.data = data;
    this.canvas = $("pictures");
    this.compared = new Compared(data);
    const { pictures, film, series } = this.compared;
    this.pictures = pictures;
    $("film-controls").hidden = film < 0;
    if (film >= 0) {
      this.film = new Film(pictures[film].series, film, data.runs[pictures[film].series.run],
        (part) => Boolean(this.compared.of(film, part)));
    }
    $("compare-view-controls").hidden = !series;
    if (series) {
      fillSelect("compare-view", series.positions.map((position) => position.join(",")));
      $("compare-view").addEventListener("change", () => {
        const [row, col] = series.positions[Number($("compare-view").value)];
        set({ row, col });
      });
    }
    // The coordinates of all are those of the largest one.
    this.width = Math.max(...this.pictures.map(({ width }) => width));
    this.height = Math.max(...this.pictures.map(({ height }) => height));
    this.drawn = {};
    fillSelect("picture-a", this.pictures.map(({ name }) => name));
    fillSelect("picture-b", this.pictures.map(({ name }) => name));
    this.bind();
  }

  bind() {
    bindSelect("picture-a", "a");
    bindSelect("picture-b", "b");
    bindChoice("mode", "mode", modes);
    bindSlider("split", "split");
    bindSlider("gain", "gain");
    bindSlider("compare-exposure", "exposure");
    $("flicker").addEventListener("click", () => this.flicker());
    $("zoom-fit").addEventListener("click", () => set({ zoom: 0, x: 0.5, y: 0.5 }));
    $("zoom-one").addEventListener("click", () => set({ zoom: 1 }));
    $("zoom-in").addEventListener("click", () => this.zoomBy(2));
    $("zoom-out").addEventListener("click", () => this.zoomBy(0.5));
    const canvas = this.canvas;
    const pointers = new Map();
    let splitting = false;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      const { x } = placeIn(canvas, event);
      splitting = state.mode === "slider" && Math.abs(x - state.split * canvas.width) < 16 * devicePixelRatio;
    });
    canvas.addEventListener("pointermove", (event) => {
      this.place = placeIn(canvas, event);
      const before = pointers.get(event.pointerId);
      if (before && splitting) {
        set({ split: Math.min(Math.max(this.place.x / canvas.width, 0), 1) });
      } else if (before) {
        if (pointers.size === 2) {
          const [other] = [...pointers.values()].filter((p) => p.pointerId !== event.pointerId);
          const length = (p) => Math.max(10, Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY));
          this.zoomBy(length(event) / length(before), this.place);
        }
        this.move(event.clientX - before.clientX, event.clientY - before.clientY, pointers.size);
        pointers.set(event.pointerId, event);
      } else {
        this.read();
      }
    });
    for (const type of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(type, (event) => { pointers.delete(event.pointerId); splitting = false; });
    }
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(2 ** (-Math.sign(event.deltaY) / 2), placeIn(canvas, event));
    }, { passive: false });
  }

  // Panes: one, or one for each picture.
  panes() {
    const { width, height } = this.canvas;
    if (state.mode !== "side") return [{ left: 0, top: 0, width, height, picture: null }];
    const count = this.pictures.length;
    let across = 1;
    for (let n = 2; n <= count; ++n) {
      const size = (k) => Math.min(width / k / this.width, height / Math.ceil(count / k) / this.height);
      if (size(n) > size(across)) across = n;
    }
    const down = Math.ceil(count / across);
    return this.pictures.map((_, i) => ({
      left: Math.floor(i % across * width / across), top: Math.floor(Math.floor(i / across) * height / down),
      width: Math.floor(width / across), height: Math.floor(height / down), picture: i }));
  }

  // Canvas pixels per pixel of the largest picture.
  scale() {
    if (state.zoom > 0) return state.zoom * devicePixelRatio;
    const [pane] = this.panes();
    return Math.min(pane.width / this.width, pane.height / this.height);
  }

  // Where the largest picture begins in a pane.
  origin(pane) {
    const scale = this.scale();
    return { left: pane.left + pane.width / 2 - state.x * this.width * scale,
      top: pane.top + pane.height / 2 - state.y * this.height * scale };
  }

  // How far to the right and down a picture lies, in pixels of the largest one: pixel i of the views
  // lies at scale i + phase.
  offset(index) {
    const { scale, phase } = this.data.sampling;
    return index === this.compared.samples && this.pictures[index].width * scale === this.width ? phase - (scale - 1) / 2 : 0;
  }

  move(dx, dy, fingers = 1) {
    const factor = devicePixelRatio / this.scale() / fingers;
    set({ x: Math.min(Math.max(state.x - dx * factor / this.width, 0), 1),
      y: Math.min(Math.max(state.y - dy * factor / this.height, 0), 1) });
  }

  // Zooms around a place of the canvas, by default the middle.
  zoomBy(factor, place = null) {
    const before = this.scale();
    const zoom = Math.min(Math.max(before * factor / devicePixelRatio, 1 / 64), largestZoom);
    const changes = { zoom };
    if (place) {
      const pane = this.paneAt(place);
      const shift = (at, start, length, size) => (at - start - length / 2) / size * (1 / before - 1 / (zoom * devicePixelRatio));
      changes.x = Math.min(Math.max(state.x + shift(place.x, pane.left, pane.width, this.width), 0), 1);
      changes.y = Math.min(Math.max(state.y + shift(place.y, pane.top, pane.height, this.height), 0), 1);
    }
    set(changes);
  }

  paneAt(place) {
    return this.panes().find((pane) => place.x >= pane.left && place.x < pane.left + pane.width &&
      place.y >= pane.top && place.y < pane.top + pane.height) || this.panes()[0];
  }

  flicker() { set({ mode: "single", swapped: state.mode === "single" ? 1 - state.swapped : 1 }); }

  key(event) {
    const moves = { ArrowUp: [0, 40], ArrowDown: [0, -40], ArrowLeft: [40, 0], ArrowRight: [-40, 0] };
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoomBy(2);
    else if (event.key === "-") this.zoomBy(0.5);
    else if (event.key === "0") set({ zoom: 0, x: 0.5, y: 0.5 });
    else if (event.key === "f" || event.key === "F") this.flicker();
    else if (event.key === "d" || event.key === "D") set({ mode: "difference" });
    else if (event.key === "]") set({ split: Math.min(1, state.split + 0.05) });
    else if (event.key === "[") set({ split: Math.max(0, state.split - 0.05) });
    else return this.film ? this.film.key(event) : false;
    return true;
  }

  // |A - B| times the gain, and the PSNR of one against the other, on the levels as they are shown.
  difference(indexA, indexB, a, b) {
    const same = this.drawn.a === a && this.drawn.b === b && this.drawn.gain === state.gain;
    if (same) return this.drawn;
    const [first, second] = [[a, indexA], [b, indexB]].map(([{ canvas, pixels }, index]) => {
      if (canvas.width === this.width && canvas.height === this.height) return pixels.data;
      const large = document.createElement("canvas");
      large.width = this.width;
      large.height = this.height;
      const offset = this.offset(index);
      const context = large.getContext("2d", { willReadFrequently: true });
      context.drawImage(canvas, offset, offset, this.width, this.height);
      return context.getImageData(0, 0, this.width, this.height).data;
    });
    const pixels = new ImageData(this.width, this.height);
    let sum = 0;
    for (let i = 0; i < first.length; ++i) {
      if (i % 4 === 3) { pixels.data[i] = 255; continue; }
      const difference = Math.abs(first[i] - second[i]);
      sum += difference * difference;
      pixels.data[i] = difference * 2 ** state.gain;
    }
    const canvas = document.createElement("canvas");
    canvas.width = this.width;
    canvas.height = this.height;
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    const psnr = 10 * Math.log10(255 ** 2 / (sum / (first.length * 3 / 4)));
    this.drawn = { a, b, gain: state.gain, canvas, psnr };
    return this.drawn;
  }

  paint(context, pane, index, picture, from, to) {
    const scale = this.scale();
    const shift = this.offset(index) * scale;
    const { left, top } = this.origin(pane);
    context.save();
    context.beginPath();
    context.rect(from, pane.top, to - from, pane.height);
    context.clip();
    context.imageSmoothingEnabled = scale * this.width / picture.width < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, left + shift, top + shift, this.width * scale, this.height * scale);
    context.restore();
  }

  label(context, text, x, y, right) {
    const size = 13 * devicePixelRatio;
    context.font = `${size}px system-ui, sans-serif`;
    const width = Math.min(context.measureText(text).width + size, this.canvas.width / 2);
    const left = right ? x - width : x;
    context.fillStyle = "rgb(0 0 0 / 70%)";
    context.fillRect(left, y, width, 1.7 * size);
    context.fillStyle = "#fff";
    context.fillText(text, left + size / 2, y + 1.2 * size, width - size);
  }

  draw() {
    const { canvas } = this;
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    const context = canvas.getContext("2d");
    const a = clampIndex(state.a, this.pictures.length);
    const b = clampIndex(state.b, this.pictures.length);
    const mode = modes.includes(state.mode) ? state.mode : "slider";
    for (const pane of this.panes()) {
      const [first, second] = pane.picture === null ? [this.compared.ready(a), this.compared.ready(b)] : [this.compared.ready(pane.picture), null];
      const gap = 8 * devicePixelRatio;
      if (mode === "side") {
        if (first) this.paint(context, pane, pane.picture, first.canvas, pane.left, pane.left + pane.width - 2);
        this.label(context, this.compared.label(pane.picture), pane.left + gap, pane.top + gap, false);
      } else if (mode === "difference") {
        if (first && second) this.paint(context, pane, -1, this.difference(a, b, first, second).canvas, 0, pane.width);
      } else if (mode === "single") {
        const picture = state.swapped ? second : first;
        if (picture) this.paint(context, pane, state.swapped ? b : a, picture.canvas, 0, pane.width);
        this.label(context, this.compared.label(state.swapped ? b : a), gap, gap, false);
      } else {
        const at = Math.round(state.split * pane.width);
        if (first) this.paint(context, pane, a, first.canvas, 0, at);
        if (second) this.paint(context, pane, b, second.canvas, at, pane.width);
        this.label(context, this.compared.label(a), gap, gap, false);
        this.label(context, this.compared.label(b), pane.width - gap, gap, true);
        this.handle(context, at, pane.height);
      }
    }
    const wanted = mode === "side" ? this.pictures.map((_, i) => i) : mode === "single" ? [state.swapped ? b : a] : [a, b];
    const ready = wanted.filter((index) => this.compared.of(index));
    canvas.dataset.views = `${ready.length}/${wanted.length}`;
    this.show(a, b, mode);
  }

  handle(context, x, height) {
    const unit = devicePixelRatio;
    context.fillStyle = "#fff";
    context.fillRect(x - unit, 0, 2 * unit, height);
    context.beginPath();
    context.arc(x, height / 2, 15 * unit, 0, 7);
    context.fill();
    context.fillStyle = "#1b2027";
    context.font = `${16 * unit}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText("↔", x, height / 2);
    context.textAlign = "start";
    context.textBaseline = "alphabetic";
  }

  show(a, b, mode) {
    $("picture-a").value = String(a);
    $("picture-b").value = String(b);
    showChoice("mode", modes, mode);
    $("split-controls").hidden = mode !== "slider";
    $("flicker-controls").hidden = mode !== "single";
    $("gain-controls").hidden = mode !== "difference";
    showSlider("split", state.split, `${Math.round(100 * state.split)} %`);
    showSlider("gain", state.gain, shortNumber(2 ** state.gain));
    showSlider("compare-exposure", state.exposure, `${shortNumber(state.exposure)} stops`);
    $("zoom-value").textContent = `${shortNumber(this.scale() / devicePixelRatio)} screen pixels per pixel`;
    const { psnr } = mode === "difference" ? this.drawn : {};
    $("quality").textContent = psnr === undefined ? ""
      : psnr === Infinity ? "A and B are equal." : `PSNR of A against B: ${psnr.toFixed(2)} dB`;
    this.film?.draw();
    if (this.compared.series) $("compare-view").value = String(shownOf(this.compared.series));
    this.read();
  }

  read() {
    if (!this.place) return;
    const pane = this.paneAt(this.place);
    const { left, top } = this.origin(pane);
    const at = { x: (this.place.x - left) / this.scale() / this.width, y: (this.place.y - top) / this.scale() / this.height };
    if (at.x < 0 || at.y < 0 || at.x >= 1 || at.y >= 1) {
      $("compare-readout").textContent = "";
      return;
    }
    const words = [`x ${Math.floor(at.x * this.width)}, y ${Math.floor(at.y * this.height)}`];
    const indices = state.mode === "side" ? this.pictures.map((_, i) => i) : [state.a, state.b];
    for (const index of indices) {
      const ready = this.compared.of(index);
      if (!ready) continue;
      const { image } = ready;
      const pixel = (share, size, count) => Math.min(Math.max(Math.floor((share - this.offset(index) / size) * count), 0), count - 1);
      const values = Array.from({ length: image.channels }, (_, c) =>
        shortNumber(valueAt(image, pixel(at.x, this.width, image.width), pixel(at.y, this.height, image.height), c)));
      words.push(`${this.compared.label(index)}: ${values.join(" ")}`);
    }
    $("compare-readout").textContent = words.join("   ");
  }

  save() { return { canvas: this.canvas, name: `compare_${state.mode}` }; }
}
