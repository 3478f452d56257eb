"use strict";
// One stream for all pages of this browser. Each page says how far it came; it is told the rest, then what is new.

const ports = new Set();
const kept = [];
let source = null;
let state = "connecting";

function all(message) {
  for (const port of ports) port.postMessage(message);
}

function become(now) {
  if (now === state) return;
  state = now;
  all({ state });
}

function open(after, again = "") {
  source = new EventSource(`/events?after=${encodeURIComponent(after)}&again=${again}`);
  source.onopen = () => become("live");
  source.onerror = () => {
    become("offline");
    if (source.readyState === EventSource.CLOSED) {
      const last = kept.length ? kept[kept.length - 1].id || after : after;
      setTimeout(() => open(last, "yes"), 3000);
    }
  };
  source.onmessage = (event) => {
    const news = { id: event.lastEventId, ...JSON.parse(event.data) };
    kept.push(news);
    if (kept.length > 300) kept.shift();
    all({ news });
  };
}

self.onconnect = (event) => {
  const port = event.ports[0];
  ports.add(port);
  port.onmessage = (message) => {
    if (message.data.bye) {
      ports.delete(port);
      return;
    }
    if (source === null) open(message.data.after);
    for (const news of kept) port.postMessage({ news });
    port.postMessage({ state });
  };
};
