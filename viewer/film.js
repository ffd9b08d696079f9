// The kept iterations of a run: play, step, slider. The pictures are those of compare.js.
import { $ } from "./controls.js";
import { shortNumber } from "./colours.js";
import { nearestPosition } from "./light_field.js";
import { set, state } from "./state.js";

const pictureTime = 250;  // milliseconds, at least

// Which picture of a series is shown.
export function shownOf(series) {
  if (series.iterations.length) {
    const last = series.pictures.length - 1;
    return state.film < 0 ? last : Math.min(Math.round(state.film), last);
  }
  return nearestPosition(series.positions, state.row, state.col);
}

export class Film {
  // `index`: of the film among the compared pictures; `isReady(picture)`: whether it is decoded.
  constructor(series, index, run, isReady) {
    Object.assign(this, { series, index, isReady });
    const rows = Array.isArray(run?.report?.iterations) ? run.report.iterations : [];
    this.rows = series.iterations.map((number) => rows.find((row) => row?.iteration === number) || {});
    $("film").max = this.last;
    $("film").addEventListener("input", () => this.show(Number($("film").value)));
    $("film-back").addEventListener("click", () => this.step(-1));
    $("film-on").addEventListener("click", () => this.step(1));
    $("film-play").addEventListener("click", () => this.play());
  }

  get last() { return this.series.pictures.length - 1; }
  get at() { return shownOf(this.series); }

  // The film is A unless it is chosen already.
  show(picture) {
    const changes = { film: Math.min(Math.max(picture, 0), this.last) };
    if (state.a !== this.index && state.b !== this.index) changes.a = this.index;
    set(changes);
  }

  step(by) {
    this.stop();
    this.show(this.at + by);
  }

  play() {
    if (this.timer) return this.stop();
    this.show(this.at === this.last ? 0 : this.at);
    this.timer = setInterval(() => this.advance(), pictureTime);
  }

  // Waits for pictures that are still decoded.
  advance() {
    if (!this.isReady(this.at)) return;
    if (this.at === this.last) this.stop();
    else this.show(this.at + 1);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    set({});
  }

  key(event) {
    if (event.key === "p" || event.key === "P") this.play();
    else if (event.key === ",") this.step(-1);
    else if (event.key === ".") this.step(1);
    else return false;
    return true;
  }

  draw() {
    const number = this.series.iterations[this.at];
    const row = this.rows[this.at];
    $("film").value = this.at;
    $("film").setAttribute("aria-valuetext", `iteration ${number}`);
    $("film-value").textContent = `${number} of ${this.series.iterations[this.last]}`;
    $("film-play").textContent = this.timer ? "Stop" : "Play";
    const words = [["cost", row.cost, ""], ["PSNR", row.psnr, " dB"]].filter(([, value]) => typeof value === "number")
      .map(([name, value, unit]) => `${name} ${shortNumber(value)}${unit}`);
    $("film-report").textContent = words.join(", ");
  }
}
