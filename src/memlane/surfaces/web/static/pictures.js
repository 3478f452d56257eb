"use strict";
// What river and map share: the colours of the page as it is now, a sharp canvas, words beside the pointer.

const FONT = getComputedStyle(document.body).fontFamily;

/** The colour a class of app.css gives: pictures have no colours of their own. */
function inkOf(name) {
  const probe = document.createElement("i");
  probe.className = `${name} probe`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** As many dots as the screen has; the context draws in the page's own measure. */
function sharpened(canvas) {
  const dense = window.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * dense);
  canvas.height = Math.round(canvas.clientHeight * dense);
  canvas.getContext("2d").setTransform(dense, 0, 0, dense, 0, 0);
}

/** Near a place in the picture, and never beyond its edges. */
function beside(words, canvas, x, y) {
  words.hidden = false;
  const left = x + 14 + words.offsetWidth > canvas.clientWidth ? x - 14 - words.offsetWidth : x + 14;
  words.style.left = `${Math.max(4, left)}px`;
  words.style.top = `${Math.min(Math.max(4, y - 12), canvas.clientHeight - words.offsetHeight - 4)}px`;
}

/** Told of whatever changes how a picture looks: its size, the theme. */
function watchLooks(canvas, changed) {
  new ResizeObserver(changed).observe(canvas);
  new MutationObserver(changed).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
