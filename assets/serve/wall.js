// What a whole class sees: how to join, then the tree before and after each match, which live.js shows.

const hall = { over: 0, club: null }, following = node("p", "following");
document.getElementById("bar").append(following);

/** Show the tree, or the match once its story has begun on this page. */
function cover() {
  const { club } = hall, match = club && club.phase === "match" && story.match !== hall.over;
  document.getElementById("hall").hidden = Boolean(match);
  document.getElementById("votes").classList.toggle("covered", !match);
  if (!match) return;
  document.querySelector("#bar h1").textContent = roundName(club.rounds, club.on[0] - 1);
  following.textContent = club.next ? `next: ${versus(club, club.next)}` : "";
}

function showCode(rows) {
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  picture.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  path.setAttribute("d", rows.map((row, y) => [...row].map((dark, x) => dark === "1" ? `M${x} ${y}h1v1h-1z` : "").join("")).join(""));
  picture.append(path);
  document.getElementById("qr").replaceChildren(picture);
}

hears.club = ({ club, invitation }) => {
  const joining = club.phase === "joining", { champion, on, next } = club;
  if (club.phase !== "match") hall.over = story.match;
  hall.club = club;
  showText("hall-title", joining ? "Who takes part?" : champion ? `${champion} has won the cup` : club.phase === "over" ? "The cup is over"
    : `${on ? "" : "Next: "}${versus(club, on || next)}`);
  document.getElementById("joining").hidden = !joining;
  document.getElementById("bracket").hidden = joining;
  if (joining && invitation.qr && !document.getElementById("qr").firstChild) showCode(invitation.qr);
  showText("address", invitation.address || "");
  showText("class-code", invitation.code);
  document.getElementById("names").replaceChildren(...club.names.map(([name, , isReady]) => node("li", isReady ? "here" : "", name)));
  if (club.rounds.length) showBracket(document.getElementById("bracket"), club);
  cover();
};
