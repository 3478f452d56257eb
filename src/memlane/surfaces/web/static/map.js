// The map. All dots are drawn once to a bitmap; above it at most LIVE of them live: told lately, or near the chosen one.

const LIVE = 2000;
const PAPER = 2048; // of the bitmap, a side
const EDGE = 34; // around all dots, in pixels
const STRETCH = 1.7; // how much wider than tall the paper may be drawn, or the other way round
const HALO = 3.2; // times a dot
const CLOSEST = 14; // times nearer than the whole map
const map = $("#map");
const bubble = $("#bubble");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
// A type is told by its shape as well as by its colour; the legend has the same. No points: round.
const TYPES = map ? JSON.parse(map.dataset.types).map(([name, shape, hollow]) => ({ name, shape, hollow })) : [];
const named = () => JSON.parse($("#hoods").dataset.hoods).map(([name, x, y]) => ({ name, x, y }));
let hoods = map ? named() : [];

let dots = { n: 0 };
let fit = { x: 0.5, y: 0.5, wide: 1, tall: 1 }; // the middle of all dots, and pixels for the whole paper
let bitmap = null;
let live = [];
let halos = [];
let ink = {};
let view = { x: 0.5, y: 0.5, k: 1 };
let aim = { ...view };
let chosenDot = -1;
let nearDots = []; // [dot, likeness, title]
let hover = -1;
let only = -1; // the type the legend points at
let still = false;
let frame = 0;

// -- what there is ----------------------------------------------------------------------------------------------------

function unpacked(buffer) {
  const bytes = new DataView(buffer);
  const n = buffer.byteLength / 20;
  const found = { n, x: new Float32Array(n), y: new Float32Array(n), type: new Uint8Array(n), warm: new Uint8Array(n), id: new Array(n), of: new Map() };
  const text = new TextDecoder("latin1").decode(buffer); // an id is ASCII, and one long text is cut faster than many are read
  for (let i = 0; i < n; i += 1) {
    found.x[i] = bytes.getUint16(i * 20, true) / 65535;
    found.y[i] = bytes.getUint16(i * 20 + 2, true) / 65535;
    found.type[i] = bytes.getUint8(i * 20 + 4);
    found.warm[i] = bytes.getUint8(i * 20 + 5);
    found.id[i] = `m_${text.slice(i * 20 + 6, i * 20 + 19).replaceAll("\0", "")}`;
    found.of.set(found.id[i], i);
  }
  return found;
}

/** What glows around a dot, painted once for each type: two thousand of them twinkle. */
function halo(colour) {
  const made = document.createElement("canvas");
  [made.width, made.height] = [48, 48];
  const context = made.getContext("2d");
  context.fillStyle = colour;
  for (const [wide, alpha] of [[HALO, 0.13], [2.1, 0.22]]) {
    context.globalAlpha = alpha;
    context.beginPath();
    context.arc(24, 24, 24 * wide / HALO, 0, 7);
    context.fill();
  }
  return made;
}

function tinted() {
  ink = { card: inkOf("ink-page"), text: inkOf("ink-text"), muted: inkOf("ink-muted"), types: TYPES.map((type) => inkOf(`t-${type.name}`)) };
  halos = ink.types.map(halo);
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
    ink.types.forEach((colour, type) => {
      paper.fillStyle = colour;
      for (let i = 0; i < dots.n; i += 1) {
        if (dots.type[i] === type) paper.fillRect(dots.x[i] * PAPER - size / 2, dots.y[i] * PAPER - size / 2, size, size);
      }
    });
  }
}

