"use strict";
// Words in a run: marked where they stand, counted over all steps, loaded or not, and gone through one by one.
// The server counts them (find.py); here the same blocks are searched in the steps that are on the page.

const BLOCKS = ".call:has(.diff) > summary .brief, .command, .given, .result, .said, .prose, .aside > pre.plain, .diff code";
let hits = []; // [step, how often], all of them in their order
let now = 0; // which match one is at, counted over all

const words = () => $("#found").dataset.find;
const total = () => hits.reduce((sum, [, times]) => sum + times, 0);

function pattern() {
  const typed = words().trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
  return new RegExp(typed.join("\\s+"), "gi");
}

/** The text nodes of a block, without what the page adds to it. */
function pieces(block) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest(".muted") && block.contains(node.parentElement.closest(".muted")) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}

function wrap(node, from, to, n) {
  if (to < node.length) node.splitText(to);
  const middle = from ? node.splitText(from) : node;
  const mark = document.createElement("mark");
  mark.dataset.n = String(n);
  middle.replaceWith(mark);
  mark.append(middle);
}

/** Marks what matches in a block; gives the number that the step's next match has. */
function markBlock(block, fits, n) {
  const nodes = pieces(block);
  const starts = [];
  let text = "";
  for (const node of nodes) {
    starts.push(text.length);
    text += node.data;
  }
  const places = [...text.matchAll(fits)];
  for (let k = places.length - 1; k >= 0; k -= 1) { // from the end: a text node keeps its beginning when it is split
    const [from, to] = [places[k].index, places[k].index + places[k][0].length];
    nodes.forEach((node, i) => {
      const [begin, end] = [Math.max(0, from - starts[i]), Math.min(node.length, to - starts[i])];
      if (begin < end) wrap(node, begin, end, n + k);
    });
  }
  return n + places.length;
}

function markStep(step) {
  if ($("mark", step)) return;
  const fits = pattern();
  let n = 0;
  for (const block of $$(BLOCKS, step)) if (!block.closest(".child")) n = markBlock(block, fits, n);
}

function markSteps() {
  for (const [id] of hits) {
    const step = document.getElementById(id);
    if (step) markStep(step);
  }
}

// -- one by one -------------------------------------------------------------------------------------------------------

/** The step of a match, and which of the step's it is. */
function stepOf(n) {
  let before = 0;
  for (const [id, times] of hits) {
    if (n < before + times) return [id, n - before];
    before += times;
  }
  return ["", 0];
}

const firstOf = (id) => hits.slice(0, hits.findIndex(([one]) => one === id)).reduce((sum, [, times]) => sum + times, 0);

async function wholeOf(step) { // a result that was cut may have it further down
  const button = $("[data-whole]", step);
  const whole = button && $(".step", await fetched(button.dataset.whole));
  if (!whole) return step;
  step.replaceWith(whole);
  markStep(whole);
  return whole;
}

function sayWhere() {
  $(".at-hit", $("#found")).textContent = `${now + 1} of `;
  for (const link of $$("#found li a")) {
    if (link.hash === `#${stepOf(now)[0]}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

async function show(n) {
  now = n;
  const [id, k] = stepOf(n);
  const address = new URLSearchParams({ find: words(), at: id });
  let step = document.getElementById(id);
  if (!step) {
    sessionStorage.setItem("lane-hit", String(n));
    location.assign(`${location.pathname}?${address}#${id}`);
    return;
  }
  if (!$(`mark[data-n="${k}"]`, step)) step = await wholeOf(step);
  for (const one of $$("mark.at-it")) one.classList.remove("at-it");
  for (const one of $$(".step.here")) one.classList.remove("here");
  step.classList.add("here");
  const marks = $$(`mark[data-n="${k}"]`, step);
  for (const one of marks) {
    one.classList.add("at-it");
    for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
  history.replaceState(null, "", `${location.pathname}?${address}#${id}`);
  const [place, frame] = [marks[0] || step, () => new Promise(requestAnimationFrame)];
  place.scrollIntoView({ block: "center" });
  sayWhere();
  await frame();
  await frame(); // once more, when what stands above it has its height
  if (now === n) place.scrollIntoView({ block: "center" });
}

const go = (by) => total() && show((now + by + total()) % total());
Object.assign(KEYS, { n: () => go(1), N: () => go(-1) });

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-hit]");
  if (!button) return;
  event.preventDefault();
  go(Number(button.dataset.hit));
});

document.addEventListener("submit", (event) => { // Enter once more: the next one
  const field = event.target.elements.find;
  if (field?.value !== words() || !total()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  go(1);
}, true);

function counted() {
  hits = JSON.parse($("#found").dataset.hits);
  markSteps();
}

document.addEventListener("lane:more", markSteps);
document.addEventListener("lane:refreshed", () => { // it grew, and so may what was found
  counted();
  if (total()) sayWhere();
});

counted();
if (total()) {
  const asked = new URLSearchParams(location.search).get("at") || hits[0][0];
  const left = sessionStorage.getItem("lane-hit");
  sessionStorage.removeItem("lane-hit");
  const n = left !== null && stepOf(Number(left))[0] === asked ? Number(left) : hits.some(([id]) => id === asked) ? firstOf(asked) : -1;
  if (n >= 0) show(n);
}
