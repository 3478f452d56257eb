"use strict";
// What every page does in a browser: acts, and the page as it is after them. Pages are whole without it, to be read.
// Scripts are loaded in the order of layout.html and share their names: app.js, news.js, keys.js, then a page's own.
//
//   data-act, data-body    a button that posts; what came of it is said, and the parts of the page are fetched again
//   data-form              a form that posts its fields the same way
//   data-part, id          a part of the page that may be replaced by what its address gives now
//   data-count             such a part that is only a number or two: it follows at once, whoever reads
//   data-card, id          something j and k step through
//   data-later             what takes its time: fetched once the page is there, and again while it says data-again

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const page = document.body.dataset.page || "";
const ours = window.trustedTypes
  ? trustedTypes.createPolicy("lane", { createHTML: (text) => text, createScriptURL: (url) => url })
  : { createHTML: (text) => text, createScriptURL: (url) => url };

function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = ours.createHTML(html); // written by our own server, for this page
  return holder.content;
}

function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`lane-${name}`);
    localStorage.setItem(`lane-${name}`, value);
  } catch {
    // a browser that keeps nothing is fine
  }
  return value;
}

// -- what is said -----------------------------------------------------------------------------------------------------

let lastUndo = "";

function say(text, { undo = "", wrong = false } = {}) {
  const toast = document.createElement("div");
  toast.className = wrong ? "toast wrong" : "toast";
  const words = document.createElement("span");
  words.textContent = text;
  toast.append(words);
  if (undo) {
    lastUndo = undo;
    const button = document.createElement("button");
    button.className = "button small";
    button.textContent = "Undo";
    button.addEventListener("click", () => {
      toast.remove();
      takeBack(undo);
    });
    toast.append(button);
  }
  const place = $("#toasts");
  place.append(toast);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => toast.remove(), wrong ? 15000 : 9000);
}

function takeBack(undo) {
  lastUndo = "";
  return post(`/undo/${undo}`, {});
}

// -- acts -------------------------------------------------------------------------------------------------------------

async function post(to, body, by = null) {
  if (by?.getAttribute("aria-busy") === "true") return false;
  by?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(to, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const told = await answer.json();
    if (!answer.ok) {
      say(told.error.hint ? `${told.error.message} (${told.error.hint})` : told.error.message, { wrong: true });
      return false;
    }
    if (told.says) say(told.says, told);
    if (told.go && told.go !== location.pathname) {
      sessionStorage.setItem("lane-said", JSON.stringify(told));
      location.assign(told.go);
    } else {
      await refresh();
      for (const place of $$("[data-later]")) if (!by || place.contains(by)) await later(place);
    }
    return true;
  } catch {
    say("Memory Lane does not answer. Nothing was changed; what you typed is still here.", { wrong: true });
    return false;
  } finally {
    by?.removeAttribute("aria-busy");
  }
}

async function sure(question) {
  const dialog = $("#ask");
  $("#asked").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  return dialog.returnValue === "yes";
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  if (button.dataset.ask && !(await sure(button.dataset.ask))) return;
  post(button.dataset.act, JSON.parse(button.dataset.body || "{}"), button);
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.form) {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(form));
    const fold = form.closest("details")?.id;
    if (await post(form.dataset.form, body, form.querySelector("button"))) {
      const now = document.getElementById(fold);
      if (now?.matches(".add")) $("form", now).reset();
      now?.removeAttribute("open");
      $("summary", now || document.body)?.focus();
    }
  } else if (form.method === "get") {
    for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
    setTimeout(() => {
      for (const field of form.elements) field.disabled = false;
    });
  }
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.matches(".filters select[name]")) field.form.requestSubmit();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button.dataset.copy);
});

async function copy(text) {
  await navigator.clipboard.writeText(text);
  say("Copied.");
}

// -- the page as it is now --------------------------------------------------------------------------------------------

function typing() {
  const at = document.activeElement;
  return at && at.matches("input:not([type=checkbox]), textarea, select, [contenteditable]") ? at : null;
}

async function fetched(address = location.href) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return parsed(await answer.text());
}

