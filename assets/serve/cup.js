// How a cup stands: its tree, and what it means for somebody, in words.

const roundName = (rounds, at) => ({ 1: "Final", 2: "Semi-final", 4: "Quarter-final" })[rounds[at].length] || `Round of ${2 * rounds[at].length}`;
const isAt = (id, round, place) => Boolean(id) && id[0] === round + 1 && id[1] === place + 1;
const versus = ({ rounds }, id) => id ? rounds[id[0] - 1][id[1] - 1].names.join(" against ") : "";

/** Return how somebody stands in the cup, "" before it has begun. */
function standing({ rounds, champion, on, next }, own) {
  if (champion === own) return "You have won the cup!";
  let found = null;
  rounds.forEach((matches, round) => matches.forEach((match, place) => {
    if (match.names.includes(own)) found = [match, round, place];
  }));
  if (!found) return "";
  const [match, round, place] = found, foe = match.names.find(name => name !== own), name = roundName(rounds, round);
  if (match.ending && match.winner !== own) {
    const better = 2 ** (rounds.length - round - 1), all = rounds[0].flatMap(each => each.names).filter(Boolean).length;
    const worst = Math.min(2 * better, all); // in a cup of the window not everybody is here by page
    return better === 1 ? "You are second!" : `Out in the ${name.toLowerCase()}: place ${better + 1} to ${worst}`;
  }
  if (isAt(on, round, place)) return `You fight ${foe} now`;
  if (isAt(next, round, place)) return `You are next, against ${foe}`;
  return foe ? `${name}: you meet ${foe}` : `You are through to the ${name.toLowerCase()}`;
}

function matchItem(cup, match, round, place, own) {
  const item = node("li", "match");
  item.classList.toggle("on", isAt(cup.on, round, place));
  item.classList.toggle("next", isAt(cup.next, round, place));
  match.names.forEach((name, at) => {
    if (name === null && match.ending) return; // nobody was there to meet
    const row = node("p", "who", name === null ? "" : name);
    row.classList.toggle("won", Boolean(match.ending) && name !== null && name === match.winner);
    row.classList.toggle("out", Boolean(match.ending) && name !== match.winner);
    row.classList.toggle("own", name !== null && name === own);
    if (match.wins[0] + match.wins[1] > 1) row.append(node("b", "", String(match.wins[at])));
    item.append(row);
  });
  return item;
}

function roundList(cup, round, places, own) {
  const list = node("ol", "round");
  list.setAttribute("aria-label", roundName(cup.rounds, round));
  list.append(...places.map(place => matchItem(cup, cup.rounds[round][place], round, place, own)));
  return list;
}

/** Show the rounds one below the other: those that are over folded, but for the own match. */
function showRounds(box, cup, own) {
  box.replaceChildren(...cup.rounds.flatMap((matches, round) => {
    if (!matches.some(match => match.names.some(Boolean))) return [];
    const part = node("details"), places = [...matches.keys()].filter(place => matches[place].ending !== "bye");
    part.open = matches.some(match => !match.ending && (round === 0 || match.names.every(Boolean))) || (cup.phase === "over" && matches.length === 1);
    part.append(node("summary", "", roundName(cup.rounds, round)), roundList(cup, round, places, own));
    return [part];
  }));
}

/** Show the tree on one screen: from both sides to the final in the middle. */
function showBracket(box, cup) {
  const last = cup.rounds.length - 1, sides = [[], []];
  for (let round = 0; round < last; round += 1) {
    const half = cup.rounds[round].length / 2, places = [...cup.rounds[round].keys()];
    sides[0].push(roundList(cup, round, places.slice(0, half)));
    sides[1].push(roundList(cup, round, places.slice(half)));
  }
  const middle = node("div", "middle"), best = node("p", "champion", cup.champion || "");
  if (cup.champion) best.prepend(trophy());
  middle.append(best, node("h2", "", "Final"), roundList(cup, last, [0]));
  box.style.setProperty("--rows", cup.rounds[0].length);
  box.style.setProperty("--columns", 2 * last + 1);
  const [left, right] = sides.map((lists, at) => {
    const side = node("div", at ? "side right" : "side");
    side.append(...lists);
    return side;
  });
  box.replaceChildren(left, middle, right);
}

function trophy() {
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "trophy");
  picture.setAttribute("aria-hidden", "true");
  path.setAttribute("d", "M6 2h12v2h4c0 5-2 7-5 8a6 6 0 0 1-4 4v3h4v3H7v-3h4v-3a6 6 0 0 1-4-4c-3-1-5-3-5-8h4zM4 6c0 2 1 3 2 4V6zm16 0h-2v4c1-1 2-2 2-4z");
  picture.append(path);
  return picture;
}
