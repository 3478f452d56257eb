"use strict";
// A run: how much is folded, where one is, more of its steps, what it grows by, whom it called.

const steps = $("#steps");
const fold = $("#fold");

// -- keys -------------------------------------------------------------------------------------------------------------

const failed = (card) => card.matches(".failed, .s-error");
const prompted = (card) => card.matches(".s-prompt");

Object.assign(KEYS, {
  e: () => nextCard(1, failed),
  E: () => nextCard(-1, failed),
  J: () => nextCard(1, prompted),
  K: () => nextCard(-1, prompted),
  r: () => nextCard(1, (card) => $("[data-mark]", card)),
  f: () => { fold.selectedIndex = (fold.selectedIndex + 1) % fold.options.length; folded(); },
  c: () => at() && copy(at().innerText),
  y: () => at() && copy(new URL($("a.anchor", at())?.href || location.href).href),
});

// -- how much is folded -----------------------------------------------------------------------------------------------

function folded() {
  kept("fold", fold.value);
  steps.dataset.fold = fold.value;
  for (const call of $$("details.call", steps)) if (!call.closest(".failed, .here")) call.open = fold.value === "all";
}

// -- more of its steps ------------------------------------------------------------------------------------------------

function onlyNew(some) {
  for (const known of $$(".step, .turn", some)) if (document.getElementById(known.id)) known.remove();
}

async function more(edge) {
  if (edge.dataset.busy) return;
  edge.dataset.busy = "1";
  const later = Number(edge.dataset.from) >= Number($$(".step", steps).at(-1)?.dataset.place ?? 0);
  const some = await fetched(`${steps.dataset.steps}?from=${edge.dataset.from}&most=${edge.dataset.most}`);
  onlyNew(some);
  $(later ? ".edge:first-child" : ".edge:last-child", some)?.remove();
  const height = document.documentElement.scrollHeight;
  edge.replaceWith(some);
  if (!later) window.scrollBy(0, document.documentElement.scrollHeight - height);
  if (fold.value === "all") folded();
  document.dispatchEvent(new Event("lane:more"));
  watchEdges();
}

const near = new IntersectionObserver((seen) => {
  for (const one of seen) if (one.isIntersecting) more(one.target).catch(() => { delete one.target.dataset.busy; });
}, { rootMargin: "600px" });

function watchEdges() {
  for (const edge of $$(".edge", steps)) near.observe(edge);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-whole]");
  if (!button) return;
  const whole = $(".step", await fetched(button.dataset.whole));
  if (!whole) return;
  $("details.call", whole).open = true;
  button.closest(".step").replaceWith(whole);
  document.dispatchEvent(new Event("lane:more"));
});

document.addEventListener("toggle", (event) => { // whom it called, fetched when it is opened
  const place = event.target.open && $("[data-inside]", event.target);
  if (!place) return;
  place.dataset.later = place.dataset.inside;
  delete place.dataset.inside;
  later(place);
}, true);

// -- it goes on -------------------------------------------------------------------------------------------------------

async function grew() {
  if ($(".edge:last-child", steps)) return;
  const last = Number($$(".step", steps).at(-1)?.dataset.place ?? -1);
  const atEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 160;
  const some = await fetched(`${steps.dataset.steps}?from=${last + 1}`);
  onlyNew(some);
  const fresh = $$(".step", some).length;
  if (fresh) {
    $(".edge:first-child", some)?.remove();
    $(".state", steps)?.remove();
    steps.append(some);
    document.dispatchEvent(new Event("lane:more"));
    if (atEnd) window.scrollTo({ top: document.documentElement.scrollHeight });
    else offer(fresh);
  }
  await refresh();
}

setInterval(() => $(".is-live") && !typing() && refresh().catch(() => {}), 60000); // until it is over
setInterval(() => "lent" in steps.dataset && document.visibilityState === "visible" && stillLent().catch(() => {}), 30000);

async function stillLent() { // what was taken back does not stay on the screen
  const answer = await fetch(`${steps.dataset.steps}?from=0&most=1`);
  if (answer.status === 404) location.reload();
}

document.addEventListener("lane:grew", () => grew().catch(() => {}));

// -- where one is -----------------------------------------------------------------------------------------------------

function goTo(here) {
  for (const one of $$(".here", steps)) one.classList.remove("here");
  if (!here) return;
  here.classList.add("here");
  here.scrollIntoView({ block: "start" });
  if (here.matches("[data-card]")) stepTo(here);
}

const wanted = decodeURIComponent(location.hash.slice(1));
const asked = new URLSearchParams(location.search).get("at");
const remembered = kept("fold");
if (remembered && $(`option[value="${CSS.escape(remembered)}"]`, fold)) fold.value = remembered;
if (fold.value !== "tools") folded();
fold.addEventListener("change", folded);
if (/^t\d+(\.\d+)?$/.test(wanted) && !document.getElementById(wanted) && asked !== wanted) {
  const address = new URLSearchParams(location.search);
  address.set("at", wanted);
  location.replace(`${location.pathname}?${address}#${wanted}`);
} else {
  const here = document.getElementById(wanted || asked || "");
  goTo(here);
  requestAnimationFrame(() => requestAnimationFrame(() => { // once more, when what stands above it has its height
    here?.scrollIntoView({ block: "start" });
    watchEdges();
  }));
}

let turning = 0;

function marked() { // the turn one reads, in the outline
  turning = 0;
  const turn = $$(".turn", steps).filter((one) => one.getBoundingClientRect().top < 160).at(-1);
  const [old, now] = [$(".outline [aria-current]"), turn && $(`.outline a[href*="#${turn.id}."]`)];
  if (old === now) return;
  old?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "true");
  const [box, place] = [$("#outline-fold"), now?.offsetTop ?? 0];
  if (place < box.scrollTop || place > box.scrollTop + box.clientHeight - 60) box.scrollTop = place - 80;
}

if ($("#outline-fold")) document.addEventListener("scroll", () => { turning ||= requestAnimationFrame(marked); }, { passive: true });
window.addEventListener("hashchange", () => goTo(document.getElementById(location.hash.slice(1))));
