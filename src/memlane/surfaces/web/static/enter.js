"use strict";
// The code stands behind the # of the address: it is shown to nobody but this page, which hands it in once.

const says = document.getElementById("says");
const door = document.getElementById("door");

async function enter(code) {
  const answer = await fetch("/enter", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const told = await answer.json();
  if (answer.ok) {
    location.replace(told.go);
    return;
  }
  says.textContent = `${told.error.message}. In a terminal, lane ui opens a new one.`;
  door.hidden = false;
}

door.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(document.getElementById("code").value.trim());
});

const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
if (code) {
  enter(code);
} else {
  says.textContent = "This browser is not signed in yet. In a terminal, type: lane ui";
  door.hidden = false;
}