/** All dots as large as the canvas allows; a wide screen draws a wide map. */
function fitted() {
  const edge = dots.n < 20 ? 4 * EDGE : EDGE; // a few stand in the middle
  let [left, right, top, bottom] = [1, 0, 1, 0];
  for (let i = 0; i < dots.n; i += 1) {
    left = Math.min(left, dots.x[i]);
    right = Math.max(right, dots.x[i]);
    top = Math.min(top, dots.y[i]);
    bottom = Math.max(bottom, dots.y[i]);
  }
  const wide = (map.clientWidth - 2 * edge) / Math.max(0.05, right - left);
  const tall = (map.clientHeight - 2 * edge) / Math.max(0.05, bottom - top);
  fit = { x: (left + right) / 2, y: (top + bottom) / 2, wide: Math.min(wide, tall * STRETCH), tall: Math.min(tall, wide * STRETCH) };
}

const across = (x) => (x - view.x) * fit.wide * view.k + map.clientWidth / 2;
const down = (y) => (y - view.y) * fit.tall * view.k + map.clientHeight / 2;
const screenX = (i) => across(dots.x[i]);
const screenY = (i) => down(dots.y[i]);
const whole = () => ({ x: fit.x, y: fit.y, k: 1 });
const sizeOf = () => (dots.n > 30000 ? 1.7 : dots.n > LIVE ? 2.6 : dots.n > 600 ? 3.8 : 5) * Math.min(1.5, Math.sqrt(view.k));

// -- what is painted --------------------------------------------------------------------------------------------------

function paintDot(context, x, y, type, size) {
  const shape = size > 3 ? TYPES[type].shape : [];
  context.beginPath();
  if (shape.length) {
    shape.forEach(([dx, dy], n) => context[n ? "lineTo" : "moveTo"](x + dx * size, y + dy * size));
    context.closePath();
  } else context.arc(x, y, size, 0, 7);
  if (size > 3 && TYPES[type].hollow) {
    context.strokeStyle = context.fillStyle;
    context.lineWidth = size * 0.55;
    context.stroke();
  } else context.fill();
}

function paintLive(context, now) {
  const usual = sizeOf();
  const faint = chosenDot >= 0;
  for (const i of live) {
    const [x, y] = [screenX(i), screenY(i)];
    if (x < -12 || y < -12 || x > map.clientWidth + 12 || y > map.clientHeight + 12) continue;
    const glow = dots.warm[i] / 255;
    const beat = glow && moving() ? 0.5 + 0.5 * Math.sin(now / 420 + i * 1.7) : 1;
    const strong = faint ? 0.25 : only >= 0 && only !== dots.type[i] ? 0.14 : 1;
    context.fillStyle = ink.types[dots.type[i]];
    if (glow) {
      context.globalAlpha = strong * (0.4 + 0.6 * glow) * (0.35 + 0.65 * beat);
      context.drawImage(halos[dots.type[i]], x - usual * HALO, y - usual * HALO, usual * HALO * 2, usual * HALO * 2);
    }
    context.globalAlpha = strong * (glow ? 0.8 + 0.2 * beat : 0.85);
    const size = usual * (1 + 0.15 * glow);
    if (size > 3) paintDot(context, x, y, dots.type[i], size);
    else context.fillRect(x - size, y - size, size * 2, size * 2);
  }
  context.globalAlpha = 1;
}

/** With a rim in the colour of the ground, so that it is read over dots; nothing is written over something else. */
function written(context, taken, words, x, y, colour) {
  const half = context.measureText(words).width / 2 + 3;
  const middle = Math.min(Math.max(x, half + 2), map.clientWidth - half - 2);
  const box = [middle - half, y - 13, middle + half, y + 5];
  if (box[1] < 0 || box[3] > map.clientHeight) return;
  if (taken.some((one) => box[0] < one[2] && one[0] < box[2] && box[1] < one[3] && one[1] < box[3])) return;
  taken.push(box);
  context.strokeStyle = ink.card;
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeText(words, middle, y);
  context.fillStyle = colour;
  context.fillText(words, middle, y);
}

function paintHoods(context) {
  const taken = [];
  context.textAlign = "center";
  context.font = `600 13px ${FONT}`;
  for (const hood of hoods) {
    const [x, y] = [across(hood.x), down(hood.y)];
    if (x > 0 && y > 0 && x < map.clientWidth && y < map.clientHeight) written(context, taken, hood.name, x, y, ink.text);
  }
}

