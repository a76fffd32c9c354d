// One step at a time. A step is a text cell and the code below it; each output of it is one press more.
"use strict";
const cells = [...document.querySelectorAll("main .cell")], stops = [], where = document.getElementById("keys");
const help = where.textContent;
let step = 0;
for (const cell of cells) {
  const text = cell.classList.contains("text_cell"), out = cell.querySelector(".output_wrapper, .output");
  if (text || stops.length === 0) stops.push({step: ++step, out: null});
  cell.step = step;
  if (out) { out.order = stops.length; stops.push({step, out}); }
}
let at = 0, typed = "", size = 1;

// Everything grows with the screen, pictures too: a step is laid out as on a page 800 pixels wide.
function fit() { document.querySelector("main").style.zoom = size * window.innerWidth / 800; }

function show(to) {
  at = Math.max(0, Math.min(to, stops.length - 1));
  for (const cell of cells) {
    cell.hidden = cell.step !== stops[at].step;
    const out = cell.querySelector(".output_wrapper, .output");
    if (out) out.hidden = out.order > at;
  }
  where.textContent = `${stops[at].step} / ${step}`;
  if (at === 0) where.textContent += " · " + help;
  if (stops[at].out) stops[at].out.scrollIntoView({block: "nearest"}); else window.scrollTo(0, 0);
  history.replaceState(null, "", `#${stops[at].step}`);
}

function stepTo(number) { const found = stops.findIndex(stop => stop.step === number); if (found >= 0) show(found); }

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const fold = event.target.closest && event.target.closest("summary, a");
  if ((event.key === " " || event.key === "Enter") && fold) return;  // opens what has the focus
  const moves = {" ": 1, ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1};
  if (event.key in moves) show(at + moves[event.key]);
  else if (event.key === "Home") show(0);
  else if (event.key === "+" || event.key === "-") {
    size = Math.max(0.5, Math.min(2, size * (event.key === "+" ? 1.1 : 1 / 1.1)));
    fit();
  }
  else if (/^\d$/.test(event.key)) typed += event.key;
  else if (event.key === "Enter") { stepTo(Number(typed)); typed = ""; }
  else return;
  event.preventDefault();
});
window.addEventListener("resize", fit);
fit();
show(0);
if (location.hash) stepTo(Number(location.hash.slice(1)));
