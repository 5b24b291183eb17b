// The player: its clock, its controls, the timeline's marks, and links to a moment.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const wantsCalm = matchMedia("(prefers-reduced-motion: reduce)");
const player = { t: timeAfter(0), speed: 2, playing: false, last: 0, reads: !replay.autoplay, until: 0 };
const seek = element("seek"), strip = element("marks");

function draw() {
  const scene = sceneAt(player.t, wantsCalm.matches), done = playsDone(player.t);
  showPanels(scene);
  drawArena(scene);
  showEnding(player.t >= replay.end);
  whenNew("seek", done, () => {
    seek.value = done;
    seek.setAttribute("aria-valuetext", momentText(done));
    seek.style.setProperty("--done", `${100 * done / Math.max(1, played.length)}%`);
  });
}

function tick(now) {
  if (!player.playing) return;
  const passed = Math.min(0.25, Math.max(0, now - player.last) / 1000) * SPEEDS[player.speed];
  player.last = now;
  if (now >= player.until) {
    const done = playsDone(player.t), next = player.t + passed;
    const thought = player.reads && playsDone(next) > done ? newThought(done) : "";
    player.t = thought ? ends[done] - MOMENT : next;
    if (thought) player.until = now + 1000 * readingTime(thought);
  }
  if (player.t >= replay.end) {
    if (replay.loop) player.t = 0;
    else {
      player.t = replay.end;
      pause();
    }
  }
  draw();
  if (player.playing) requestAnimationFrame(tick);
}

/** Return what the bot of this play thought, "" if that was the same at its last one. */
function newThought(number) {
  const { play, game } = played[number], thought = recordOf(play).thought || "";
  const before = played.slice(0, number).reverse().find(other => other.play.bot === play.bot);
  return before && before.game === game && (recordOf(before.play).thought || "") === thought ? "" : thought;
}

function readingTime(text) {
  const [each, least, most] = times.read;
  return clamp(text.length * each, least, most);
}

function play() {
  showOpening(false);
  if (player.t >= replay.end - MOMENT || player.t === timeAfter(0)) player.t = 0;
  player.playing = true;
  player.last = performance.now();
  showPlaying();
  requestAnimationFrame(tick);
}

function pause() {
  player.playing = false;
  showPlaying();
  keepLink();
  canvas.setAttribute("aria-label", `The arena. ${momentText(playsDone(player.t))}`);
}

const toggle = () => (player.playing ? pause() : play());

function showPlaying() {
  element("play").setAttribute("aria-label", player.playing ? "pause" : "play");
  element("play").setAttribute("aria-pressed", String(player.playing));
  document.body.classList.toggle("playing", player.playing);
}

/** Stop after every play for as long as its thought takes to read, or no longer. */
function toggleReading() {
  player.reads = !player.reads;
  player.until = 0;
  showReading();
}

const showReading = () => element("read").setAttribute("aria-pressed", String(player.reads));

/** Go to the moment after so many plays. */
function goTo(plays) {
  showOpening(false);
  player.t = timeAfter(clamp(plays, 0, played.length));
  player.last = performance.now();
  player.until = 0;
  draw();
  if (!player.playing) {
    keepLink();
    element("live").textContent = momentText(playsDone(player.t));
  }
}

function step(by) {
  goTo(playsDone(player.t) + by);
}

/** Go to the first play of the next or previous turn, round or game, given what tells these apart. */
function jump(by, unit) {
  const done = playsDone(player.t), key = at => String(unit(played[at]));
  let at = clamp(by > 0 ? done : done - 1, 0, played.length - 1);
  if (by > 0) {
    const now = key(at);
    while (at < played.length && key(at) === now) at++;
    return goTo(at);
  }
  const now = key(at);
  while (at > 0 && key(at - 1) === now) at--;
  return goTo(at);
}

const byTurn = segment => [segment.game, segment.round, segment.turn];
const byRound = segment => [segment.game, segment.round];

/** Play it from the beginning. */
function again() {
  player.t = 0;
  player.until = 0;
  play();
}

function setSpeed(index) {
  player.speed = clamp(index, 0, SPEEDS.length - 1);
  const shown = `${SPEEDS[player.speed]}\u00d7`;
  element("speed").textContent = shown;
  element("speed").setAttribute("aria-label", `speed ${shown}`);
}

/** Return a moment in words, for those who do not see it. */
function momentText(done) {
  if (!done) return "before the first play";
  const segment = played[done - 1], { play } = segment, health = segment.bots.map(bot => bot[3]);
  const outcome = play.outcome ? `: ${play.outcome[0]}` : "";
  const words = `${segment.seats[play.bot][3]} ${play.did[1] || play.did[0]}${outcome}`;
  return `${replay.several ? `game ${segment.game}, ` : ""}round ${segment.round}, turn ${segment.turn}: ${words}. Health ${health.join(" to ")}.`;
}

// -- links: #t=ROUND.TURN.PLAY or #t=GAME.ROUND.TURN.PLAY is the moment after that play

function linkTo(done) {
  if (!done) return "#t=0";
  const { game, play } = played[done - 1];
  return `#t=${(replay.several ? [game, ...play.play] : play.play).join(".")}`;
}

