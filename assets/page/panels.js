// The panels of both seats and the heading, which change only when what they show changes.

const element = id => document.getElementById(id);
const shownKeys = {};

/** Run `show` if what this part shows has changed. */
function whenNew(part, key, show) {
  if (shownKeys[part] === key) return;
  shownKeys[part] = key;
  show();
}

function made(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Show a seat's name and, smaller, the level at which it plays. */
function showName(id, [name, , , , level]) {
  element(id).replaceChildren(name, ...(level ? [" ", made("small", "level", level)] : []));
}

function showPanels(scene) {
  const { segment, rules } = scene, seats = segment.seats, done = statesAt(segment, scene.t);
  SEATS.forEach((seat, bot) => {
    const panel = element(seat), pose = scene.bots[bot], play = segment.plays[bot];
    whenNew(`data ${seat}`, done[bot].join(), () => {
      ["x", "y", "rot", "health", "shield", "charge"].forEach((name, at) => { panel.dataset[name] = done[bot][at]; });
    });
    whenNew(`acts ${seat}`, scene.acting === bot, () => panel.classList.toggle("acts", scene.acting === bot));
    whenNew(`name ${seat}`, seats[bot].join("\n"), () => {
      showName(`name-${seat}`, seats[bot]);
      element(`brain-${seat}`).textContent = seats[bot][1];
      panel.setAttribute("aria-label", `${seat}: ${seats[bot][0]}`);
    });
    showHealth(seat, bot, pose, rules);
    if (rules.battery) whenNew(`charge ${seat}`, `${pose.charge} ${scene.rules.battery}`, () => showCharge(seat, pose.charge, rules));
    const known = play !== null && scene.t >= play.known;
    const seen = !segment.play || scene.t >= segment.play.known, counts = (seen ? segment.tally : segment.tallyBefore).slice(4 * bot, 4 * bot + 4);
    const counted = play && recordOf(play).thought ? "" : counts;
    whenNew(`play ${seat}`, `${play ? play.at : "none"} ${known} ${seats[bot][2]} ${segment.game} ${counted} ${segment.notes[bot]}`, () => showPlay(seat, bot, segment, play, known, counts));
    const orders = segment.place ? roundOf(segment.place).prompts[bot] : "";
    whenNew(`orders ${seat}`, orders, () => { element(`orders-${seat}`).textContent = orders || "none"; });
  });
  const heading = segment.round ? `${segment.round} ${turnShown(segment, scene.t)}` : "";
  whenNew("heading", `${heading} ${segment.game} ${segment.score}`, () => {
    const [round, turn] = heading.split(" ");
    element("heading").textContent = heading ? `ROUND ${round}/${rules.rounds}  TURN ${turn}/${rules.turns}` : `GAME ${segment.game}`;
    element("facts").textContent = segment.score || `game ${segment.game}  seed ${segment.seed}`;
    const next = segment.play || (played.find(other => other.start >= segment.start) || played[played.length - 1] || {}).play;
    element("now").textContent = next ? `${next.play[0]}.${next.play[1]}` : "1.1";
  });
}

/** Return the turn in the heading: once both bots have acted it is the next one. */
function turnShown(segment, t) {
  const both = segment.play && segment.play.play[2] === 2 && t >= segment.end;
  const goesOn = segment.fallen.every(fallen => fallen === null) && segment.turn < segment.rules.turns;
  return both && goesOn ? segment.turn + 1 : segment.turn;
}

function showHealth(seat, bot, pose, rules) {
  whenNew(`bar ${seat}`, `${pose.health.toFixed(3)} ${pose.ghost.toFixed(3)}`, () => {
    element(`fill-${seat}`).style.width = `${100 * clamp(pose.health)}%`;
    element(`ghost-${seat}`).style.width = `${100 * clamp(pose.ghost)}%`;
    element(`track-${seat}`).classList.toggle("low", pose.health > 0 && pose.health <= 0.25);
  });
  whenNew(`hits ${seat}`, rules.hits[bot], () => {
    element(`track-${seat}`).style.setProperty("--hit", rules.hits[bot] ? `${100 / rules.hits[bot]}%` : "200%");
  });
  whenNew(`points ${seat}`, pose.points, () => { element(`health-${seat}`).textContent = String(pose.points); });
  const up = pose.shield > 0.5;
  whenNew(`shield ${seat}`, `${up} ${pose.alive}`, () => {
    const chip = element(`shield-${seat}`);
    chip.textContent = pose.alive ? (up ? "SHIELD UP" : "shield down") : "KNOCKED OUT";
    chip.className = `chip ${pose.alive ? (up ? "up" : "") : "out"}`;
  });
}

/** Show a cartridge per shot, filled as far as the battery goes. */
function showCharge(seat, charge, rules) {
  const step = Math.round(clamp(charge / rules.battery) * (rules.filled.length - 1)), box = element(`charge-${seat}`);
  const parts = rules.cells.map((size, number) => {
    const full = rules.filled[step][number], cell = made("i", full === size && size >= rules.loaded ? "cell loaded" : "cell");
    cell.style.setProperty("--size", Math.min(1, size / rules.whole));
    cell.style.setProperty("--tick", size <= 9 ? `${100 / size}%` : "200%");
    const fill = made("i");
    fill.style.width = `${100 * full / size}%`;
    cell.append(fill);
    return cell;
  });
  box.replaceChildren(...parts, made("b", "", `${charge}/${rules.battery}`));
  box.setAttribute("aria-label", `charge ${charge} of ${rules.battery}`);
}

function showPlay(seat, bot, segment, play, known, counts) {
  const panel = element(seat), record = play ? recordOf(play) : null, notes = segment.notes[bot];
  const thought = !notes && record && record.thought || "";
  const why = play && play.why ? [made("p", "", play.why)] : [];
  element(`heading-${seat}`).textContent = notes ? "NOTES" : thought ? (play.read ? "TACTICIAN" : "THOUGHT") : why.length ? (segment.seats[bot][2] ? "SEEN" : "WHY") : "SO FAR";
  element(`thought-${seat}`).replaceChildren(...(notes ? [made("p", "", notes)] : thought ? thoughtParts(play, thought) : [...why, ...tallyParts(counts)]));
  element(`thought-${seat}`).scrollTop = 0;
  panel.classList.toggle("fumble", record !== null && record.status !== "ok");
  element(`command-${seat}`).textContent = play ? play.did[1] || play.did[0] : "";
  element(`action-${seat}`).textContent = play ? (play.did[1] ? play.did[0] : "") : "no play yet";
  const [words, color] = known && play.outcome || ["", ""];
  element(`outcome-${seat}`).textContent = words;
  element(`outcome-${seat}`).style.color = color;
  element(`latency-${seat}`).textContent = play && play.took || "";
  showRaw(seat, play, record, segment.seats[bot][2]);
}

/** Return a thought as nodes; one that tells how orders were read has a bar for each share. */
function thoughtParts(play, thought) {
  if (!play.read) return [made("p", "", thought)];
  const [shares, words, aside] = play.read;
  const bars = shares.map(([name, share]) => {
    const row = made("p", "share", name), track = made("i"), fill = made("i");
    fill.style.width = `${100 * share}%`;
    track.append(fill);
    row.append(track, made("b", "", `${Math.round(100 * share)}%`));
    return row;
  });
  return [...bars, ...(aside ? [made("p", "aside", aside)] : []), made("p", "", words)];
}

function tallyParts(counts) {
  const list = made("dl");
  ["shots", "hits", "blocks", "fumbles"].forEach((name, at) => list.append(made("dt", "", name), made("dd", "", String(counts[at]))));
  return [list];
}

/** Show the exact text received, with the command that was accepted marked in it. */
function showRaw(seat, play, record, model) {
  const box = element(`raw-${seat}`), raw = record ? record.llm_response : "", marked = play && play.marked;
  const note = record && !raw.trim() ? (record.queued_from ? `pressed in the reply to play ${record.queued_from}` : record.status === "ok" ? "" : "(no answer)") : "";
  element(seat).classList.toggle("wordless", Boolean(play && play.read) || !model && (!raw.trim() || raw.trim() === record.cmd) && !note);
  if (note) box.replaceChildren(made("em", "", note));
  else if (!marked) box.replaceChildren(raw);
  else {
    const mark = made("mark", "", raw.slice(...marked));
    box.replaceChildren(raw.slice(0, marked[0]), mark, raw.slice(marked[1]));
    box.scrollTop = Math.max(0, mark.offsetTop - box.offsetTop - box.clientHeight / 2);
  }
}
