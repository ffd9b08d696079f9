// The light field: viewpoint, refocusing, epipolar planes.
import { $, bindChoice, bindSlider, clampIndex, fillSelect, fitCanvas, placeIn, say, showChoice, showSlider } from "./controls.js";
import { rangeOf, shortNumber } from "./colours.js";
import { CanvasDrawer } from "./draw_canvas.js";
import { WebglDrawer } from "./draw_webgl.js";
import { drawEpipolarPlane, linesOf, viewsOnLine } from "./epipolar.js";
import { LightField, nearestPosition } from "./light_field.js";
import { matchedDisparity } from "./matching.js";
import { drawPad, padLayout } from "./pad.js";
import { load, valueAt } from "./pictures.js";
import { set, setDefaults, state } from "./state.js";

const clickRadius = 4;   // pixels that a click may move
const focusSteps = 100;  // of the wheel and the keys, over the range of the disparity

export class Explore {
  constructor(data) {
    this.data = data;
    // The views, and series with a picture of every view: super-resolved ones, for example.
    const series = data.series.filter(({ positions }) => positions.length);
    this.fields = [data.views, ...series.map(({ positions, pictures }) =>
      positions.map((position, i) => ({ position, picture: pictures[i] })))];
    fillSelect("field-choice", ["views, as they are", ...series.map(({ name }) => name)]);
    $("field-controls").hidden = this.fields.length < 2;
    this.stages = [];  // of each field: its canvas and drawer, made when it is shown first
    this.place = null;  // of the pointer, pixels of the view
    this.flat = data.views.length === 1 || data.frames;
    const [row, col] = data.reference;
    const start = data.views[nearestPosition(data.views.map(({ position }) => position), row, col)];
    setDefaults({ row: start.position[0], col: start.position[1], line: Math.floor(start.picture.height / 2) });
    $("focus-controls").hidden = this.flat;
    document.querySelector(".epi").hidden = this.flat;
    this.chooseField(0);
    this.bind();
    this.loadMap();
  }

  // Shows another field in the place of the present one.
  chooseField(number) {
    if (this.shownField === number) return;
    this.shownField = number;
    if (!this.stages[number]) {
      const field = new LightField(this.fields[number]);
      const canvas = this.canvas ? this.canvas.cloneNode() : $("view");
      this.stages[number] = { field, canvas, first: canvas, drawer: null };
    }
    const stage = this.stages[number];
    if (this.canvas) this.canvas.replaceWith(stage.canvas);
    this.field = stage.field;
    this.canvas = stage.canvas;
    this.drawer = stage.drawer;
    this.reference = this.field.nearest(...this.data.reference);
    this.setRange();
    if (this.drawer) return;
    this.makeDrawer(stage);
    if (this.bound && this.canvas === stage.first) this.bindCanvas();
  }

  // The same place and focus in the pixels of another field.
  changeField(number) {
    const before = this.field.width;
    this.chooseField(number);
    const factor = this.field.width / before;
    set({ field: number, focus: state.focus * factor, line: Math.floor((state.line + 0.5) * factor) });
  }

  makeDrawer(stage) {
    const floats = !["lossy", "bits8"].includes(this.fields[this.shownField][0].picture.coding);
    const { canvas } = this;
    const lost = () => {
      if (this.canvas === canvas) this.fallBack();
      else stage.drawer = null;  // made anew when it is shown
    };
    try {
      this.drawer = new WebglDrawer(canvas, this.field, floats);
      stage.drawer = this.drawer;
      canvas.addEventListener("webglcontextlost", lost, { once: true });
    } catch {
      this.fallBack();
    }
    this.tellDrawer();
  }

  tellDrawer() {
    $("drawer").textContent = `Drawn with ${this.drawer.name}.`;
    say(this.drawer.note);
  }

  // A canvas that had a WebGL context cannot have another one.
  fallBack() {
    const fresh = this.canvas.cloneNode();
    this.canvas.replaceWith(fresh);
    this.canvas = fresh;
    this.drawer = new CanvasDrawer(fresh, this.field);
    Object.assign(this.stages[this.shownField], { canvas: fresh, drawer: this.drawer });
    this.tellDrawer();
    if (this.bound) {
      this.bindCanvas();
      this.draw();
    }
  }

