// Before the first game: who is there. Then the story so far, which the viewer reads as it does a recorded one.

hears.lobby = message => {
  Object.assign(line, { bot: message.bot, others: message.lobby });
  const own = message.bot === undefined ? "" : message.bot ? "RIGHT" : "LEFT";
  showText("lobby-title", own ? `You play ${own}` : "The match has not begun");
  document.getElementById("join").hidden = true;
  showText("problem", message.over ? "It is over." : "");
  if (own) sessionStorage.sits = code();
  showSeats(message.lobby);
};

const begun = new Promise(resolve => {
  hears.start = ({ start }) => {
    if (story.match) return location.reload(); // another match: read it from its beginning
    resolve(start);
  };
});

if (kind === "seat" && sessionStorage.sits !== code()) {
  showText("lobby-title", "Take a seat");
  document.getElementById("join").hidden = false;
  document.getElementById("own-name").value = localStorage.name || "";
  document.getElementById("join").addEventListener("submit", event => {
    event.preventDefault();
    line.name = localStorage.name = document.getElementById("own-name").value.trim();
    join();
  });
} else {
  line.name = kind === "seat" ? localStorage.name || "" : "";
  line.joined = true;
}
connect();
const back = sessionStorage[`back ${code()}`]; // to the cup that has led here
if (kind === "seat" && back) hears.leave = () => location.assign(`/class${back}`);
const soFar = []; // what comes while the viewer is not there yet
for (const name of ["add", "ask", "asked"]) hears[name] = message => soFar.push(message);
const start = await begun;
story.match = start.match;
story.have = start.have;
document.getElementById("replay").textContent = start.replay;
document.getElementById("session").textContent = JSON.stringify(start.session);
