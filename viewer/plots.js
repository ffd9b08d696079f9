// Plots as SVG.
import { element } from "./controls.js";
import { shortNumber } from "./colours.js";

const svgNames = "http://www.w3.org/2000/svg";
const plotSize = { width: 420, height: 220, left: 52, right: 12, top: 10, bottom: 28 };

function shape(name, attributes, content = "") {
  const made = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (content) made.textContent = content;
  return made;
}

// About `count` round numbers between low and high.
export function roundTicks(low, high, count) {
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].find((factor) => span / (factor * power) <= count) * power;
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k) ticks.push(k * step);
  return ticks;
}

// Lines over x. `series` is a list of {name, values}; values that are no numbers are left out.
export function linePlot(title, x, series, { unit = "", logarithmic = false, xName = "iteration" } = {}) {
  const figure = element("figure", "", "plot");
  figure.append(element("figcaption", title));
  const usable = (v) => typeof v === "number" && Number.isFinite(v) && (!logarithmic || v > 0);
  const shown = series.map(({ name, values }) => ({ name, points: x.map((at, i) => [at, values[i]]).filter(([, v]) => usable(v)) }))
    .filter(({ points }) => points.length > 1);
  if (!shown.length) return null;
  const transform = logarithmic ? Math.log10 : (v) => v;
  const all = shown.flatMap(({ points }) => points);
  let low = Math.min(...all.map(([, v]) => transform(v)));
  let high = Math.max(...all.map(([, v]) => transform(v)));
  if (low === high) [low, high] = [low - 1, high + 1];
  const first = Math.min(...all.map(([at]) => at));
  const last = Math.max(...all.map(([at]) => at), first + 1);
  const { width, height, left, right, top, bottom } = plotSize;
  const px = (at) => left + (at - first) / (last - first) * (width - left - right);
  const py = (v) => height - bottom - (transform(v) - low) / (high - low) * (height - top - bottom);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${title}: ${shown.map(({ name, points }) => `${name} from ${shortNumber(points[0][1])} to ${shortNumber(points.at(-1)[1])}`).join("; ")}` });
  for (const tick of roundTicks(low, high, 5)) {
    const y = height - bottom - (tick - low) / (high - low) * (height - top - bottom);
    svg.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: y, y2: y }),
      shape("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, shortNumber(logarithmic ? 10 ** tick : tick)));
  }
  for (const tick of roundTicks(first, last, 6)) {
    svg.append(shape("text", { x: px(tick), y: height - 9, "text-anchor": "middle" }, shortNumber(tick)));
  }
  shown.forEach(({ points }, k) => {
    svg.append(shape("polyline", { class: `series-${k % 3 + 1}`, points: points.map(([at, v]) => `${px(at)},${py(v)}`).join(" ") }));
  });
  const legend = element("div", "", "legend");
  shown.forEach(({ name }, k) => {
    const item = element("span");
    item.append(element("i", "", `series-${k % 3 + 1}`), name);
    legend.append(item);
  });
  const readout = element("output", `${xName}, ${unit || "no unit"}${logarithmic ? ", logarithmic" : ""}`);
  const dots = shown.map((_, k) => shape("circle", { class: `dot series-${k % 3 + 1}`, r: 4, visibility: "hidden" }));
  svg.append(...dots);
  const readAt = (event) => {
    const box = svg.getBoundingClientRect();
    const at = first + ((event.clientX - box.left) / box.width * width - left) / (width - left - right) * (last - first);
    const words = shown.map(({ name, points }, k) => {
      const nearest = points.reduce((best, point) => Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best);
      for (const [key, value] of [["cx", px(nearest[0])], ["cy", py(nearest[1])], ["visibility", "visible"]]) dots[k].setAttribute(key, value);
      return [nearest[0], `${name} ${shortNumber(nearest[1])}`];
    });
    readout.textContent = `${xName} ${shortNumber(words[0][0])}: ${words.map(([, text]) => text).join(", ")}${unit ? ` ${unit}` : ""}`;
  };
  svg.addEventListener("pointermove", readAt);
  svg.addEventListener("pointerdown", readAt);
  figure.append(svg, legend, readout);
  return figure;
}

// Bars of seconds, by name.
export function barPlot(title, bars) {
  const figure = element("figure", "", "plot");
  figure.append(element("figcaption", title));
  const width = 420;
  const row = 30;
  const largest = Math.max(...bars.map(([, value]) => value), 1e-9);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${row * bars.length + 6}`, role: "img",
    "aria-label": `${title}: ${bars.map(([name, value]) => `${name} ${shortNumber(value)} s`).join("; ")}` });
  bars.forEach(([name, value], i) => {
    svg.append(shape("text", { x: 0, y: row * i + 20 }, name),
      shape("rect", { class: "bar", x: 90, y: row * i + 8, width: Math.max(1, 250 * value / largest), height: 16, rx: 3 }),
      shape("text", { x: 96 + 250 * value / largest, y: row * i + 20 }, `${shortNumber(value)} s`));
  });
  figure.append(svg);
  return figure;
}