  // The range of the focus, pixels of the field per step.
  setRange() {
    const enlarged = this.field.width / this.fields[0][0].picture.width;
    this.range = [-4 * enlarged, 4 * enlarged];  // without a map
    if (!this.map) return;
    const factor = this.field.width / this.map.width;
    const [low, high] = rangeOf(this.map).map((d) => d * factor);
    const margin = 0.25 * Math.max(high - low, 0.5);
    this.range = [low - margin, high + margin];
  }

  // A disparity map gives the place and the range of the focus.
  async loadMap() {
    const map = this.flat ? null : this.data.maps.find(({ kind }) => kind === "disparity");
    if (map) {
      this.map = await load(map.picture);
      this.setRange();
    }
    set({});
  }

  get from() { return this.field.nearest(state.row, state.col); }
  get step() { return (this.range[1] - this.range[0]) / focusSteps; }

  bind() {
    this.bound = true;
    this.bindCanvas();
    bindSlider("aperture", "aperture");
    bindSlider("focus", "focus");
    bindSlider("line", "line");
    bindSlider("exposure", "exposure");
    bindChoice("axis", "axis", ["row", "column"]);
    $("field-choice").addEventListener("change", () => this.changeField(Number($("field-choice").value)));
    $("explore-reset").addEventListener("click", () => this.reset());
    const pad = $("pad");
    const choose = (event) => {
      if (event.buttons === 0 && event.type !== "click") return;
      const { x, y } = placeIn(pad, event);
      const { rows, cols } = this.field;
      const [left, top, cell] = padLayout(this.field);
      this.moveTo(this.field.nearest((y - top) / cell + rows[0], (x - left) / cell + cols[0]));
    };
    for (const type of ["pointerdown", "pointermove"]) pad.addEventListener(type, choose);
  }

