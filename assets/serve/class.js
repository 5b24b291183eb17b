// A member of a cup: joins by name, writes orders or is led to a seat, and sees how the cup stands.

const names = document.getElementById("own-name"), readyMade = document.getElementById("ready-made");

function enter(name) {
  line.name = name;
  if (line.socket) join();
  else {
    line.joined = true;
    connect();
  }
}

hears.club = ({ club, mine, over }) => {
  document.getElementById("join").hidden = Boolean(mine);
  if (!mine) return;
  sessionStorage.member = localStorage.name = mine.name;
  showText("problem", "");
  if (mine.seat && !over) {
    sessionStorage.sits = mine.seat;
    sessionStorage[`back ${mine.seat}`] = location.hash;
    return location.assign(`/seat#${mine.seat}`);
  }
  const joining = club.phase === "joining", here = club.names.length, own = club.names.find(([name]) => name === mine.name) || [];
  const waits = `${mine.name}, ${here === 1 ? "you are the first" : `${here} are here`}${mine.wants === "seat" ? "; you play on this page" : ""}`;
  showText("standing", own[3] ? "You have left the cup" : standing(club, mine.name) || waits);
  if (club.champion === mine.name) document.getElementById("standing").prepend(trophy());
  if (mine.wants === "orders") {
    const place = standing(club, mine.name), done = /^(Out|You have won|You are second)/.test(place) || own[3] || over;
    showWriting(done ? null : mine, mine.ready, !mine.plays);
    ready.hidden = !joining;
    readyMade.disabled = mine.plays;
    if (mine.text !== written.sent) tell({ orders: written.sent.slice(0, 1000) });
  }
  document.getElementById("watch").hidden = club.phase !== "match";
  document.getElementById("watch").href = `/watch#${mine.watch}`;
  showRounds(document.getElementById("tree"), club, mine.name);
};
hears.library = ({ library }) => {
  readyMade.replaceChildren(readyMade.options[0], ...library.map(([name, orders]) => new Option(name[0].toUpperCase() + name.slice(1), orders)));
};
hears.reads = ({ reads }) => showText("reads", reads);
hears.out = () => {
  delete sessionStorage.member;
  document.getElementById("join").hidden = false;
  document.getElementById("writing").hidden = true;
  line.joined = false;
  line.socket.close();
};

readyMade.addEventListener("change", () => {
  if (!readyMade.value) return;
  text.value = readyMade.value;
  readyMade.value = "";
  send();
});
document.getElementById("join").addEventListener("submit", event => {
  event.preventDefault();
  showText("problem", "");
  enter(names.value.trim());
});
names.value = localStorage.name || "";
if (sessionStorage.member) enter(sessionStorage.member);
