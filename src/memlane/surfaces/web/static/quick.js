"use strict";
// The box at the top: what fits is offered while one types. Without it, the box still leads to the search page.

{
  const box = $("#everything");
  const offers = $("#offers");
  let asking = 0;
  let last = "";

  const listed = () => $$(".offer", offers);
  const chosenOffer = () => $('.offer[aria-selected="true"]', offers);

  function shut() {
    offers.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function choose(offer) {
    chosenOffer()?.setAttribute("aria-selected", "false");
    offer?.setAttribute("aria-selected", "true");
    offer?.scrollIntoView({ block: "nearest" });
    if (offer) box.setAttribute("aria-activedescendant", offer.id);
    else box.removeAttribute("aria-activedescendant");
  }

  async function ask() {
    const words = box.value.trim();
    if (!words) return shut();
    last = words;
    const told = await fetched(`/search/quick?q=${encodeURIComponent(words)}`).catch(() => null);
    if (!told || last !== words || document.activeElement !== box) return undefined;
    const was = chosenOffer()?.id;
    offers.replaceChildren(told);
    choose(was && document.getElementById(was));
    offers.hidden = false;
    return box.setAttribute("aria-expanded", "true");
  }

  box.addEventListener("input", () => {
    clearTimeout(asking);
    asking = setTimeout(ask, 100);
  });
  box.addEventListener("focus", () => box.value.trim() && page !== "search" && ask());
  box.addEventListener("keydown", (event) => {
    if (offers.hidden || event.isComposing) return;
    const list = listed();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose(list[(list.indexOf(chosenOffer()) + step + list.length + (step < 0 && !chosenOffer() ? 1 : 0)) % list.length]);
    else if (event.key === "Enter" && chosenOffer()) chosenOffer().click();
    else if (event.key === "Escape") shut();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  offers.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus until the click
  box.addEventListener("blur", shut);
}
