// Writing the orders of a model, until both sides are ready.

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

hears.lobby = message => {
  const { bot, lobby, writing, mine } = message, own = lobby[bot] || {}, open = Boolean(writing);
  document.getElementById("writing").hidden = !mine;
  showText("lobby-title", !mine ? "Nobody writes orders here" : `Orders for ${bot ? "RIGHT" : "LEFT"}${open && writing.round > 1 ? `, round ${writing.round}` : ""}`);
  document.body.classList.toggle("own-right", bot === 1);
  document.body.classList.toggle("own-left", bot === 0);
  if (mine && written.sent === null) written.sent = text.value = mine.text;
  showText("reads", mine ? mine.reads : "");
  written.isReady = Boolean(own.ready);
  ready.setAttribute("aria-pressed", String(written.isReady));
  ready.textContent = written.isReady ? "READY, WAITING" : "READY";
  text.disabled = ready.disabled = !open;
  showText("problem", message.over ? "It is over." : open ? "" : "The bots fight; new orders can be given between rounds.");
  showSeats(lobby);
};
document.getElementById("watch").href = `/watch#${code()}`;
line.joined = true;
connect();
