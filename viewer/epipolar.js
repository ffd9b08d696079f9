// The epipolar plane of a row or column: a line of every view, one below the other.
import { $ } from "./controls.js";
import { shownValue } from "./colours.js";
import { valueAt } from "./pictures.js";
import { state } from "./state.js";

export function linesOf(field) { return state.axis === "row" ? field.height : field.width; }

// The views in the row, or column, of the present one.
export function viewsOnLine({ views }, from) {
  const [same, other] = state.axis === "row" ? ["row", "col"] : ["col", "row"];
  return views.map((_, i) => i).filter((i) => views[i][same] === views[from][same])
    .sort((a, b) => views[a][other] - views[b][other]);
}

export function drawEpipolarPlane(field, indices, linear, viewWidth) {
  const canvas = $("epi");
  const along = state.axis === "row" ? field.width : field.height;
  const line = Math.min(Math.max(Math.round(state.line), 0), linesOf(field) - 1);
  canvas.width = along;
  canvas.height = indices.length;
  const pixels = new ImageData(along, indices.length);
  indices.forEach((index, k) => {
    const { image } = field.views[index];
    for (let i = 0; i < along; ++i) {
      const at = 4 * (k * along + i);
      pixels.data[at + 3] = 255;
      for (let c = 0; image && c < 3; ++c) {
        const value = state.axis === "row" ? valueAt(image, i, line, c) : valueAt(image, line, i, c);
        pixels.data[at + c] = shownValue(value, state.exposure, linear);
      }
    }
  });
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  // Below a row of the picture, its epipolar plane has the same columns.
  canvas.style.width = state.axis === "row" ? viewWidth : "100%";
}