function paintChosen(context) {
  const [cx, cy] = [screenX(chosenDot), screenY(chosenDot)];
  const size = Math.max(6, sizeOf() * 1.3);
  for (const [i, like] of nearDots) {
    context.globalAlpha = 0.25 + 0.6 * Math.max(0, Math.min(1, (like - 0.2) / 0.6));
    context.strokeStyle = ink.text;
    context.lineWidth = 1 + 1.5 * Math.max(0, like - 0.3);
    context.beginPath();
    context.moveTo(cx, cy);
    context.lineTo(screenX(i), screenY(i));
    context.stroke();
  }
  context.globalAlpha = 1;
  for (const [i] of [...nearDots, [chosenDot]]) {
    context.fillStyle = ink.types[dots.type[i]];
    paintDot(context, screenX(i), screenY(i), dots.type[i], i === chosenDot ? size * 1.5 : size);
  }
  ring(context, chosenDot, size * 1.5 + 5);
  const taken = [[cx - size * 2, cy - size * 2, cx + size * 2, cy + size * 2]];
  context.textAlign = "center";
  context.font = `12px ${FONT}`;
  for (const [i, , title] of nearDots) written(context, taken, title, screenX(i), screenY(i) + size + 15, ink.text);
}

function ring(context, i, size) {
  context.strokeStyle = ink.text;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(screenX(i), screenY(i), size, 0, 7);
  context.stroke();
}

function drawMap(now) {
  const context = map.getContext("2d");
  context.clearRect(0, 0, map.clientWidth, map.clientHeight);
  if (bitmap) {
    context.globalAlpha = chosenDot >= 0 || only >= 0 ? 0.25 : 0.8;
    context.drawImage(bitmap, across(0), down(0), fit.wide * view.k, fit.tall * view.k);
  }
  paintLive(context, now);
  if (chosenDot >= 0) paintChosen(context);
  else paintHoods(context);
  if (hover >= 0 && hover !== chosenDot) ring(context, hover, sizeOf() + 5);
}

// -- what moves -------------------------------------------------------------------------------------------------------

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

function zoom(by, x = map.clientWidth / 2, y = map.clientHeight / 2) {
  const k = Math.max(1, Math.min(CLOSEST, aim.k * by));
  if (k === 1) aim = whole();
  else {
    const [dx, dy] = [(x - map.clientWidth / 2) / fit.wide, (y - map.clientHeight / 2) / fit.tall];
    aim = { x: aim.x + dx / aim.k - dx / k, y: aim.y + dy / aim.k - dy / k, k };
  }
  wake();
}

// -- one of them ------------------------------------------------------------------------------------------------------

let begin = $("#near")?.innerHTML; // beside the whole map

/** Near enough that its neighbours fill the picture, and all of them are in it. */
function around(i) {
  const reach = (near) => Math.max(Math.abs(dots.x[near] - dots.x[i]) * fit.wide / map.clientWidth, Math.abs(dots.y[near] - dots.y[i]) * fit.tall / map.clientHeight);
  const farthest = Math.max(0.001, ...nearDots.map(([near]) => reach(near)));
  return { x: dots.x[i], y: dots.y[i], k: Math.max(1, Math.min(CLOSEST, 0.4 / farthest)) };
}

