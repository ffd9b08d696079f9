// The page: its parts, keys and tools.
import { Compare } from "./compare.js";
import { $, saveBlob, say } from "./controls.js";
import { Explore } from "./explore.js";
import { Maps } from "./maps.js";
import { Runs } from "./runs.js";
import { onState, restoreState, set, setDefaults, state } from "./state.js";

const data = JSON.parse($("data").textContent);
const parts = {};

function makeParts() {
  if (data.views.length) parts.explore = new Explore(data);
  const compared = data.results.length + data.series.length;
  if (compared) {
    parts.compare = new Compare(data);
    setDefaults({ a: 0, b: Math.min(1, compared - 1) });
  }
  if (data.maps.length) parts.maps = new Maps(data);
  if (data.runs.length || data.notes.length) parts.runs = new Runs(data);
  const [first] = compared ? ["compare"] : Object.keys(parts);
  setDefaults({ tab: first });
}

function showParts() {
  const shown = parts[state.tab] ? state.tab : Object.keys(parts)[0];
  for (const name of ["explore", "compare", "maps", "runs"]) {
    $(name).classList.toggle("shown", name === shown);
    const tab = $(`tab-${name}`);
    tab.hidden = !parts[name];
    tab.setAttribute("aria-selected", String(name === shown));
    tab.tabIndex = name === shown ? 0 : -1;
  }
  $("save").hidden = shown === "runs";
  return parts[shown];
}

function draw() { showParts()?.draw(); }

function savePng() {
  const saved = showParts()?.save();
  if (saved) saved.canvas.toBlob((blob) => saveBlob(blob, `${saved.name}.png`), "image/png");
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is in the clipboard.");
  } catch {
    say(`The link: ${location.href}`);
  }
  setTimeout(() => say(""), 4000);
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  draw();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  const inControl = event.target.closest("input, select, [role=tablist], [role=radiogroup]");
  const names = Object.keys(parts);
  if (/^[1-4]$/.test(event.key) && names[event.key - 1]) set({ tab: names[event.key - 1] });
  else if (event.key === "?") $("keys").showModal();
  else if (event.key === "s" || event.key === "S") savePng();
  else if (inControl && event.key.startsWith("Arrow")) return;
  else if (!showParts()?.key(event)) return;
  event.preventDefault();
}

function bindPage() {
  $("title").textContent = data.title;
  const first = data.views[0]?.picture;
  const count = `${data.views.length} ${data.frames ? "frames" : "views"} of ${first?.width} × ${first?.height} pixels`;
  $("subtitle").textContent = [first ? count : "", `PlenoSR ${data.version}`].filter(Boolean).join(" · ");
  for (const name of Object.keys(parts)) {
    const tab = $(`tab-${name}`);
    tab.addEventListener("click", () => set({ tab: name }));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const names = Object.keys(parts);
      const next = names[(names.indexOf(name) + step + names.length) % names.length];
      set({ tab: next });
      $(`tab-${next}`).focus();
    });
  }
  $("save").addEventListener("click", savePng);
  $("link").addEventListener("click", copyLink);
  $("theme").addEventListener("click", switchTheme);
  $("help").addEventListener("click", () => $("keys").showModal());
  addEventListener("keydown", onKey);
  addEventListener("resize", draw);
  addEventListener("hashchange", restoreState);
}

makeParts();
bindPage();
onState(draw);
restoreState();
