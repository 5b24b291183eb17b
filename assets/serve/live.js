// The picture while a match is played: grows with every message, and shows the moment that it is at the server.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const parts = new URLSearchParams(location.search).get("parts");
const heard = []; // called with every message once it is part of the picture

document.getElementById("lobby").hidden = true;
document.getElementById("app").hidden = false;
document.getElementById("stage").classList.toggle("clear", kind === "overlay");
if (kind === "overlay" && parts) for (const part of parts.split(",")) document.body.classList.add(`with-${part.replace(/[^a-z]/g, "")}`);
if (kind === "overlay" && !parts) document.body.classList.add("with-health", "with-thoughts", "with-arena");

/** Add what a message tells to the story, and have the viewer read it anew: a page has seconds between two of them. */
function grow(message) {
  const { games } = session, game = games[games.length - 1], rounds = game ? game.rounds : [];
  if (message.look) Object.assign(look, message.look);
  if (message.game) games.push(message.game);
  if (message.round) rounds.push(message.round);
  if (message.turn) rounds[rounds.length - 1].turns.push(message.turn);
  replay.segments.push(...message.add);
  replay.end = message.end;
  decode();
  for (const hear of heard) hear(message);
}

function decode() {
  segments.splice(0, segments.length, ...decodedSegments());
  starts.splice(0, starts.length, ...segments.map(segment => segment.start));
  played.splice(0, played.length, ...segments.filter(segment => segment.play));
  ends.splice(0, ends.length, ...played.map(segment => segment.end));
  canvas.style.aspectRatio = `${segments[0].rules.width} / ${segments[0].rules.height}`;
}

/** Show another match from its beginning. */
async function begin(start) {
  element("replay").textContent = start.replay;
  const { look: other, ...rest } = await unpacked("replay");
  Object.assign(look, other);
  Object.assign(replay, rest, { look });
  session.games = start.session.games;
  for (const part of Object.keys(shownKeys)) delete shownKeys[part];
  kept.clear();
  decode();
  if (kind === "wall") cover();
}

/** Return the play that a message tells of in words, for those who do not see it. */
function momentWords() {
  const segment = played[played.length - 1];
  if (!segment) return "";
  const { play } = segment, outcome = play.outcome ? `: ${play.outcome[0]}` : "";
  return `${segment.seats[play.bot][3]} ${play.did[1] || play.did[0]}${outcome}. Health ${segment.bots.map(bot => bot[3]).join(" to ")}.`;
}

let grown = Promise.resolve(); // once everything that was told is part of the picture
hears.add = message => {
  story.have += 1;
  grown = grown.then(() => grow(message));
};
hears.start = ({ start }) => {
  if (kind === "seat") return location.reload();
  clockOf.ahead = -Infinity;
  Object.assign(story, { match: start.match, have: start.have });
  grown = grown.then(() => begin(start));
};
for (const name of ["ask", "asked"]) delete hears[name];
hears.lobby = message => {
  Object.assign(line, { bot: message.bot, others: message.lobby });
  if (message.over) element("live").textContent = "The match is over";
};
heard.push(message => { if (message.turn) element("live").textContent = momentWords(); });

function fit() {
  const dense = devicePixelRatio || 1, { rules } = segments[0], side = canvas.clientWidth;
  const width = Math.max(32, Math.round(side * dense)), height = Math.max(32, Math.round(width * rules.height / rules.width));
  if (canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
  kept.clear();
}

const drawnOver = []; // called with every scene, after the arena was drawn

function frame() {
  const scene = sceneAt(Math.max(0, serverNow()), calm.matches);
  showPanels(scene);
  drawArena(scene);
  for (const draw of drawnOver) draw(scene);
  requestAnimationFrame(frame);
}

canvas.style.aspectRatio = `${segments[0].rules.width} / ${segments[0].rules.height}`;
document.body.style.setProperty("--ratio", segments[0].rules.width / segments[0].rules.height);
new ResizeObserver(fit).observe(canvas);
fit();
if (kind !== "seat") soFar.forEach(hear);
if (kind === "wall") cover();
document.fonts.ready.then(() => kept.clear());
requestAnimationFrame(frame);
