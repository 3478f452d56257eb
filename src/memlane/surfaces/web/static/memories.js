"use strict";
// Several memories at once, and the one in front of you.

const chosen = () => $$(".pick:checked").map((one) => one.value);

function count() {
  const bar = $("#picked");
  if (!bar) return;
  bar.hidden = chosen().length === 0;
  $("#picked-count").textContent = `${chosen().length} selected`;
}

const stand = (ids, to, by = null) => post("/memories/state", { ids, to }, by);

const meant = () => chosen().join(",") || at()?.dataset.memory;

KEYS.p = () => meant() && stand(meant(), "pause");
KEYS.X = () => meant() && stand(meant(), "forget");
KEYS.y = () => meant() && stand(meant(), "keep");
KEYS.M = () => $('[data-picked="merge"]')?.click();

document.addEventListener("change", (event) => event.target.matches(".pick") && count());
document.addEventListener("lane:refreshed", count);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-picked]");
  if (!button) return;
  const ids = chosen().join(",");
  if (button.dataset.picked === "merge") location.assign(`/memories/merge?ids=${ids}`);
  else stand(ids, button.dataset.picked, button);
});

function pickEach(on) {
  for (const one of $$(".pick")) one.checked = on;
  count();
}

document.addEventListener("change", (event) => event.target.matches("#pick-all") && pickEach(event.target.checked));
$("#pick-none")?.addEventListener("click", () => {
  pickEach(false);
  $("#pick-all").checked = false;
});
