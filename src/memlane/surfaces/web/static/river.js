// The river: one band for each sort, time from left to right. A picture of the numbers in the table below it.

const river = $("#river");
const scrub = $("#scrub");
const bubble = $("#bubble");
const AIR = { top: 14, bottom: 30 }; // around the water: below it stands the time
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const THINNEST = 3; // pixels: a single memory is seen beside hundreds
const BEND = 8; // pixels at the end of a stretch in which the river turns into the next one
const WEEK = 7 * 24 * 3600 * 1000;
const riverData = () => JSON.parse($("#drawn").dataset.river);

let told = river && riverData();
let flow = []; // for each band, at each stretch: x of its middle, its upper edge, its lower edge
let perPixel = 1;
let step = 1; // pixels of a stretch
let ink = {};
let week = -1;
let over = -1;

// -- its shape --------------------------------------------------------------------------------------------------------

function shaped() {
  sharpened(river);
  ink = { page: inkOf("ink-page"), line: inkOf("ink-line"), muted: inkOf("ink-muted"), text: inkOf("ink-text"), bands: told.inks.map(inkOf) };
  measured();
  paint();
}

/** Each stretch of time is as wide as any other and as thick as its numbers say, from its first day to its last. */
function measured() {
  const [width, height] = [river.clientWidth, river.clientHeight];
  const sums = told.counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const water = height - AIR.top - AIR.bottom;
  perPixel = water / Math.max(1, ...sums);
  step = width / Math.max(1, told.counts.length);
  flow = told.names.map(() => []);
  told.counts.forEach((row, n) => {
    const thick = row.map((count) => count && Math.max(THINNEST, count * perPixel));
    let y = AIR.top + (water - thick.reduce((sum, one) => sum + one, 0)) / 2;
    thick.forEach((one, b) => {
      flow[b].push([(n + 0.5) * step, y, y + one]);
      y += one;
    });
  });
}

/** The edge of a band: level inside a stretch, and a short bend from each to the next. */
function edge(band, side) {
  const level = step / 2 - Math.min(BEND, step / 4);
  return band.flatMap((one) => [[one[0] - level, one[side]], [one[0] + level, one[side]]]);
}

/** Through every point, without overshooting: a slope is never steeper than its neighbours allow. */
function drawn(context, points) {
  const slope = (n) => (points[n + 1][1] - points[n][1]) / (points[n + 1][0] - points[n][0]);
  const tangent = (n) => {
    if (n === 0 || n === points.length - 1) return 0;
    const [before, after] = [slope(n - 1), slope(n)];
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  };
  for (let n = 1; n < points.length; n += 1) {
    const [[x0, y0], [x1, y1]] = [points[n - 1], points[n]];
    const third = (x1 - x0) / 3;
    context.bezierCurveTo(x0 + third, y0 + tangent(n - 1) * third, x1 - third, y1 - tangent(n) * third, x1, y1);
  }
}

// -- what is painted --------------------------------------------------------------------------------------------------

function paintTime(context) {
  const [first, last] = [new Date(`${told.from[0]}T00:00`), new Date(`${told.to.at(-1)}T24:00`)];
  const all = Math.max(1, last - first);
  const months = Math.max(1, Math.ceil(all / (WEEK * 4.35) / (river.clientWidth / 64)));
  const each = [1, 2, 3, 6, 12, 24, 60].find((one) => one >= months) || 120;
  context.font = `12px ${FONT}`;
  context.textAlign = "left";
  let free = 0;
  for (let at = new Date(first.getFullYear(), Math.ceil(first.getMonth() / each) * each, 1); at <= last; at.setMonth(at.getMonth() + each)) {
    const x = ((at - first) / all) * river.clientWidth;
    if (x < 0) continue;
    context.fillStyle = ink.line;
    context.fillRect(Math.round(x), 0, 1, river.clientHeight - AIR.bottom + 6);
    const words = MONTHS[at.getMonth()] + (at.getMonth() < each || free === 0 ? ` ${at.getFullYear()}` : "");
    const wide = context.measureText(words).width;
    if (x < free || x + wide > river.clientWidth - 40) continue;
    context.fillStyle = ink.muted;
    context.fillText(words, x + 4, river.clientHeight - 9);
    free = x + wide + 14;
  }
  context.textAlign = "right";
  context.fillStyle = ink.muted;
  context.fillText("now", river.clientWidth - 4, river.clientHeight - 9);
}