function replaced(old, fresh) {
  const open = new Map($$("details[id]", old).map((fold) => [fold.id, fold.open]));
  const typed = new Map($$("form[data-form] [id]", old).map((field) => [field.id, field.value]));
  const at = old.contains(document.activeElement) ? document.activeElement : null;
  const card = at?.closest("[id]")?.id;
  const same = at?.dataset.act ? `[data-act="${CSS.escape(at.dataset.act)}"]` : "";
  const mine = $("[data-card].at", old)?.id;
  const busy = typing() && old.contains(typing());
  for (const fold of $$("details[id]", fresh)) if (open.has(fold.id)) fold.open = open.get(fold.id);
  if (busy) for (const [id, value] of typed) {
    const field = fresh.querySelector(`#${CSS.escape(id)}`);
    if (field) field.value = value;
  }
  const caret = busy && at.selectionStart !== undefined ? [at.selectionStart, at.selectionEnd] : null;
  old.replaceWith(fresh);
  if (mine) document.getElementById(mine)?.classList.add("at");
  if (at) {
    const again = (at.id && document.getElementById(at.id))
      || (same && $$(same, fresh).find((one) => one.dataset.body === at.dataset.body))
      || (card && document.getElementById(card));
    again?.focus({ preventScroll: true });
    if (caret && again?.setSelectionRange) again.setSelectionRange(...caret);
  }
}

const refresh = async () => put(await fetched());

function put(now) {
  putParts(now, "[data-part]");
  document.dispatchEvent(new Event("lane:refreshed"));
}

/** Only what counts: nothing a reader has under their eyes or hands is moved by it. */
const putCounts = (now) => putParts(now, "[data-count]");

function putParts(now, which) {
  for (const old of $$(which)) {
    const fresh = now.querySelector(`#${CSS.escape(old.id)}`);
    if (fresh && fresh.outerHTML !== old.outerHTML) replaced(old, fresh);
  }
  for (const one of ["#menu", "#status"]) {
    const [old, fresh] = [$(one), now.querySelector(one)];
    if (fresh && !old.contains(document.activeElement)) old.replaceWith(fresh);
  }
}

/** Whether a part says something else now; what a reader opened or chose in it is no news. */
const differs = (now) => $$("[data-part]:not([data-count])").some((old) => {
  const fresh = now.querySelector(`#${CSS.escape(old.id)}`);
  return fresh && wordsIn(fresh) !== wordsIn(old);
});
const wordsIn = (part) => part.textContent.replace(/\d+ (s|min|h|d) ago|now|\s+/g, " ").trim();

// -- parts that take their time ---------------------------------------------------------------------------------------

async function later(place) {
  try {
    place.replaceChildren(await fetched(place.dataset.later));
    place.removeAttribute("aria-busy");
  } catch {
    place.textContent = "This part could not be loaded. Reload the page to try again.";
    return;
  }
  if ($("[data-again]", place)) setTimeout(() => later(place), 300); // it is not through yet
}

for (const place of $$("[data-later]")) later(place);

// -- parts that say they are not through yet --------------------------------------------------------------------------

let following = 0;

function lookAgain() {
  clearTimeout(following);
  if ($("[data-part] [data-again]")) following = setTimeout(() => refresh().catch(lookAgain), 2000);
}

document.addEventListener("lane:refreshed", lookAgain);
lookAgain();
for (const one of $$("[data-in-sight]")) one.scrollIntoView({ block: "nearest", inline: "center" });

// -- how long ago -----------------------------------------------------------------------------------------------------

const SPANS = [[60, "s", 1], [3600, "min", 60], [86400, "h", 3600], [14 * 86400, "d", 86400]]; // as look.py says it

function ago(time) {
  const seconds = Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000);
  const [, unit, by] = SPANS.find(([under]) => seconds < under) || [];
  return unit ? `${Math.floor(seconds / by)} ${unit} ago` : time.textContent;
}

setInterval(() => {
  for (const time of $$("time.ago")) if (time.textContent !== ago(time)) time.textContent = ago(time);
}, 20000);

// -- at the start -----------------------------------------------------------------------------------------------------

const said = sessionStorage.getItem("lane-said");
if (said) {
  sessionStorage.removeItem("lane-said");
  const told = JSON.parse(said);
  say(told.says, told);
}
const folds = [["48rem", ".facet"], ["80rem", "#outline-fold"], ["68.75rem", "#about-fold"]]; // where there is no room beside
for (const [under, which] of folds) if (matchMedia(`(max-width: ${under})`).matches) for (const fold of $$(which)) fold.open = false;