  bindCanvas() {
    let start = null;
    const canvas = this.canvas;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      start = { x: event.clientX, y: event.clientY, row: state.row, col: state.col, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      this.place = placeIn(canvas, event);
      if (start) this.drag(start, event);
      else this.follow();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (start && !start.moved && !this.flat) this.focusAt(placeIn(canvas, event));
      start = null;
    });
    canvas.addEventListener("pointercancel", () => { start = null; });
    canvas.addEventListener("pointerleave", () => { this.place = null; });
    canvas.addEventListener("wheel", (event) => {
      if (this.flat) return;
      event.preventDefault();
      this.moveFocus(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
  }

  drag(start, event) {
    const dx = event.clientX - start.x;
    const dy = event.clientY - start.y;
    if (!start.moved && Math.hypot(dx, dy) <= clickRadius) return;
    start.moved = true;
    const { rows, cols } = this.field;
    const box = this.canvas.getBoundingClientRect();
    // Across half of the picture is across all views. The scene follows the pointer.
    const row = start.row - 2 * dy / box.height * Math.max(1, rows[1] - rows[0]);
    const col = start.col - 2 * dx / box.width * Math.max(1, cols[1] - cols[0]);
    this.moveTo(this.field.nearest(row, col));
  }

  follow() {
    if (this.flat) return;
    const line = Math.floor(state.axis === "row" ? this.place.y : this.place.x);
    set({ line: Math.min(Math.max(line, 0), this.lines - 1) });
  }

  get lines() { return linesOf(this.field); }

  moveTo(index) {
    const { row, col } = this.field.views[index];
    set({ row, col });
  }

  moveFocus(steps) {
    const aperture = state.aperture === 0 ? this.field.farthest(this.from) : state.aperture;
    set({ focus: state.focus + steps * this.step, aperture });
  }

  // The disparity at a pixel of the present view.
  disparityAt({ x, y }) {
    const from = this.field.views[this.from];
    const inside = (value, count) => Math.min(Math.max(Math.floor(value), 0), count - 1);
    if (!this.map) {
      const list = this.field.withinAperture(this.from, Infinity);
      return matchedDisparity(this.field.views, list, this.from, Math.floor(x), Math.floor(y), ...this.range);
    }
    // The map is the reference's: p in this view shows p + (u, v) d of the reference.
    const reference = this.field.views[this.reference];
    const factor = this.field.width / this.map.width;
    let d = 0;
    for (let round = 0; round < 4; ++round) {
      const mx = inside((x + (from.col - reference.col) * d) / factor, this.map.width);
      const my = inside((y + (from.row - reference.row) * d) / factor, this.map.height);
      d = this.map.floats[my * this.map.width + mx] * factor;
    }
    return d;
  }

  async focusAt(place) {
    if (!this.map) await this.loadAll();
    const focus = this.disparityAt(place);
    if (!Number.isFinite(focus)) return;
    set({ focus, aperture: state.aperture === 0 ? this.field.farthest(this.from) : state.aperture });
  }

  reset() {
    const { row, col } = this.field.views[this.reference];
    set({ row, col, focus: 0, aperture: 0, exposure: 0 });
  }

  loadAll() { return Promise.all(this.field.views.map((_, i) => this.need(i))); }

  async need(index) {
    const { field, drawer } = this;
    const view = field.views[index];
    if (view.image) return;
    try {
      const image = await field.load(index);
      if (!view.drawn) {
        view.drawn = true;
        drawer.setView(index, image);
      }
      set({});
    } catch (error) {
      say(`View ${view.picture.name}: ${error.message}`);
    }
  }

  key(event) {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const most = this.field.farthest(this.from);
    if (moves[event.key]) this.moveTo(this.field.next(this.from, ...moves[event.key]));
    else if (this.flat) return false;
    else if (event.key === "+" || event.key === "=") this.moveFocus(1);
    else if (event.key === "-") this.moveFocus(-1);
    else if (event.key === "]") set({ aperture: Math.min(most, state.aperture + 0.5) });
    else if (event.key === "[") set({ aperture: Math.max(0, state.aperture - 0.5) });
    else if (event.key === "0") this.reset();
    else return false;
    return true;
  }

  draw() {
    const wantedField = clampIndex(state.field, this.fields.length);
    this.chooseField(wantedField);
    $("field-choice").value = String(wantedField);
    const from = this.from;
    const list = this.field.withinAperture(from, this.flat ? 0 : Math.max(0, state.aperture));
    const wanted = new Set(list.map(({ index }) => index));
    const onLine = this.flat ? [] : viewsOnLine(this.field, from);
    onLine.forEach((index) => wanted.add(index));
    for (const index of wanted) this.need(index);
    const ready = list.filter(({ index }) => this.field.views[index].drawn);
    if (ready.length) this.drawer.draw(ready, state.focus, state.exposure, this.data.linear);
    this.canvas.dataset.views = `${ready.length}/${list.length}`;
    fitCanvas(this.canvas, this.field.width, this.field.height);
    if (!this.flat) drawEpipolarPlane(this.field, onLine, this.data.linear, this.canvas.style.width);
    drawPad(this.field, from, new Set(list.map(({ index }) => index)));
    this.show(ready.length, list.length);
  }

  show(ready, wanted) {
    const view = this.field.views[this.from];
    const { name } = view.picture;
    $("place").textContent = this.data.frames ? `Frame ${name}`
      : `Row ${view.row}, column ${view.col}` + (wanted > 1 ? `, mean of ${wanted} views` : "");
    const most = this.field.farthest(this.from);
    Object.assign($("aperture"), { min: 0, max: most, step: 0.1 });
    showSlider("aperture", state.aperture, state.aperture === 0 ? "one view" : `${shortNumber(state.aperture)} steps`);
    Object.assign($("focus"), { min: this.range[0], max: this.range[1], step: "any" });
    showSlider("focus", state.focus, `${shortNumber(state.focus)} px per step`);
    Object.assign($("line"), { min: 0, max: this.lines - 1, step: 1 });
    showSlider("line", state.line, String(state.line));
    showSlider("exposure", state.exposure, `${shortNumber(state.exposure)} stops`);
    showChoice("axis", ["row", "column"], state.axis);
    let text = ready < wanted ? `Loading: ${ready} of ${wanted} views. ` : "";
    if (this.place && view.image) {
      const x = Math.floor(this.place.x);
      const y = Math.floor(this.place.y);
      if (x >= 0 && y >= 0 && x < this.field.width && y < this.field.height) {
        const values = Array.from({ length: this.field.channels }, (_, c) => shortNumber(valueAt(view.image, x, y, c)));
        text += `x ${x}, y ${y}: ${values.join(" ")}`;
        if (this.map) text += `, disparity ${shortNumber(this.disparityAt(this.place))}`;
      }
    }
    $("explore-readout").textContent = text;
  }

  // The present picture, for Save PNG.
  save() { return { canvas: this.canvas, name: `view_${state.row}_${state.col}` }; }
}
