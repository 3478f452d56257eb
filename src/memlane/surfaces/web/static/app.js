"use strict";
// What every page does in a browser: acts, keys, what is new. Pages are whole without it, to be read.
//
//   data-act, data-body    a button that posts; what came of it is said, and the parts of the page are fetched again
//   data-form              a form that posts its fields the same way
//   data-part, id          a part of the page that may be replaced by what its address gives now
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

async function refresh() {
  const now = await fetched();
  for (const old of $$("[data-part]")) {
    const fresh = now.querySelector(`#${CSS.escape(old.id)}`);
    if (fresh && fresh.outerHTML !== old.outerHTML) replaced(old, fresh);
  }
  const counts = now.querySelector(".rail ul");
  if (counts) $(".rail ul").replaceWith(counts);
  document.dispatchEvent(new Event("lane:refreshed"));
}

// -- what is new ------------------------------------------------------------------------------------------------------

let asOf = new Date();
let holding = false;
let pending = 0;

function reading() {
  const list = $("[data-part]");
  return holding || document.hidden || window.scrollY > 120 || typing()
    || (list && (list.matches(":hover") || list.contains(document.activeElement)));
}

const WORDS = { lane: ["new recall", "new recalls"], runs: ["change", "changes"], memories: ["change", "changes"] };

function offer() {
  const button = $("#fresh");
  if (!button) return;
  const [one, more] = WORDS[page] || WORDS.runs;
  button.textContent = `${pending} ${pending === 1 ? one : more}`;
  button.parentElement.hidden = pending === 0;
}

async function showNews() {
  pending = 0;
  offer();
  if (page === "lane") await arrive();
  else await refresh();
}

async function arrive() {
  const now = await fetched();
  const feed = $("#recalls");
  if (!$(".recall", feed)) {
    await refresh();
    return;
  }
  let after = null;
  for (const fresh of $$(".recall", now)) {
    const known = document.getElementById(fresh.id);
    if (known) {
      after = known;
      continue;
    }
    fresh.classList.add("new");
    if (after) after.after(fresh);
    else feed.prepend(fresh);
    after = fresh;
  }
}

const heard = new Set();
let soon = 0;

function tell(news) {
  const key = `${news.what} ${news.about}`;
  if (page === "lane" && news.what === "recall") {
    if (heard.has(key) || document.getElementById(news.about)) return;
    heard.add(key);
    pending += 1;
    if (reading()) offer();
    else {
      clearTimeout(soon);
      soon = setTimeout(showNews, 150);
    }
  } else if (page === "transcript" && ((news.what === "run" && news.about === document.body.dataset.run) || news.what === "again")) {
    document.dispatchEvent(new Event("lane:grew"));
  } else if ((page === "runs" && news.what === "run") || (page.startsWith("memor") && news.what === "memory")
    || (news.what === "again" && page !== "lane") || document.body.dataset.news === news.what) {
    clearTimeout(soon);
    soon = setTimeout(() => {
      if (reading()) {
        pending += 1;
        offer();
      } else refresh().catch(() => {});
    }, 1500);
  }
}

function standing(state) {
  const place = $("#live");
  if (!place) return;
  place.className = `live ${state === "live" ? "on" : state === "offline" ? "off" : ""}`;
  if (state === "live") asOf = new Date();
  const time = asOf.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  $(".word", place).textContent = { live: "live", offline: `reconnecting, as of ${time}` }[state] || "connecting";
}