async function choose(i, { kept = true } = {}) {
  chosenDot = i;
  nearDots = [];
  aim = i < 0 ? whole() : { x: dots.x[i], y: dots.y[i], k: Math.max(1.4, aim.k) };
  const address = i < 0 ? "/map" : `/map?memory=${dots.id[i]}`;
  if (kept && address !== location.pathname + location.search) history.pushState(null, "", address);
  wake();
  const panel = $("#near");
  panel.toggleAttribute("data-part", i < 0); // what is said about one of them stays
  if (i < 0) {
    panel.replaceChildren(parsed(begin));
    return;
  }
  try {
    const found = await fetched(`/map/near?memory=${dots.id[i]}`);
    if (chosenDot !== i) return;
    panel.replaceChildren(found);
    nearDots = $$("[data-near]", panel)
      .map((one) => [dots.of.get(one.dataset.near), Number(one.dataset.like), one.dataset.title])
      .filter(([near]) => near !== undefined);
    aim = around(i);
  } catch {
    panel.textContent = "Similar memories could not be loaded.";
  }
  wake();
}

function fromAddress() {
  const asked = new URLSearchParams(location.search).get("memory");
  const i = dots.of.get(asked) ?? -1;
  if (i !== chosenDot) choose(i, { kept: false });
}

function dotAt(x, y, within) {
  let best = -1;
  let least = within * within;
  const [wide, tall] = [fit.wide * view.k, fit.tall * view.k]; // asked once: there may be a hundred thousand dots
  const [px, py] = [view.x + (x - map.clientWidth / 2) / wide, view.y + (y - map.clientHeight / 2) / tall];
  for (let i = 0; i < dots.n; i += 1) {
    const dx = (dots.x[i] - px) * wide;
    const dy = (dots.y[i] - py) * tall;
    const far = dx * dx + dy * dy;
    if (far < least) {
      best = i;
      least = far;
    }
  }
  return best;
}

function towards(dx, dy) {
  const [x, y] = chosenDot >= 0 ? [dots.x[chosenDot], dots.y[chosenDot]] : [fit.x, fit.y];
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < dots.n; i += 1) {
    const along = (dots.x[i] - x) * dx + (dots.y[i] - y) * dy;
    const aside = Math.abs((dots.x[i] - x) * dy) + Math.abs((dots.y[i] - y) * dx);
    if (i !== chosenDot && along > 0.0005 && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
  }
  if (best >= 0) choose(best);
}

// -- under the pointer ------------------------------------------------------------------------------------------------

const spoken = new Map();
let asking = 0;

function says(i) {
  clearTimeout(asking);
  if (i < 0 || !bubble) {
    if (bubble) bubble.hidden = true;
    return;
  }
  const show = () => {
    bubble.replaceChildren(...spoken.get(i).cloneNode(true).childNodes);
    beside(bubble, map, screenX(i), screenY(i));
  };
  if (spoken.has(i)) show();
  else {
    asking = setTimeout(async () => {
      try {
        spoken.set(i, await fetched(`/map/said?memory=${dots.id[i]}`));
        if (hover === i) show();
      } catch {
        bubble.hidden = true;
      }
    }, 70);
  }
}

let held = null;

function dragged(event) {
  const [dx, dy] = [event.offsetX - held.x, event.offsetY - held.y];
  held.moved ||= Math.abs(dx) + Math.abs(dy) > 4;
  if (!held.moved) return;
  view = { ...view, x: held.from.x - dx / (fit.wide * view.k), y: held.from.y - dy / (fit.tall * view.k) };
  aim = { ...view };
  bubble.hidden = true;
  wake();
}

function pointed(event) {
  if (held) {
    dragged(event);
    return;
  }
  const found = dotAt(event.offsetX, event.offsetY, 12);
  map.classList.toggle("on-dot", found >= 0);
  if (found === hover) return;
  hover = found;
  says(found);
  wake();
}

