"use strict";
// The tree: arrows fold and open. What nobody talked to is folded at first; a choice is kept while the page is open.

const shut = new Set();

function depthOf(row) {
  return Number(row.dataset.depth);
}

function below(row) {
  const found = [];
  for (let next = row.nextElementSibling; next && depthOf(next) > depthOf(row); next = next.nextElementSibling) found.push(next);
  return found;
}

function drawn() {
  for (const row of $$("tr.branch")) row.hidden = false;
  for (const row of $$("tr.branch[aria-expanded]")) {
    const open = !shut.has(row.id);
    row.setAttribute("aria-expanded", String(open));
    if (!open) for (const one of below(row)) one.hidden = true;
  }
}

function turn(row, open) {
  if (!row?.hasAttribute("aria-expanded")) return;
  if (open) shut.delete(row.id);
  else shut.add(row.id);
  drawn();
}

function above(row) {
  let before = row.previousElementSibling;
  while (before && !(depthOf(before) < depthOf(row))) before = before.previousElementSibling;
  return before;
}

function folded(within = document) {
  for (const row of $$("tr.branch[aria-expanded]", within)) if (below(row).every((one) => "folds" in one.dataset)) shut.add(row.id);
  drawn();
}

folded();
document.addEventListener("lane:refreshed", drawn);
document.addEventListener("click", (event) => {
  const row = event.target.closest("button.fold")?.closest("tr");
  if (row) turn(row, shut.has(row.id));
});

// What only Central has: asked again while somebody looks, and drawn anew when it says something else.
const there = $("#tree-there");
const ASK_AGAIN = 10000;

async function askCentral() {
  const fresh = document.visibilityState === "visible" && await fetched(there.dataset.asks).catch(() => null);
  const [old, list] = [$("#tree-there-list"), fresh && $("#tree-there-list", fresh)];
  if (list && !old) there.append(list);
  else if (list && wordsIn(list) !== wordsIn(old)) replaced(old, list);
  if (list && !old) folded(there);
  else drawn();
  setTimeout(askCentral, ASK_AGAIN);
}

if (there) askCentral();

KEYS.ArrowRight = () => turn(at(), true);
KEYS.ArrowLeft = () => {
  const row = at();
  if (row?.hasAttribute("aria-expanded") && !shut.has(row.id)) turn(row, false);
  else if (row && above(row)) stepTo(above(row));
};
KEYS.ArrowDown = () => nextCard(1);
KEYS.ArrowUp = () => nextCard(-1);
KEYS.Home = () => stepTo(cards()[0]);
KEYS.End = () => stepTo(cards().at(-1));