function listen() {
  const after = document.body.dataset.newest || document.body.dataset.now;
  const got = (message) => (message.news ? tell(message.news) : standing(message.state));
  if (window.SharedWorker) {
    const worker = new SharedWorker(ours.createScriptURL(document.body.dataset.live), { name: "lane" });
    worker.port.onmessage = (event) => got(event.data);
    worker.port.postMessage({ after });
    window.addEventListener("pagehide", () => worker.port.postMessage({ bye: true }));
    window.addEventListener("pageshow", (event) => event.persisted && worker.port.postMessage({ after }));
    return;
  }
  let source = null;
  const look = () => {
    if (document.hidden) source?.close();
    else {
      source = new EventSource(`/events?after=${encodeURIComponent(after)}`);
      source.onopen = () => standing("live");
      source.onerror = () => standing("offline");
      source.onmessage = (event) => tell({ id: event.lastEventId, ...JSON.parse(event.data) });
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
}

$("#fresh")?.addEventListener("click", () => {
  window.scrollTo({ top: 0 });
  showNews();
});
$("#hold")?.addEventListener("click", () => {
  holding = !holding;
  const button = $("#hold");
  button.setAttribute("aria-pressed", String(holding));
  button.textContent = holding ? "Held" : "Live";
  if (!holding && pending) showNews();
});

// -- cards and keys ---------------------------------------------------------------------------------------------------

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
const LEADS = ["a.title", ".title a", ".mark a.memory-link", "li > a", "a.anchor"];
const open = () => at() && LEADS.map((one) => $(one, at())).find(Boolean)?.click();

const KEYS = {
  j: () => nextCard(1),
  k: () => nextCard(-1),
  o: open,
  Enter: open,
  "?": () => location.assign("/help/keys"),
  T: () => $("#theme").click(),
  z: () => lastUndo && takeBack(lastUndo),
  u: () => pressIn("up"),
  d: () => pressIn("down"),
  w: () => { const fold = $("details", at() || document); if (fold) fold.open = !fold.open; },
  L: () => $("#hold")?.click(),
  p: () => (page === "memories" && at() ? picked([at()], "pause") : pressIn("pause")),
  X: () => (page === "memories" && at() ? picked([at()], "forget") : pressIn("forget")),
  x: () => $(".pick", at() || document)?.click(),
  n: () => page === "review" && pressIn("forget"),
  M: () => $('[data-picked="merge"]')?.click(),
  y: () => (page === "review" || page === "merge" ? pressIn("keep") : at() && copy(new URL($("a.anchor", at())?.href || location.href).href)),
  s: () => page === "review" && nextCard(1),
  E: () => (page === "transcript" ? nextCard(-1, failed) : null),
  e: () => (page === "transcript" ? nextCard(1, failed) : page === "memory" ? edit() : null),
  J: () => nextCard(1, (card) => card.matches(".s-prompt")),
  K: () => nextCard(-1, (card) => card.matches(".s-prompt")),
  r: () => nextCard(1, (card) => $("[data-mark]", card)),
  t: () => { const fold = $("details", at() || document.body); if (fold) fold.open = !fold.open; },
  f: () => { const fold = $("#fold"); if (fold) { fold.selectedIndex = (fold.selectedIndex + 1) % fold.options.length; folded(); } },
  Escape: () => { for (const one of $$("[data-card].at")) one.classList.remove("at"); document.activeElement?.blur(); },
};
function edit() {
  const fold = $("#edit");
  if (fold) fold.open = true;
  $("#e-title")?.focus();
}
const failed = (card) => card.matches(".failed, .s-error");
let went = false;

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    $("#everything")?.focus();
    $("#everything")?.select();
    return;
  }
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (typing()) {
    if (event.key === "Escape") document.activeElement.blur();
    return;
  }
  if (kept("keys") === "off" && event.key !== "Escape") return;
  if (went) {
    went = false;
    const link = $(`[data-go="${CSS.escape(event.key)}"]`);
    if (link) location.assign(link.href);
    return;
  }
  if (event.key === "g") {
    went = true;
    setTimeout(() => { went = false; }, 1200);
  } else if (event.key === "/") {
    const field = $("[data-slash]") || $("#everything");
    event.preventDefault();
    field?.focus();
    field?.select();
  } else if (KEYS[event.key]) {
    if (event.key === "Enter" && document.activeElement?.matches("a, button, summary")) return;
    event.preventDefault();
    KEYS[event.key]();
  }
});

document.addEventListener("focusin", (event) => {
  const card = event.target.closest?.("[data-card]");
  if (card && !card.classList.contains("at")) {
    for (const one of $$("[data-card].at")) one.classList.remove("at");
    card.classList.add("at");
  }
});

const single = $("#keys-on");
if (single) {
  single.checked = kept("keys") !== "off";
  single.addEventListener("change", () => kept("keys", single.checked ? "on" : "off"));
}

// -- theme ------------------------------------------------------------------------------------------------------------

const THEMES = ["auto", "light", "dark", "contrast"];
$("#theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
  root.dataset.theme = theme;
  $("#theme .word").textContent = theme;
  document.cookie = `lane-theme=${theme}; path=/; max-age=31536000; samesite=strict`;
});

// -- a run ------------------------------------------------------------------------------------------------------------

const steps = $("#steps");

function folded() {
  const level = $("#fold").value;
  kept("fold", level);
  steps.dataset.fold = level;
  for (const fold of $$("details.call", steps)) if (!fold.closest(".failed, .here")) fold.open = level === "all";
}

async function more(edge) {
  if (edge.dataset.busy) return;
  edge.dataset.busy = "1";
  const later = Number(edge.dataset.from) >= Number($(".step:last-of-type", steps)?.dataset.place ?? 0);
  const some = await fetched(`${steps.dataset.steps}?from=${edge.dataset.from}&most=${edge.dataset.most}`);
  for (const known of $$(".step", some)) if (document.getElementById(known.id)) known.remove();
  for (const turn of $$(".turn", some)) if (document.getElementById(turn.id)) turn.remove();
  const [first, last] = [$(".edge:first-child", some), $(".edge:last-child", some)];
  if (later) first?.remove();
  else last?.remove();
  const height = document.documentElement.scrollHeight;
  edge.replaceWith(some);
  if (!later) window.scrollBy(0, document.documentElement.scrollHeight - height);
  if ($("#fold").value === "all") folded();
  watchEdges();
}

