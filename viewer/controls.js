// Small helpers for the elements of the page.
import { set } from "./state.js";

export const $ = (id) => document.getElementById(id);

export function element(name, content = "", className = "") {
  const made = document.createElement(name);
  if (content !== "") made.textContent = content;
  if (className) made.className = className;
  return made;
}

export function say(text) { $("message").textContent = text; }

// A slider that changes one value of the state.
export function bindSlider(id, name) {
  $(id).addEventListener("input", () => set({ [name]: Number($(id).value) }));
}

export function showSlider(id, value, text) {
  $(id).value = value;
  $(`${id}-value`).textContent = text;
  $(id).setAttribute("aria-valuetext", text);
}

// Radio buttons that set one value of the state: ids are `${prefix}-${choice}`.
export function bindChoice(prefix, name, choices) {
  choices.forEach((choice, i) => {
    const button = $(`${prefix}-${choice}`);
    button.addEventListener("click", () => set({ [name]: choice }));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = choices[(i + step + choices.length) % choices.length];
      set({ [name]: next });
      $(`${prefix}-${next}`).focus();
    });
  });
}

export function showChoice(prefix, choices, chosen) {
  for (const choice of choices) {
    const button = $(`${prefix}-${choice}`);
    button.setAttribute("aria-checked", String(choice === chosen));
    button.tabIndex = choice === chosen ? 0 : -1;
  }
}

export function fillSelect(id, names) {
  $(id).replaceChildren(...names.map((name, i) => {
    const option = element("option", name);
    option.value = String(i);
    return option;
  }));
}

export function bindSelect(id, name) {
  $(id).addEventListener("change", () => set({ [name]: Number($(id).value) }));
}

export function saveBlob(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The place of an event in the pixels of a canvas.
export function placeIn(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return { x: (event.clientX - box.left) / box.width * canvas.width, y: (event.clientY - box.top) / box.height * canvas.height };
}

// A list or number that a link or a report may have spoiled.
export function clampIndex(value, count) {
  return Math.min(Math.max(Math.round(value) || 0, 0), Math.max(0, count - 1));
}

// The largest size of a canvas in its frame that keeps its shape, as style.
export function fitCanvas(canvas, width, height) {
  const frame = canvas.parentElement;
  const narrow = matchMedia("(max-width: 760px)").matches;
  const room = narrow ? Infinity : frame.clientHeight;
  const scale = Math.max(0.01, Math.min(frame.clientWidth / width, room / height));
  canvas.style.width = `${Math.floor(width * scale)}px`;
  canvas.style.height = `${Math.floor(height * scale)}px`;
  canvas.classList.toggle("sharp", scale * devicePixelRatio >= 3);
}
