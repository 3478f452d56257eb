"use strict";
// Names that wait: a number answers the one in front of you, and the next takes its place.

const asks = () => $$("#names .card");
const inFront = () => at() || asks()[0];

function answerBy(name) {
  const card = inFront();
  if (!card) return;
  stepTo(card);
  $(`[data-key-name="${name}"]`, card)?.click();
}

for (let n = 1; n <= 9; n += 1) KEYS[String(n)] = () => answerBy(String(n));
KEYS["0"] = () => answerBy("none");
KEYS.n = () => answerBy("new");
KEYS.a = () => $(".everywhere", inFront() || document.body)?.click();
KEYS[" "] = () => nextCard(1);
KEYS.s = () => nextCard(1);

document.addEventListener("change", (event) => {
  if (!event.target.matches(".everywhere")) return;
  for (const button of $$("[data-act]", event.target.closest(".card"))) {
    const body = JSON.parse(button.dataset.body);
    body.everywhere = event.target.checked ? "yes" : "";
    button.dataset.body = JSON.stringify(body);
  }
});

document.addEventListener("click", (event) => {
  const card = event.target.closest("[data-later-name]")?.closest(".card");
  if (!card) return;
  stepTo(card);
  nextCard(1);
});
