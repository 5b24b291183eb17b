// Whoever leads a class: who is there, the start, a pause, what comes next, and who leaves.

const sure = { name: null }; // who leaves if it is pressed once more
const lead = (what, name = "") => tell({ lead: what, name });

function nameItem([name, here, isReady, gone], club) {
  const joining = club.phase === "joining", place = standing(club, name), out = gone || place.startsWith("Out");
  const item = node("li", here && !out ? "here" : "", name), leaves = node("button", "", sure.name === name ? "SURE?" : "LEAVES");
  item.append(node("span", "", gone ? "has left" : out ? "out" : !here ? "page closed" : joining && isReady ? "ready" : ""));
  leaves.setAttribute("aria-label", `${name} leaves`);
  leaves.addEventListener("click", () => {
    if (sure.name === name) return lead("leaves", name);
    sure.name = name;
    leaves.textContent = "SURE?";
  });
  if (!out) item.append(leaves);
  return item;
}

hears.club = ({ club, invitation }) => {
  const { phase, names } = club, joining = phase === "joining", over = phase === "over";
  const readies = names.filter(name => name[2]).length;
  showText("standing", joining ? (names.length ? `${names.length} are here, ${readies} ready` : "Nobody is here yet")
    : over ? (club.champion ? `${club.champion} has won the cup` : "It is over") : club.on ? versus(club, club.on) : `Next: ${versus(club, club.next)}`);
  document.getElementById("invited").hidden = !joining;
  showText("address", invitation.address || "");
  showText("code", invitation.code);
  document.getElementById("lead-start").hidden = !joining;
  document.getElementById("lead-start").disabled = names.length < 2;
  for (const id of ["next", "pause"]) document.getElementById(`lead-${id}`).hidden = joining || over;
  document.getElementById("lead-pause").setAttribute("aria-pressed", String(club.paused));
  showText("lead-pause", club.paused ? "GO ON" : "PAUSE");
  document.getElementById("names").replaceChildren(...(over ? [] : names.map(name => nameItem(name, club))));
  showRounds(document.getElementById("tree"), club, club.champion);
};
for (const id of ["start", "next", "pause"]) document.getElementById(`lead-${id}`).addEventListener("click", () => lead(id));
line.joined = true;
connect();