function keepLink() {
  const link = linkTo(playsDone(player.t));
  element("link").setAttribute("href", link);
  if (location.hash !== link) {
    try {
      history.replaceState(null, "", link);
    } catch { /* a frame that may not: the link's own address remains */ }
  }
}

/** Go to the moment that the address names; return whether it names one. */
function followLink() {
  const found = /^#t=(\d{1,9}(?:\.\d{1,9}){0,3})$/.exec(location.hash);
  if (!found) return false;
  const numbers = found[1].split(".").map(Number);
  if (numbers.length === 1 && numbers[0] === 0) {
    goTo(0);
    return true;
  }
  const at = played.findIndex(({ game, play }) => {
    const own = numbers.length === 4 ? [game, ...play.play] : play.play;
    return own.length === numbers.length && own.every((number, index) => number === numbers[index]);
  });
  if (at >= 0) goTo(at + 1);
  return at >= 0;
}

// -- the timeline's marks

const EDGE = 9; // half the slider's thumb, within which its ends lie
const placeOf = plays => EDGE + (strip.clientWidth - 2 * EDGE) * plays / Math.max(1, played.length);

const MARK_COLORS = { "??": colors.danger, "?": colors.danger, "?!": colors.gold, "!": colors.good };
const MARK = 6.5; // half a mark of the chances, in pixels
const LABEL = 11, LABEL_TOPS = [0, 14]; // the height of a round's label, and where it may be: off the marks, else nowhere
const heightOf = (chance, height) => 1 + (1 - chance / 1000) * (height - 2);

