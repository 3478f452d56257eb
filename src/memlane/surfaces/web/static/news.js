"use strict";
// What is new while a page is open: told by the one stream of this browser, and never put under a reader's eyes.

let asOf = new Date();
let holding = false;
let pending = 0;

function reading() {
  const busy = (part) => part.matches(":hover") || part.contains(document.activeElement);
  return holding || document.hidden || window.scrollY > 120 || typing() || $("dialog[open]") || $$("[data-part]").some(busy);
}

const WORDS = { lane: ["new recall", "new recalls"], transcript: ["new step", "new steps"] };

function offer(fresh) {
  pending += fresh;
  const [one, more] = WORDS[page] || ["change", "changes"];
  $("#fresh").textContent = `${pending} ${pending === 1 ? one : more}`;
  $("#fresh").hidden = pending === 0;
}

async function showNews() {
  offer(-pending);
  if (page === "lane") await arrive();
  else await refresh();
}

// -- recalls ----------------------------------------------------------------------------------------------------------

async function arrive() {
  const now = await fetched();
  const feed = $("#recalls");
  if (!$(".recall", feed)) return refresh();
  const before = feed.offsetHeight; // a short page would not say by how much it grew
  let after = null;
  for (const fresh of $$(".recall", now)) {
    const known = document.getElementById(fresh.id);
    if (!known) {
      fresh.classList.add("new");
      if (after) after.after(fresh);
      else feed.prepend(fresh);
    }
    after = known || fresh;
  }
  slideIn(feed, feed.offsetHeight - before);
  return put(now);
}

function slideIn(feed, by) { // what was in view stays where it is, and then makes room by scrolling
  if (by <= 0) return;
  const room = document.createElement("div");
  room.className = "room-below";
  feed.append(room);
  window.scrollBy({ top: by, behavior: "instant" });
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  requestAnimationFrame(() => requestAnimationFrame(() => {
    window.scrollTo({ top: 0, behavior });
    setTimeout(() => room.remove(), 700);
  }));
}

// -- the stream -------------------------------------------------------------------------------------------------------

const heard = new Set();
let soon = 0;

function cares(news) {
  return news.what === "again" || (document.body.dataset.news || "").split(" ").includes(news.what)
    || (page === "runs" && news.what === "run") || (page.startsWith("memor") && news.what === "memory");
}

function recalled(news) {
  if (heard.has(news.about) || document.getElementById(news.about)) return;
  heard.add(news.about);
  if (reading()) {
    offer(1);
    return;
  }
  pending += 1;
  clearTimeout(soon);
  soon = setTimeout(showNews, 150);
}

function changed() {
  clearTimeout(soon);
  soon = setTimeout(() => follow().catch(() => {}), 1500);
}

async function follow() {
  const now = await fetched();
  if (!reading()) return put(now);
  putCounts(now);
  if (differs(now)) offer(1);
}

let recounted = 0;

/** The numbers in the menu and at the foot, on a page that is about something else. */
function recount() {
  recounted ||= setTimeout(() => {
    recounted = 0;
    counts().catch(() => {});
  }, 2500);
}

async function counts() {
  const now = await fetched("/help/keys"); // the smallest page that has them
  $("#status").replaceWith($("#status", now));
  for (const link of $$("#menu [data-go]")) {
    const [old, fresh] = [$(".count", link), $(`[data-go="${link.dataset.go}"] .count`, now)];
    if (old && fresh) old.replaceWith(fresh);
    else if (fresh) link.append(fresh);
    else old?.remove();
  }
}

function tell(news) {
  if (page === "lane") {
    if (news.what === "recall") recalled(news);
  } else if (page === "transcript") {
    if (news.what === "again" || (news.what === "run" && news.about === document.body.dataset.run)) document.dispatchEvent(new Event("lane:grew"));
  } else if (cares(news)) changed();
  if (news.what !== "recall") recount();
}

function standing(state) {
  const place = $("#live");
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

$("#fresh").addEventListener("click", () => {
  window.scrollTo({ top: page === "transcript" ? document.documentElement.scrollHeight : 0 });
  showNews();
});
$("#hold")?.addEventListener("click", () => {
  holding = !holding;
  $("#hold").setAttribute("aria-pressed", String(holding));
  $("#hold .word").textContent = holding ? "Paused" : "Pause";
  if (!holding && pending) showNews();
});

listen();
