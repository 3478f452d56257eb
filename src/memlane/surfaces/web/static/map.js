"use strict";
// The map. All dots are drawn once to a bitmap; above it at most LIVE of them live: told lately, or near the chosen one.

const LIVE = 2000;
const PAPER = 2048; // of the bitmap, a side
const map = $("#map");
const TYPES = ["correction", "decision", "commitment", "insight", "learning", "confidence", "pattern_seed", "cross_agent", "workflow_note", "gap"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let dots = { n: 0 };
let bitmap = null;
let live = [];
let colours = [];
let view = { x: 0.5, y: 0.5, k: 1 };
let aim = { ...view };
let chosenDot = -1;
let nearDots = [];
let hover = -1;
let still = false;
let frame = 0;

function unpacked(buffer) {
  const bytes = new DataView(buffer);
  const n = buffer.byteLength / 20;
  const found = { n, x: new Float32Array(n), y: new Float32Array(n), type: new Uint8Array(n), warm: new Uint8Array(n), id: new Array(n), of: new Map() };
  const text = new TextDecoder();
  for (let i = 0; i < n; i += 1) {
    found.x[i] = bytes.getUint16(i * 20, true) / 65535;
    found.y[i] = bytes.getUint16(i * 20 + 2, true) / 65535;
    found.type[i] = bytes.getUint8(i * 20 + 4);
    found.warm[i] = bytes.getUint8(i * 20 + 5);
    found.id[i] = `m_${text.decode(new Uint8Array(buffer, i * 20 + 6, 13)).replaceAll("\0", "")}`;
    found.of.set(found.id[i], i);
  }
  return found;
}

function tinted() {
  colours = TYPES.map((type) => {
    const probe = document.createElement("i");
    probe.className = `t-${type} probe`;
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  });
  const warm = [];
  for (let i = 0; i < dots.n; i += 1) if (dots.warm[i]) warm.push(i);
  warm.sort((a, b) => dots.warm[b] - dots.warm[a]);
  live = dots.n <= LIVE ? [...Array(dots.n).keys()] : warm.slice(0, LIVE - 50);
  bitmap = null;
  if (dots.n > LIVE) {
    bitmap = document.createElement("canvas");
    bitmap.width = PAPER;
    bitmap.height = PAPER;
    const paper = bitmap.getContext("2d");
    const size = dots.n > 30000 ? 4 : 7; // of PAPER, which is shown at a third of its size
    colours.forEach((colour, type) => {
      paper.fillStyle = colour;
      for (let i = 0; i < dots.n; i += 1) {
        if (dots.type[i] === type) paper.fillRect(dots.x[i] * PAPER - size / 2, dots.y[i] * PAPER - size / 2, size, size);
      }
    });
  }
}

const side = () => Math.min(map.clientWidth, map.clientHeight) * view.k;
const screenX = (i) => (dots.x[i] - view.x) * side() + map.clientWidth / 2;
const screenY = (i) => (dots.y[i] - view.y) * side() + map.clientHeight / 2;

function sized() {
  const dense = window.devicePixelRatio || 1;
  map.width = Math.round(map.clientWidth * dense);
  map.height = Math.round(map.clientHeight * dense);
}

function drawMap(now) {
  const dense = map.width / map.clientWidth;
  const context = map.getContext("2d");
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.clearRect(0, 0, map.clientWidth, map.clientHeight);
  const faint = chosenDot >= 0;
  if (bitmap) {
    const size = side();
    context.globalAlpha = faint ? 0.3 : 0.75;
    context.drawImage(bitmap, map.clientWidth / 2 - view.x * size, map.clientHeight / 2 - view.y * size, size, size);
  }
  const usual = dots.n > 30000 ? 1.7 : dots.n > 500 ? 2.6 : 4.2;
  for (const i of live) {
    const x = screenX(i);
    const y = screenY(i);
    if (x < -9 || y < -9 || x > map.clientWidth + 9 || y > map.clientHeight + 9) continue;
    const glow = dots.warm[i] / 255;
    const beat = glow && moving() ? 0.5 + 0.5 * Math.sin(now / 420 + i * 1.7) : 1;
    if (glow) {
      context.globalAlpha = (faint ? 0.12 : 0.3) * glow * beat;
      context.fillStyle = colours[dots.type[i]];
      context.beginPath();
      context.arc(x, y, usual * 2.4 + 1, 0, 7);
      context.fill();
    }
    context.globalAlpha = faint ? 0.3 : glow ? 0.75 + 0.25 * beat : 0.75;
    context.fillStyle = colours[dots.type[i]];
    context.beginPath();
    context.arc(x, y, usual + glow, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
  if (faint) {
    const ink = getComputedStyle(map).color;
    const [cx, cy] = [screenX(chosenDot), screenY(chosenDot)];
    context.strokeStyle = ink;
    for (const i of nearDots) {
      context.globalAlpha = 0.35;
      context.beginPath();
      context.moveTo(cx, cy);
      context.lineTo(screenX(i), screenY(i));
      context.stroke();
    }
    for (const i of [...nearDots, chosenDot]) {
      context.globalAlpha = 1;
      context.fillStyle = colours[dots.type[i]];
      context.beginPath();
      context.arc(screenX(i), screenY(i), i === chosenDot ? 9 : 6, 0, 7);
      context.fill();
      if (i === chosenDot) context.stroke();
    }
  }
  if (hover >= 0) {
    context.strokeStyle = getComputedStyle(map).color;
    context.beginPath();
    context.arc(screenX(hover), screenY(hover), 9, 0, 7);
    context.stroke();
  }
}

const moving = () => !still && !calm.matches && !document.hidden;

function eased() {
  const far = Math.abs(aim.x - view.x) + Math.abs(aim.y - view.y) + Math.abs(aim.k - view.k) / 4;
  if (far < 0.002 || calm.matches) {
    view = { ...aim };
    return false;
  }
  for (const part of ["x", "y", "k"]) view[part] += (aim[part] - view[part]) * 0.18;
  return true;
}

function tickMap(now) {
  frame = 0;
  const flies = eased();
  drawMap(now);
  if (flies || (moving() && live.some((i) => dots.warm[i]))) wake();
}

function wake() {
  if (!frame) frame = requestAnimationFrame(tickMap);
}

async function choose(i) {
  chosenDot = i;
  nearDots = [];
  aim = i < 0 ? { x: 0.5, y: 0.5, k: 1 } : { x: dots.x[i], y: dots.y[i], k: dots.n > 400 ? 3 : 1.6 };
  wake();
  if (i < 0) return;
  const panel = $("#near");
  try {
    const found = await fetched(`/map/near?memory=${dots.id[i]}`);
    if (chosenDot !== i) return;
    panel.replaceChildren(found);
    nearDots = $$("[data-near]", panel).map((one) => dots.of.get(one.dataset.near)).filter((one) => one !== undefined);
  } catch {
    panel.textContent = "What is near it could not be looked up.";
  }
  wake();
}

function dotAt(x, y, within) {
  let best = -1;
  let least = within * within;
  for (let i = 0; i < dots.n; i += 1) {
    const far = (screenX(i) - x) ** 2 + (screenY(i) - y) ** 2;
    if (far < least) [best, least] = [i, far];
  }
  return best;
}

function towards(dx, dy) {
  const [x, y] = chosenDot >= 0 ? [dots.x[chosenDot], dots.y[chosenDot]] : [0.5, 0.5];
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < dots.n; i += 1) {
    const along = (dots.x[i] - x) * dx + (dots.y[i] - y) * dy;
    const aside = Math.abs((dots.x[i] - x) * dy) + Math.abs((dots.y[i] - y) * dx);
    if (i !== chosenDot && along > 0.0005 && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
  }
  if (best >= 0) choose(best);
}

const place = (event) => {
  const box = map.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

async function loadMap() {
  const answer = await fetch("/map/dots");
  dots = unpacked(await answer.arrayBuffer());
  tinted();
  map.dataset.dots = String(dots.n);
  map.dataset.live = String(live.length);
  wake();
}

if (map) {
  sized();
  loadMap().catch(() => say("The map could not be fetched.", { wrong: true }));
  new ResizeObserver(() => { sized(); wake(); }).observe(map);
  new MutationObserver(() => { tinted(); wake(); }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  map.addEventListener("click", (event) => choose(dotAt(...place(event), 16)));
  map.addEventListener("pointermove", (event) => {
    const found = dotAt(...place(event), 12);
    map.classList.toggle("on-dot", found >= 0);
    if (found !== hover) {
      hover = found;
      wake();
    }
  });
  map.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (ways[event.key]) towards(...ways[event.key]);
    else if (event.key === "Escape" && chosenDot >= 0) choose(-1);
    else if (event.key === "Enter" && chosenDot >= 0) location.assign(`/m/${dots.id[chosenDot]}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("click", (event) => {
    const to = event.target.closest("[data-to]")?.dataset.to;
    if (to && dots.of.has(to)) choose(dots.of.get(to));
  });
  const hold = $("#still");
  hold.hidden = calm.matches;
  hold.addEventListener("click", () => {
    still = !still;
    hold.setAttribute("aria-pressed", String(still));
    wake();
  });
  document.addEventListener("visibilitychange", wake);
  if (Number(map.dataset.waiting)) setTimeout(() => location.reload(), 1200); // the rest is given its place
}
