// Writing the orders of a model.

const text = document.getElementById("text"), ready = document.getElementById("ready");
const written = { sent: null, rests: null, isReady: false };

function send() {
  if (text.value === written.sent) return;
  written.sent = text.value;
  tell({ orders: text.value.slice(0, 1000) });
}

text.addEventListener("input", () => {
  clearTimeout(written.rests);
  written.rests = setTimeout(send, 300);
});
document.getElementById("writing").addEventListener("submit", event => {
  event.preventDefault();
  clearTimeout(written.rests);
  send();
  tell({ ready: !written.isReady });
});

/** Show how orders stand at the server, and let them be written while that is `open`. */
function showWriting(mine, isReady, open) {
  document.getElementById("writing").hidden = !mine;
  if (mine && written.sent === null) written.sent = text.value = mine.text;
  showText("reads", mine ? mine.reads : "");
  written.isReady = isReady;
  ready.setAttribute("aria-pressed", String(isReady));
  ready.textContent = isReady ? "READY, WAITING" : "READY";
  text.disabled = ready.disabled = !open;
}