function byKey(event) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (ways[event.key]) towards(...ways[event.key]);
  else if (event.key === "Escape" && (chosenDot >= 0 || aim.k > 1)) choose(-1);
  else if (event.key === "Enter" && chosenDot >= 0) location.assign(`/m/${dots.id[chosenDot]}`);
  else if (event.key === "+" || event.key === "=") zoom(1.5);
  else if (event.key === "-") zoom(1 / 1.5);
  else if (event.key === "0") choose(-1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

async function loadMap() {
  const answer = await fetch("/map/dots");
  if (!answer.ok) throw new Error(String(answer.status));
  const [shown, near] = [dots.id?.[chosenDot], nearDots.map(([i, ...rest]) => [dots.id[i], ...rest])];
  dots = unpacked(await answer.arrayBuffer());
  [chosenDot, hover] = [dots.of.get(shown) ?? -1, -1];
  nearDots = near.map(([id, ...rest]) => [dots.of.get(id), ...rest]).filter(([i]) => i !== undefined);
  spoken.clear();
  tinted();
  fitted();
  if (chosenDot < 0 && aim.k === 1) [view, aim] = [whole(), whole()];
  map.dataset.dots = String(dots.n);
  map.dataset.live = String(live.length);
  wake();
  return Number(answer.headers.get("lane-waiting"));
}

if (map) {
  let again = 0;
  const load = async () => {
    clearTimeout(again);
    const began = performance.now();
    const [before, waited] = [dots.n, Number(map.dataset.waiting)];
    const waiting = await loadMap();
    map.dataset.waiting = String(waiting);
    if (waiting) again = setTimeout(() => load().catch(() => {}), Math.max(1200, 4 * (performance.now() - began))); // they are being placed
    else fromAddress();
    if (waited && (!waiting || (!before && dots.n))) await refresh(); // what the page says about them
    if (!waiting && !dots.n) again = setTimeout(() => refresh().catch(() => {}), 61000);
  };
  sharpened(map);
  load().catch(() => say("The map could not be loaded.", { wrong: true }));
  watchLooks(map, () => {
    sharpened(map);
    tinted();
    fitted();
    if (chosenDot < 0 && aim.k === 1) [view, aim] = [whole(), whole()];
    wake();
  });
  map.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0) held = { x: event.offsetX, y: event.offsetY, from: { ...view }, moved: false };
  });
  window.addEventListener("pointerup", () => setTimeout(() => { held = null; }));
  map.addEventListener("click", (event) => { if (!held?.moved) choose(dotAt(event.offsetX, event.offsetY, 16)); });
  map.addEventListener("pointermove", pointed);
  map.addEventListener("pointerleave", () => { hover = -1; says(-1); wake(); });
  map.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls; two fingers, or Ctrl, come nearer
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.25 : 0.8, event.offsetX, event.offsetY);
  }, { passive: false });
  map.addEventListener("keydown", byKey);
  $("#nearer").addEventListener("click", () => zoom(1.5));
  $("#farther").addEventListener("click", () => zoom(1 / 1.5));
  $("#whole").addEventListener("click", () => choose(-1));
  document.addEventListener("click", (event) => {
    const to = event.target.closest("[data-to]")?.dataset.to;
    if (to === "") choose(-1);
    else if (to && dots.of.has(to)) choose(dots.of.get(to));
    const hood = hoods[event.target.closest("[data-hood]")?.dataset.hood];
    if (hood) {
      aim = { x: hood.x, y: hood.y, k: 3 };
      wake();
    }
  });
  const light = (event) => {
    const type = event.target.closest?.("#kinds [data-type]")?.dataset.type;
    only = event.type === "pointerover" || event.type === "focusin" ? TYPES.findIndex((one) => one.name === type) : -1;
    wake();
  };
  for (const moves of ["pointerover", "pointerout", "focusin", "focusout"]) document.addEventListener(moves, light);
  const hold = $("#still");
  hold.hidden = calm.matches;
  hold.addEventListener("click", () => {
    still = !still;
    hold.setAttribute("aria-pressed", String(still));
    wake();
  });
  window.addEventListener("popstate", fromAddress);
  document.addEventListener("lane:refreshed", () => { // a new one gets its place, one just told glows
    hoods = named();
    if (chosenDot < 0) begin = $("#near").innerHTML;
    load().catch(() => {});
  });
  document.addEventListener("visibilitychange", wake);
} else document.addEventListener("lane:refreshed", () => location.reload()); // the first memory has come