/** How thick a number of memories is: the river has no floor to count from. */
function paintScale(context) {
  const most = (river.clientHeight - AIR.top - AIR.bottom) / perPixel;
  const mark = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].filter((one) => one <= most / 3).at(-1);
  if (!mark) return;
  const tall = mark * perPixel;
  context.fillStyle = ink.muted;
  context.fillRect(10, AIR.top, 1, tall);
  for (const y of [AIR.top, AIR.top + tall]) context.fillRect(7, y, 7, 1);
  context.textAlign = "left";
  context.fillText(`${mark.toLocaleString()} ${told.each}`, 20, AIR.top + tall / 2 + 4);
}

/** Where words of this width have the most room in a band: x, how much, y. */
function widestFor(band, half) {
  let best = [-1, 0, 0];
  for (const [x] of band) {
    if (x < half || x + half > river.clientWidth) continue;
    const some = band.filter((one) => Math.abs(one[0] - x) < half + step / 2);
    const [top, bottom] = [Math.max(...some.map((one) => one[1])), Math.min(...some.map((one) => one[2]))];
    if (bottom - top > best[1]) best = [x, bottom - top, (top + bottom) / 2];
  }
  return best;
}

function paintNames(context) {
  context.textAlign = "center";
  context.font = `600 12px ${FONT}`;
  flow.forEach((band, b) => {
    for (const words of [told.names[b], told.marks[b]]) {
      if (!words) continue;
      const [x, room, y] = widestFor(band, context.measureText(words).width / 2 + 4);
      if (x < 0 || room < 15) continue;
      context.globalAlpha = over >= 0 && over !== b ? 0.4 : 1;
      context.fillStyle = ink.page;
      context.fillText(words, x, y + 4);
      break;
    }
  });
  context.globalAlpha = 1;
}

function paint() {
  const context = river.getContext("2d");
  context.clearRect(0, 0, river.clientWidth, river.clientHeight);
  paintTime(context);
  flow.forEach((band, b) => {
    const [upper, lower] = [edge(band, 1), edge(band, 2).reverse()];
    context.beginPath();
    context.moveTo(...upper[0]);
    drawn(context, upper);
    context.lineTo(...lower[0]);
    drawn(context, lower);
    context.closePath();
    context.globalAlpha = over >= 0 && over !== b ? 0.25 : 1;
    context.fillStyle = ink.bands[b];
    context.fill();
    context.strokeStyle = ink.page; // bands are told apart by a gap as well as by colour
    context.lineWidth = 0.5;
    context.stroke();
  });
  context.globalAlpha = 1;
  paintNames(context);
  paintScale(context);
  paintDrops(context);
  if (week >= 0) {
    context.fillStyle = ink.text;
    context.globalAlpha = 0.08; // all of the stretch, as the numbers are
    context.fillRect(week * step, 0, step, river.clientHeight - AIR.bottom + 6);
    context.globalAlpha = 1;
  }
}

// -- what arrives -----------------------------------------------------------------------------------------------------

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FALL = 1400; // milliseconds until a new memory is in its band
let drops = []; // [band, when it came]

/** New ones come in from above, at the right, each into its band. */
function arrived(before) {
  told.names.forEach((name, b) => {
    const was = before.names.indexOf(name) < 0 ? 0 : before.counts.at(-1)[before.names.indexOf(name)];
    for (let n = 0; n < Math.min(5, told.counts.at(-1)[b] - was); n += 1) drops.push([b, performance.now() + n * 180]);
  });
  if (calm.matches) drops = [];
  if (drops.length) requestAnimationFrame(fall);
}

function fall() {
  drops = drops.filter(([, came]) => performance.now() - came < FALL);
  paint();
  if (drops.length) requestAnimationFrame(fall);
}

function paintDrops(context) {
  for (const [b, came] of drops) {
    const way = Math.min(1, Math.max(0, (performance.now() - came) / FALL));
    const [x, top, bottom] = flow[b].at(-1);
    context.beginPath();
    context.arc(x - (1 - way) * 40, ((top + bottom) / 2) * way ** 2, 5, 0, 7);
    context.fillStyle = ink.bands[b];
    context.fill();
    context.strokeStyle = ink.page;
    context.stroke();
  }
}

