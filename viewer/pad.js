// The dots that show which views there are, and which take part in the picture.
import { $ } from "./controls.js";

// Left, top and distance of the dots, in pixels of the canvas.
export function padLayout({ rows, cols }) {
  const pad = $("pad");
  const across = cols[1] - cols[0] + 1;
  const down = rows[1] - rows[0] + 1;
  const cell = Math.min(pad.width / (across + 1), pad.height / (down + 1));
  return [(pad.width - (across - 1) * cell) / 2, (pad.height - (down - 1) * cell) / 2, cell];
}

export function drawPad(field, from, used) {
  const pad = $("pad");
  pad.width = pad.clientWidth * devicePixelRatio;
  pad.height = pad.clientHeight * devicePixelRatio;
  const context = pad.getContext("2d");
  const [left, top, cell] = padLayout(field);
  const style = getComputedStyle(document.documentElement);
  field.views.forEach((view, i) => {
    context.beginPath();
    const size = Math.max(1.5, Math.min(cell * 0.36, 9 * devicePixelRatio)) * (i === from ? 1.25 : 0.85);
    context.arc(left + (view.col - field.cols[0]) * cell, top + (view.row - field.rows[0]) * cell, size, 0, 7);
    context.fillStyle = style.getPropertyValue(used.has(i) ? "--accent" : "--line");
    context.fill();
    if (i === from) {
      context.lineWidth = 2 * devicePixelRatio;
      context.strokeStyle = style.getPropertyValue("--ink");
      context.stroke();
    }
  });
}
