// The line to the server: joins with this page's code, comes back by itself, and hands on what it hears.

const kind = document.body.dataset.page;
const code = () => location.hash.slice(1);
const hears = {}; // by the name of what a message holds
const line = { socket: null, wait: 500, joined: false, over: false, role: { overlay: "watch" }[kind] || kind, name: "" };
const story = { match: 0, have: 0 };
const clockOf = { ahead: -Infinity }; // seconds by which the server's clock is ahead of this page's

const showText = (id, text) => { document.getElementById(id).textContent = text; };
const serverNow = () => performance.now() / 1000 + clockOf.ahead;

function node(name, className = "", words = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = words;
  return made;
}

/** Say of both seats who is there. */
function showSeats(seats) {
  document.getElementById("seats").replaceChildren(...seats.map((seat, bot) => {
    const item = document.createElement("li");
    item.className = bot ? "own-right" : "own-left";
    const writes = seat.wanted === "orders" && !seat.ready;
    const state = !seat.wanted ? "plays without a page" : !seat.here ? "is awaited" : writes ? "is writing" : "is ready";
    item.textContent = `${bot ? "RIGHT" : "LEFT"}${seat.name ? ` (${seat.name})` : ""} ${state}`;
    return item;
  }));
}

/** Return what tells this page from others with its code, also after it was loaded again. */
function ticket() {
  if (!sessionStorage.ticket) {
    sessionStorage.ticket = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
  }
  return sessionStorage.ticket;
}

function tell(message) {
  if (line.socket && line.socket.readyState === WebSocket.OPEN) line.socket.send(JSON.stringify(message));
}

/** Give a message to whoever hears what it holds. */
function hear(message) {
  for (const name of Object.keys(hears)) if (name in message) hears[name](message);
}

function join() {
  line.joined = true;
  tell({ join: line.role, code: code(), page: ticket(), name: line.name, match: story.match, have: story.have });
}

function connect() {
  const socket = line.socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    line.wait = 500;
    clockOf.ahead = -Infinity;
    document.getElementById("lost").hidden = true;
    if (line.joined) join();
  });
  socket.addEventListener("message", event => {
    const message = JSON.parse(event.data);
    if ("now" in message) clockOf.ahead = Math.max(clockOf.ahead, message.now - performance.now() / 1000);
    hear(message);
  });
  socket.addEventListener("close", () => {
    if (line.socket !== socket || line.over) return;
    document.getElementById("lost").hidden = !line.joined;
    setTimeout(connect, line.wait);
    line.wait = Math.min(5000, 2 * line.wait);
  });
}

hears.over = ({ over }) => { line.over = over; };
hears.wrong = ({ wrong }) => showText("problem", wrong);
hears.leave = () => { line.joined = false; }; // whose code opens nothing any more asks no more by itself
addEventListener("hashchange", () => location.reload());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !line.over && line.socket && line.socket.readyState > WebSocket.OPEN) connect();
});