// -- what is read -----------------------------------------------------------------------------------------------------

const dayOf = (iso) => {
  const [year, month, day] = iso.split("-").map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
};
const counted = () => told.names.map((name, b) => [told.counts[week][b], name]).filter(([count]) => count);

function read(n) {
  week = Math.max(0, Math.min(told.counts.length - 1, n));
  const when = `${told.weeks > 1 ? `${told.weeks} weeks` : "Week"} from ${dayOf(told.from[week])}`;
  const words = `${when}: ${counted().map(([count, name]) => `${count} ${name}`).join(", ") || "nothing"}`;
  $("#week").textContent = words;
  scrub.value = String(week);
  scrub.setAttribute("aria-valuetext", words);
  paint();
  return when;
}

function show(event, when) {
  const lines = counted().map(([count, name]) => {
    const line = document.createElement("li");
    line.textContent = `${count} ${name}`;
    if (over >= 0 && told.names[over] === name) line.className = "strong";
    return line;
  });
  const title = document.createElement("b");
  title.textContent = when;
  const list = document.createElement("ul");
  list.append(...lines);
  bubble.replaceChildren(title, lines.length ? list : " nothing new");
  beside(bubble, river, event.offsetX, event.offsetY);
}

let listing = 0;
function list() {
  clearTimeout(listing);
  listing = setTimeout(() => {
    const place = $("#flowed");
    const address = new URLSearchParams(location.search);
    address.set("at", told.from[week]);
    history.replaceState(null, "", `?${address}`);
    place.dataset.later = `/river/week?after=${told.from[week]}&before=${told.to[week]}`;
    later(place);
  }, 200);
}

function lead() {
  if (week < 0) return;
  const query = new URLSearchParams({ after: told.from[week], before: told.to[week] });
  if (over >= 0 && told.leads[over]) query.set(told.by, told.leads[over]);
  location.assign(`/memories?${query}`);
}

let playing = 0;
function play(on) {
  clearInterval(playing);
  playing = 0;
  $("#play").setAttribute("aria-pressed", String(on));
  $("#play").textContent = on ? "Stop" : "Play";
  if (!on) return;
  read(week < 0 || week === told.counts.length - 1 ? 0 : week);
  const pace = Math.max(60, Math.min(400, 12000 / told.counts.length)); // the whole of it in some twelve seconds
  playing = setInterval(() => {
    if (week < told.counts.length - 1) read(week + 1);
    else play(false);
    if (!playing) list();
  }, pace);
}

function lightBands() {
  const light = (b) => () => { over = b; paint(); };
  for (const link of $$("[data-band]")) {
    for (const come of ["pointerenter", "focus"]) link.addEventListener(come, light(Number(link.dataset.band)));
    for (const leave of ["pointerleave", "blur"]) link.addEventListener(leave, light(-1));
  }
}

if (river) {
  river.addEventListener("pointermove", (event) => {
    const n = Math.max(0, Math.min(told.counts.length - 1, Math.floor(event.offsetX / step)));
    const y = event.offsetY;
    over = flow.findIndex((band) => band[n] && band[n][1] <= y && y <= band[n][2] && band[n][2] - band[n][1] > 0.5);
    show(event, read(n));
  });
  river.addEventListener("pointerleave", () => { over = -1; bubble.hidden = true; paint(); });
  river.addEventListener("click", lead);
  scrub.addEventListener("input", () => { play(false); over = -1; read(Number(scrub.value)); list(); });
  scrub.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    over = -1;
    lead();
  });
  scrub.addEventListener("focus", () => { if (week < 0) read(Number(scrub.value)); });
  lightBands();
  $("#play").hidden = calm.matches;
  $("#play").addEventListener("click", () => play(!playing));
  watchLooks(river, shaped);
  document.addEventListener("lane:refreshed", () => {
    const before = told;
    told = riverData();
    scrub.max = String(told.counts.length - 1);
    lightBands();
    shaped();
    arrived(before);
    if (week >= 0) read(told.from.indexOf(before.from[week]));
    later($("#flowed")); // what came is in the list too
  });
  shaped();
  const asked = told.from.indexOf(new URLSearchParams(location.search).get("at"));
  if (asked >= 0) read(asked);
} else document.addEventListener("lane:refreshed", () => location.reload()); // the first memory has come
