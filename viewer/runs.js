// What the runs reported: figures, plots, sentences and options. Reports may come from anywhere, so
// every value is checked and everything is shown as text.
import { $, bindSelect, clampIndex, element, fillSelect } from "./controls.js";
import { shortNumber } from "./colours.js";
import { barPlot, linePlot } from "./plots.js";
import { state } from "./state.js";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const listOf = (value) => Array.isArray(value) ? value : [];
const objectOf = (value) => value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
const textOf = (value) => typeof value === "string" ? value : JSON.stringify(value);

function cardsOf(report) {
  const cards = [];
  const add = (value, text) => { if (value !== "") cards.push([value, text]); };
  const number = (value, unit, digits) => isNumber(value) ? `${digits === undefined ? shortNumber(value) : value.toFixed(digits)}${unit}` : "";
  const against = (name, digits, unit) => isNumber(report[`${name}_bicubic`]) ? ` (bicubic ${number(report[`${name}_bicubic`], unit, digits)})` : "";
  add(number(report.psnr, " dB", 2), `PSNR${against("psnr", 2, " dB")}`);
  add(number(report.ssim, "", 4), `SSIM${against("ssim", 4, "")}`);
  if (isNumber(report.width) && isNumber(report.height)) add(`${report.width} × ${report.height}`, "pixels");
  if (Array.isArray(report.views_used)) add(`${report.views_used.length} of ${listOf(report.views).length}`, "views used");
  if (Array.isArray(report.frames)) add(String(report.frames.length), "frames");
  add(number(report.sensor_noise ?? report.noise, ""), "noise, grey levels");
  if (isNumber(report.impulses)) add(`${shortNumber(100 * report.impulses)} %`, "impulses");
  add(number(report.mean_confidence, ""), "mean confidence");
  if (Array.isArray(report.range)) add(report.range.map(shortNumber).join(" to "), "disparity, pixels per step");
  add(number(report.seconds, " s"), "without reading and writing");
  if (isNumber(report.peak_memory_bytes)) add(`${shortNumber(report.peak_memory_bytes / 2 ** 20)} MiB`, "largest memory");
  return cards;
}

function plotsOf(report) {
  const rows = listOf(report.iterations).map(objectOf);
  const x = rows.map((row, i) => isNumber(row.iteration) ? row.iteration : i);
  const column = (name) => rows.map((row) => row[name]);
  const plots = [
    linePlot("Cost", x, [{ name: "cost", values: column("cost") }, { name: "data", values: column("data") }, { name: "prior", values: column("prior") }]),
    linePlot("PSNR", x, [{ name: "PSNR", values: column("psnr") }], { unit: "dB" }),
    linePlot("Residuals", x, [{ name: "primal", values: column("primal_residual") }, { name: "dual", values: column("dual_residual") }], { logarithmic: true }),
  ];
  const stages = Object.entries(objectOf(report.seconds_by_stage)).filter(([, value]) => isNumber(value) && value >= 0);
  if (stages.length) plots.push(barPlot("Seconds by stage", stages));
  return plots.filter(Boolean);
}

function listBlock(title, items, className = "") {
  const block = element("section", "", `text ${className}`);
  const list = element("ul");
  list.append(...items.map((item) => element("li", textOf(item))));
  block.append(element("h2", title), list);
  return block;
}

function tableBlock(title, heads, rows) {
  const block = element("section", "", "text");
  const table = element("table");
  const line = (cells, kind) => {
    const made = element("tr");
    made.append(...cells.map((cell) => element(kind, cell)));
    return made;
  };
  table.append(line(heads, "th"), ...rows.map(({ cells, given }) => {
    const made = line(cells, "td");
    if (given) made.className = "given";
    return made;
  }));
  const frame = element("div", "", "table");
  frame.append(table);
  block.append(element("h2", title), frame);
  return block;
}

function framesBlock(report) {
  const rows = listOf(report.frames).map(objectOf).map((frame, i) => ({ cells: [String(i), textOf(frame.file ?? ""),
    shortNumber(frame.weight), shortNumber(frame.sharpness), shortNumber(frame.residual), textOf(frame.weight_reason ?? "")] }));
  return rows.length ? tableBlock("Frames", ["frame", "file", "weight", "sharpness", "residual", "why"], rows) : null;
}

function viewsBlock(report) {
  const rows = listOf(report.views).map(objectOf).filter((row) => "view" in row).map((row) => ({
    cells: [textOf(row.view), ...["seconds", "iterations", "psnr_bicubic", "psnr", "ssim"].map((name) => shortNumber(row[name]))] }));
  return rows.length ? tableBlock("Views", ["view", "seconds", "iterations", "PSNR of bicubic", "PSNR", "SSIM"], rows) : null;
}

function optionsBlock(report) {
  const given = objectOf(report.options);
  const chosen = objectOf(report.chosen);
  const rows = Object.keys({ ...given, ...chosen }).map((name) => ({
    cells: [name, textOf(given[name] ?? ""), textOf(chosen[name] ?? "")],
    given: name in chosen && textOf(given[name]) === textOf(chosen[name]) }));
  return rows.length ? tableBlock("Options", ["option", "as asked", "as used"], rows) : null;
}

export class Runs {
  constructor(data) {
    this.data = data;
    $("run-chooser").hidden = data.runs.length < 2;
    fillSelect("run-choice", data.runs.map(({ name }) => name));
    bindSelect("run-choice", "run");
  }

  draw() {
    const index = clampIndex(state.run, this.data.runs.length);
    if (this.drawn === index) return;
    this.drawn = index;
    $("run-choice").value = String(index);
    const parts = [];
    if (this.data.notes.length) parts.push(listBlock("About the input", this.data.notes));
    if (this.data.runs.length) {
      const report = objectOf(this.data.runs[index].report);
      const cards = element("div", "", "cards");
      cards.append(...cardsOf(report).map(([value, text]) => {
        const card = element("div", "", "card");
        card.append(element("b", value), element("span", text));
        return card;
      }));
      parts.push(cards);
      if (listOf(report.warnings).length) parts.push(listBlock("Warnings", report.warnings, "warning"));
      if (listOf(report.notes).length) parts.push(listBlock("Notes", report.notes));
      const plots = element("div", "", "plots");
      plots.append(...plotsOf(report));
      parts.push(plots);
      if (listOf(report.explanation).length) parts.push(listBlock("What was estimated and chosen", report.explanation));
      parts.push(framesBlock(report), viewsBlock(report), optionsBlock(report));
    }
    $("run").replaceChildren(...parts.filter(Boolean));
  }

  key() { return false; }
  save() { return null; }
}