/** Draw left's chance after each play as a curve: above the middle left is ahead, below it right. */
function drawChances(g, height) {
  if (!replay.chances) return;
  const places = replay.chances.left.map((chance, index) => [placeOf(index + 1), heightOf(chance, height)]);
  const first = played.map((segment, index) => index).filter(index => !index || played[index].game !== played[index - 1].game);
  const middle = heightOf(500, height);
  first.forEach((from, number) => {
    const game = places.slice(from, first[number + 1]);
    if (game.length) game.unshift([placeOf(from), game[0][1]]);
    for (const [side, color] of [[-1, colors.left], [1, colors.right]]) {
      g.save();
      g.beginPath();
      g.rect(0, side < 0 ? 0 : middle, strip.clientWidth, middle);
      g.clip();
      g.beginPath();
      g.moveTo(game[0][0], middle);
      for (const [x, y] of game) g.lineTo(x, y);
      g.lineTo(game[game.length - 1][0], middle);
      g.globalAlpha = 0.38;
      g.fillStyle = color;
      g.fill();
      g.restore();
    }
    g.beginPath();
    game.forEach(([x, y], index) => (index ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.strokeStyle = colors.soft;
    g.stroke();
  });
}

const placeOfMark = ([done], height) =>
  [placeOf(done), clamp(heightOf(replay.chances.left[done], height), MARK + 1, height - MARK - 1)];

/** Return the marks of plays that lost much, or were the only good ones, of which none lies on a graver one. */
function judgedMarks(height) {
  const kept = [];
  for (const kind of Object.keys(MARK_COLORS))
    for (const mark of replay.chances ? replay.chances.marks : []) {
      const [x, y] = placeOfMark(mark, height);
      const apart = other => Math.hypot(x - other[0], y - other[1]) >= 2 * MARK;
      if (mark[1] === kind && kept.every(({ place }) => apart(place))) kept.push({ mark, place: [x, y] });
    }
  return kept;
}

/** Draw those marks on the curve. */
function drawJudged(g, marks) {
  for (const { mark, place: [x, y] } of marks) {
    g.beginPath();
    g.arc(x, y, MARK, 0, 7);
    g.fillStyle = MARK_COLORS[mark[1]];
    g.fill();
    g.strokeStyle = g.fillStyle = colors.night;
    g.stroke();
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.font = `700 9px ${TITLE}`;
    g.fillText(mark[1], x, y + 0.5);
  }
}

function drawMarks() {
  const dense = devicePixelRatio || 1, width = strip.clientWidth, height = strip.clientHeight, g = strip.getContext("2d");
  strip.width = Math.max(1, Math.round(width * dense));
  strip.height = Math.max(1, Math.round(height * dense));
  g.scale(dense, dense);
  g.font = `500 11px ${TITLE}`;
  g.textBaseline = "top";
  let free = -1;
  drawChances(g, height);
  const marks = judgedMarks(height), judged = marks.map(({ place }) => place);
  for (const [done, game, round] of replay.chapters) {
    const x = placeOf(done), text = round ? `ROUND ${round}` : replay.several ? `GAME ${game}` : "";
    g.fillStyle = round ? colors.wall : colors.gold;
    g.fillRect(x - 0.5, 0, 1, height);
    const right = x + 4 + g.measureText(text).width, beside = judged.filter(([at]) => at + MARK > x + 4 && at - MARK < right);
    const top = LABEL_TOPS.find(y => beside.every(([, at]) => at - MARK >= y + LABEL || at + MARK <= y));
    if (text && x > free && top !== undefined) {
      g.fillStyle = round ? colors.soft : colors.gold;
      g.fillText(text, x + 4, top);
      free = right + 4;
    }
  }
  for (const [done, kind, bot] of replay.moments) {
    g.save();
    g.translate(placeOf(done), height - 8);
    const reach = kind === "knockout" ? 7 : 4.5;
    g.scale(reach, reach);
    for (const number of look.marks[kind][bot]) fillShape(g, look.shapes[number]);
    g.restore();
  }
  drawJudged(g, marks);
}

/** Return the mark at a place of the strip, those of what plays were worth first, undefined if none is near. */
function markAt(x, y) {
  const judged = judgedMarks(strip.clientHeight).find(({ place: [left, top] }) => Math.hypot(left - x, top - y) <= MARK + 1);
  if (judged) return judged.mark;
  const near = replay.moments.map(moment => [Math.abs(placeOf(moment[0]) - x), moment]).filter(([away]) => away < 8);
  return near.sort((a, b) => a[0] - b[0]).map(([, moment]) => moment)[0];
}

strip.addEventListener("pointermove", event => {
  const mark = markAt(event.offsetX, event.offsetY);
  strip.title = mark ? mark[3] : "";
});
strip.addEventListener("click", event => {
  const mark = markAt(event.offsetX, event.offsetY);
  goTo(mark ? mark[0] : Math.round((event.offsetX - EDGE) / Math.max(1, strip.clientWidth - 2 * EDGE) * played.length));
});

// -- controls

const keys = {
  " ": toggle, k: toggle, p: toggle,
  ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  "shift ArrowLeft": () => jump(-1, byTurn), "shift ArrowRight": () => jump(1, byTurn),
  PageUp: () => jump(-1, byRound), PageDown: () => jump(1, byRound),
  Home: () => goTo(0), End: () => goTo(played.length),
  ArrowUp: () => setSpeed(player.speed + 1), ArrowDown: () => setSpeed(player.speed - 1),
  "+": () => setSpeed(player.speed + 1), "=": () => setSpeed(player.speed + 1), "-": () => setSpeed(player.speed - 1),
  t: toggleReading, h: showHelp, "?": showHelp,
  Enter: () => opening.hidden || play(), Escape: () => (opening.hidden ? shutEnding() : showOpening(false)),
};

function showHelp() {
  const help = element("help");
  help.open ? help.close() : help.showModal();
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const onButton = event.target.closest("button, a, summary") && (event.key === " " || event.key === "Enter");
  const action = keys[event.shiftKey && `shift ${event.key}` in keys ? `shift ${event.key}` : event.key];
  if (!action || onButton || (element("help").open && action !== showHelp)) return;
  event.preventDefault();
  action();
});

for (const [id, action] of Object.entries({
  play: toggle, first: () => goTo(0), back: () => step(-1), next: () => step(1), last: () => goTo(played.length),
  speed: () => setSpeed((player.speed + 1) % SPEEDS.length), read: toggleReading, keys: showHelp, close: showHelp,
  again, shut: shutEnding,
})) element(id).addEventListener("click", action);

element("link").addEventListener("click", event => {
  event.preventDefault();
  keepLink();
  const done = () => {
    element("live").textContent = "link copied";
    element("link").classList.add("copied");
    setTimeout(() => element("link").classList.remove("copied"), 1500);
  };
  if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(done, () => {});
});

seek.max = played.length;
seek.addEventListener("input", () => goTo(Number(seek.value)));
addEventListener("hashchange", followLink);
wantsCalm.addEventListener("change", draw);

let touch = null;
canvas.addEventListener("pointerdown", event => { touch = [event.clientX, event.clientY]; });
canvas.addEventListener("pointerup", event => {
  if (!touch) return;
  const dx = event.clientX - touch[0], dy = event.clientY - touch[1];
  touch = null;
  if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
  else if (Math.hypot(dx, dy) < 12) toggle();
});

/** Give the canvas as many pixels as the screen has for it. */
function fit() {
  const dense = devicePixelRatio || 1, { rules } = segments[0], side = canvas.clientWidth;
  const width = Math.max(32, Math.round(side * dense)), height = Math.max(32, Math.round(width * rules.height / rules.width));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    kept.clear();
  }
  drawMarks();
  draw();
}

canvas.style.aspectRatio = `${segments[0].rules.width} / ${segments[0].rules.height}`;
document.body.style.setProperty("--ratio", segments[0].rules.width / segments[0].rules.height);
element("app").hidden = false;
setSpeed(player.speed);
showPlaying();
showReading();
fillOpening();
fillEnding();
opening.addEventListener("click", () => getSelection().isCollapsed && play());
new ResizeObserver(fit).observe(canvas);
fit();
if (!followLink() || player.t === timeAfter(0)) replay.autoplay && !wantsCalm.matches ? play() : showOpening(true);
document.fonts.ready.then(() => {
  for (const name of [...kept.keys()]) if (name.startsWith("words")) kept.delete(name);
  drawMarks();
  draw();
});