const near = steps && new IntersectionObserver((seen) => {
  for (const one of seen) if (one.isIntersecting) more(one.target).catch(() => { delete one.target.dataset.busy; });
}, { rootMargin: "600px" });

function watchEdges() {
  for (const edge of $$(".edge", steps)) near.observe(edge);
}

async function grew() {
  if ($(".edge:last-child", steps)) return;
  const last = Number($$(".step", steps).at(-1)?.dataset.place ?? -1);
  const atEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 160;
  const some = await fetched(`${steps.dataset.steps}?from=${last + 1}`);
  const fresh = $$(".step", some).filter((step) => !document.getElementById(step.id));
  if (fresh.length) {
    for (const known of $$(".edge:first-child, .step", some)) if (!fresh.includes(known)) known.remove();
    for (const turn of $$(".turn", some)) if (document.getElementById(turn.id)) turn.remove();
    $(".state", steps)?.remove();
    steps.append(some);
    if (atEnd) window.scrollTo({ top: document.documentElement.scrollHeight });
    else {
      pending += fresh.length;
      const button = $("#fresh");
      button.textContent = `${pending} new ${pending === 1 ? "step" : "steps"}`;
      button.parentElement.hidden = false;
    }
  }
  await refresh();
}

if (steps) {
  const remembered = kept("fold");
  if (remembered && $(`#fold option[value="${CSS.escape(remembered)}"]`)) $("#fold").value = remembered;
  if ($("#fold").value !== "tools") folded();
  $("#fold").addEventListener("change", folded);
  document.addEventListener("lane:grew", () => grew().catch(() => {}));
  const wanted = decodeURIComponent(location.hash.slice(1));
  const asked = new URLSearchParams(location.search).get("at");
  if (/^t\d+(\.\d+)?$/.test(wanted) && !document.getElementById(wanted) && asked !== wanted) {
    location.replace(`${location.pathname}?at=${wanted}#${wanted}`);
  } else {
    const here = document.getElementById(wanted || asked || "");
    if (here) {
      here.classList.add("here");
      here.scrollIntoView({ block: "start" });
      if (here.matches("[data-card]")) {
        here.classList.add("at");
        here.focus({ preventScroll: true });
      }
    }
    requestAnimationFrame(() => requestAnimationFrame(() => {
      here?.scrollIntoView({ block: "start" });
      watchEdges();
    }));
  }
  window.addEventListener("hashchange", () => {
    for (const one of $$(".here", steps)) one.classList.remove("here");
    document.getElementById(location.hash.slice(1))?.classList.add("here");
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-whole]");
    if (!button) return;
    const step = button.closest(".step");
    const whole = $(".step", await fetched(button.dataset.whole));
    if (whole) {
      $("details.call", whole).open = true;
      step.replaceWith(whole);
    }
  });
}

// -- several memories at once -----------------------------------------------------------------------------------------

const chosen = () => $$(".pick:checked").map((one) => one.value);

function count() {
  const bar = $("#picked");
  if (!bar) return;
  bar.hidden = chosen().length === 0;
  $("#picked-count").textContent = `${chosen().length} selected`;
}

function picked(list, to) {
  const ids = list.map((card) => card.dataset.memory);
  return post("/memories/state", { ids: ids.join(","), to });
}

document.addEventListener("change", (event) => event.target.matches(".pick") && count());
document.addEventListener("lane:refreshed", count);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-picked]");
  if (!button) return;
  const ids = chosen().join(",");
  if (button.dataset.picked === "merge") location.assign(`/memories/merge?ids=${ids}`);
  else post("/memories/state", { ids, to: button.dataset.picked }, button);
});

// -- parts that take their time ---------------------------------------------------------------------------------------

async function later(place) {
  try {
    place.replaceChildren(await fetched(place.dataset.later));
    place.removeAttribute("aria-busy");
  } catch {
    place.textContent = "This part could not be fetched. Reload the page to try again.";
    return;
  }
  if ($("[data-again]", place)) setTimeout(() => later(place), 300); // it is not through yet
}

for (const place of $$("[data-later]")) later(place);

// -- at the start -----------------------------------------------------------------------------------------------------

const said = sessionStorage.getItem("lane-said");
if (said) {
  sessionStorage.removeItem("lane-said");
  const told = JSON.parse(said);
  say(told.says, told);
}
listen();
if (matchMedia("(max-width: 48rem)").matches) for (const fold of $$(".facet")) fold.open = false;
