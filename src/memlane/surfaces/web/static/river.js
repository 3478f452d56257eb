"use strict";
// The river: one band for each sort, weeks from left to right. A picture of the numbers in the table below it.

const river = $("#river");
const SMOOTH = [0.06, 0.24, 0.4, 0.24, 0.06]; // a week runs a little into its neighbours: a river, not a saw

function riverData() {
  return JSON.parse($("#drawn").dataset.river);
}

const MARKS = {
  correction: "CO", decision: "DE", commitment: "CM", insight: "IN", learning: "LE", confidence: "CF",
  pattern_seed: "PS", cross_agent: "XA", workflow_note: "WN", gap: "GA",
};
const colourOf = (kind) => {
  const probe = document.createElement("i");
  probe.className = `t-${kind} probe`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
};

let told = river && riverData();
let flow = [];
let week = -1;
let over = -1;

function smoothed(counts) {
  return counts.map((_, n) => SMOOTH.reduce((sum, part, k) => sum + part * (counts[n + k - 2] ?? 0), 0));
}

function measured() {
  const width = river.clientWidth;
  const height = river.clientHeight;
  const dense = window.devicePixelRatio || 1;
  river.width = Math.round(width * dense);
  river.height = Math.round(height * dense);
  const bands = told.bands.map((_, b) => smoothed(told.counts.map((row) => row[b])));
  const sums = told.counts.map((_, n) => bands.reduce((sum, band) => sum + band[n], 0));
  const scale = (height - 24) / Math.max(1, ...sums);
  const step = width / Math.max(1, told.counts.length - 1);
  flow = bands.map(() => []);
  told.counts.forEach((_, n) => {
    let y = (height - sums[n] * scale) / 2;
    bands.forEach((band, b) => {
      flow[b].push([n * step, y, y + band[n] * scale]);
      y += band[n] * scale;
    });
  });
  return dense;
}

function banded(context, edge, from) {
  for (let n = 1; n < edge.length; n += 1) {
    const [x0, y0] = edge[n - 1];
    const [x1, y1] = edge[n];
    const middle = (x0 + x1) / 2;
    if (n === 1 && from) context.lineTo(x0, y0);
    context.bezierCurveTo(middle, y0, middle, y1, x1, y1);
  }
}

function paint() {
  if (!river) return;
  const dense = measured();
  const context = river.getContext("2d");
  context.scale(dense, dense);
  context.clearRect(0, 0, river.clientWidth, river.clientHeight);
  const ground = getComputedStyle(document.body).backgroundColor;
  flow.forEach((band, b) => {
    const top = band.map(([x, y]) => [x, y]);
    const bottom = band.map(([x, , y]) => [x, y]).reverse();
    context.beginPath();
    context.moveTo(...top[0]);
    banded(context, top, false);
    banded(context, bottom, true);
    context.closePath();
    context.globalAlpha = over >= 0 && over !== b ? 0.35 : 0.82;
    context.fillStyle = colourOf(told.kinds[b]);
    context.fill();
    context.globalAlpha = 1;
    const widest = band.reduce((best, place) => (place[2] - place[1] > best[2] - best[1] ? place : best));
    if (told.by === "type" && widest[2] - widest[1] > 18) {
      context.fillStyle = ground;
      context.font = "600 11px system-ui";
      context.textAlign = "center";
      context.fillText(MARKS[told.bands[b]] || "", Math.min(Math.max(widest[0], 14), river.clientWidth - 14), (widest[1] + widest[2]) / 2 + 4);
    }
  });
  if (week >= 0) {
    const x = flow[0][week][0];
    context.fillStyle = colourOf("workflow_note");
    context.fillRect(Math.min(x, river.clientWidth - 1), 0, 1, river.clientHeight);
  }
}

const dayOf = (iso) => new Date(`${iso}T12:00`).toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });

function read(n) {
  week = Math.max(0, Math.min(told.counts.length - 1, n));
  const parts = told.bands.map((band, b) => [told.counts[week][b], band.replaceAll("_", " ")]).filter(([count]) => count);
  const words = parts.map(([count, band]) => `${count} ${band}`).join(", ") || "nothing";
  $("#week").textContent = `${dayOf(told.from[week])}: ${words}`;
  paint();
}

function lead() {
  if (week < 0) return;
  const query = new URLSearchParams({ after: told.from[week], before: told.to[week] });
  const band = told.bands[over];
  if (band && !["others", "everywhere", "none"].includes(band)) query.set(told.by, band);
  location.assign(`/memories?${query}`);
}

if (river) {
  river.addEventListener("pointermove", (event) => {
    const box = river.getBoundingClientRect();
    const n = Math.round(((event.clientX - box.left) / box.width) * (told.counts.length - 1));
    const y = event.clientY - box.top;
    over = flow.findIndex((band) => band[n] && band[n][1] <= y && y <= band[n][2] && band[n][2] - band[n][1] > 0.5);
    read(n);
  });
  river.addEventListener("pointerleave", () => { over = -1; paint(); });
  river.addEventListener("click", lead);
  river.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: -1, ArrowRight: 1, PageUp: -8, PageDown: 8 };
    if (event.key in moves) read((week < 0 ? told.counts.length : week) + moves[event.key]);
    else if (event.key === "Home") read(0);
    else if (event.key === "End") read(told.counts.length - 1);
    else if (event.key === "Enter") { over = -1; lead(); } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const link of $$("[data-band]")) {
    link.addEventListener("pointerenter", () => { over = Number(link.dataset.band); paint(); });
    link.addEventListener("pointerleave", () => { over = -1; paint(); });
    $(".patch", link).classList.add(`t-${told.kinds[Number(link.dataset.band)]}`);
  }
  new ResizeObserver(paint).observe(river);
  new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  document.addEventListener("lane:refreshed", () => { told = riverData(); paint(); });
  paint();
}
