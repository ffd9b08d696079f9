// What the user chose. It stands in the address, so that a link restores it.

const defaults = {
  tab: "", row: 0, col: 0, aperture: 0, focus: 0, exposure: 0, axis: "row", line: -1,
  a: 0, b: 0, mode: "slider", split: 0.5, swapped: 0, gain: 2, zoom: 0, x: 0.5, y: 0.5, map: 0, run: 0,
  field: 0, film: -1,
};
export const state = { ...defaults };

const listeners = new Set();
export function onState(listener) { listeners.add(listener); }

let pending = 0;
function announce() {
  if (pending) return;
  pending = requestAnimationFrame(() => {
    pending = 0;
    for (const listener of listeners) listener(state);
    storeState();
  });
}

// Changes some values; listeners hear of it before the next frame.
export function set(changes) {
  Object.assign(state, changes);
  announce();
}

export function setDefaults(changes) {
  Object.assign(defaults, changes);
  Object.assign(state, changes);
}

function storeState() {
  const parts = [];
  for (const [name, value] of Object.entries(state)) {
    if (value === defaults[name] && name !== "tab") continue;
    parts.push(`${name}=${encodeURIComponent(typeof value === "number" ? Number(value.toPrecision(7)) : value)}`);
  }
  try {
    history.replaceState(null, "", "#" + parts.join("&"));
  } catch {
    // Pages within other pages, as in notebooks, have no address of their own.
  }
}

// Values of other types than those of the defaults are ignored.
export function restoreState() {
  const found = { ...defaults };
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!Object.hasOwn(defaults, name)) continue;
    if (typeof defaults[name] === "string") found[name] = text;
    else if (text !== "" && Number.isFinite(Number(text))) found[name] = Number(text);
  }
  Object.assign(state, found);
  announce();
}
