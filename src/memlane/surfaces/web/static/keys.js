"use strict";
// Cards one steps through, and what each key does. A page's own script adds to KEYS what is its own.

const cards = () => $$("[data-card]").filter((card) => card.offsetParent !== null);
const at = () => $("[data-card].at");

function stepTo(card) {
  if (!card) return;
  for (const one of $$("[data-card].at")) one.classList.remove("at");
  card.classList.add("at");
  card.focus({ preventScroll: true });
  const box = card.getBoundingClientRect();
  if (box.top < 90 || box.bottom > innerHeight - 20) card.scrollIntoView({ block: box.height > innerHeight / 2 ? "start" : "center" });
}

function nextCard(by, fits = null) {
  const list = cards();
  const here = list.indexOf(at());
  const start = here < 0 ? list.findIndex((card) => card.getBoundingClientRect().bottom > 90) - (by > 0 ? 1 : 0) : here;
  for (let n = start + by; n >= 0 && n < list.length; n += by) if (!fits || fits(list[n])) return stepTo(list[n]);
  const around = fits && (by > 0 ? list : [...list].reverse()).find(fits); // past the end it begins again
  return around && stepTo(around);
}

const pressIn = (name) => ($(`[data-key-name="${name}"]`, at() || document) || null)?.click();
const LEADS = ["a.hit", "a.title", ".title a", ".mark a.memory-link", "li > a", "a.anchor"];
const open = () => at() && LEADS.map((one) => $(one, at())).find(Boolean)?.click();

function unfold(within) {
  const fold = $("details", within);
  if (fold) fold.open = !fold.open;
}

function leave() {
  for (const one of $$("[data-card].at")) one.classList.remove("at");
  document.activeElement?.blur();
}

function edit() {
  const fold = $("#edit");
  if (fold) fold.open = true;
  $("#e-title")?.focus();
}

async function showKeys() {
  const dialog = $("#keys");
  if (!dialog || page === "keys") return;
  const told = await fetched("/help/keys");
  $(".keys", dialog).replaceChildren(...$(".keys", told).children);
  dialog.showModal();
}

const KEYS = {
  j: () => nextCard(1),
  k: () => nextCard(-1),
  o: open,
  Enter: open,
  "?": showKeys,
  T: () => $("#theme").click(),
  z: () => lastUndo && takeBack(lastUndo),
  u: () => pressIn("up"),
  d: () => pressIn("down"),
  w: () => unfold(at() || document),
  t: () => unfold(at() || document.body),
  L: () => $("#hold")?.click(),
  p: () => pressIn("pause"),
  X: () => pressIn("forget"),
  x: () => $(".pick", at() || document)?.click(),
  n: () => page === "review" && pressIn("forget"),
  y: () => (page === "review" || page === "merge") && pressIn("keep"),
  s: () => page === "review" && nextCard(1),
  e: () => page === "memory" && edit(),
  Escape: leave,
};

function searchWith(field) {
  field?.focus();
  field?.select();
}

let went = false; // `g` was pressed: the next key names a page

function pressed(key) {
  if (went) {
    went = false;
    const link = $(`[data-go="${CSS.escape(key)}"]`);
    if (link) location.assign(link.href);
  } else if (key === "g") {
    went = true;
    setTimeout(() => { went = false; }, 1200);
  } else if (key === "/") searchWith($("[data-slash]") || $("#everything"));
  else if (KEYS[key]) KEYS[key]();
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    searchWith($("#everything"));
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && typing()?.form && !event.isComposing) {
    event.preventDefault();
    typing().form.requestSubmit();
    return;
  }
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (typing()) {
    if (event.key === "Escape") document.activeElement.blur();
    return;
  }
  if (kept("keys") === "off" && event.key !== "Escape") return;
  if (event.key === "Enter" && document.activeElement?.matches("a, button, summary")) return;
  if (pressed(event.key)) event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  const card = event.target.closest?.("[data-card]");
  if (card && !card.classList.contains("at")) {
    for (const one of $$("[data-card].at")) one.classList.remove("at");
    card.classList.add("at");
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keys]")) {
    event.preventDefault();
    showKeys();
  }
});

const single = $("#keys-on");
if (single) {
  single.checked = kept("keys") !== "off";
  single.addEventListener("change", () => kept("keys", single.checked ? "on" : "off"));
}

// -- all pages, where the menu has room for a few ---------------------------------------------------------------------

$("#all-pages").addEventListener("click", (event) => {
  const open = $(".rail").classList.toggle("open");
  event.currentTarget.setAttribute("aria-expanded", String(open));
});

// -- theme ------------------------------------------------------------------------------------------------------------

const THEMES = ["auto", "light", "dark", "contrast"];
$("#theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
  root.dataset.theme = theme;
  $("#theme .word").textContent = theme;
  document.cookie = `lane-theme=${theme}; path=/; max-age=31536000; samesite=strict`;
});
