// The replay's data, and the scene at any moment of it: a function of the time alone.

/** Return the values in an element that holds JSON, gzipped and in base64. */
function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

const replay = await unpacked("replay");
const session = JSON.parse(document.getElementById("session").textContent);
const look = replay.look, times = look.times, colors = look.colors;
const SEATS = ["left", "right"];

const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
const mix = (a, b, share) => a + (b - a) * share;

/** Return how many of the ascending numbers are at most `value`. */
function countUpTo(numbers, value) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function decodedChange([t = 0, old = 0, now = 0, held = 0]) {
  return { t, old, now, held };
}

function decodedEffect([kind, start = 0, duration = 0, x = 0, y = 0, degrees = 0, bot = 0, amount = 0, text = "",
  held = 0, words = 0]) {
  const said = words ? { text: words[0], color: words[1], size: words[2], seconds: words[3] } : null;
  return { kind, start, duration, x, y, degrees, bot, amount, text, held, words: said };
}

/** Return the segments with what they leave out taken from the one before. */
function decodedSegments() {
  const pair = make => [make(), make()];
  const nobody = { seats: null, plays: [null, null], known: [0, 0], tally: [0, 0, 0, 0, 0, 0, 0, 0], notes: ["", ""] };
  let last = {
    ...nobody, bots: replay.before, health: pair(() => null), shield: pair(() => null), charge: pair(() => null),
    fallen: [null, null], round: 0, turn: 0, place: null, score: "",
  };
  const found = replay.segments.map(raw => {
    const segment = {
      ...last, start: raw.s, end: raw.e, before: last.bots, tallyBefore: last.tally, banner: null, play: null, effects: [],
    };
    if ("game" in raw) {
      Object.assign(segment, nobody, { game: raw.game, seed: raw.seed, rules: look.rules[raw.look], round: 0, turn: 0, place: null });
      segment.entered = raw.entered;
    }
    for (const name of ["health", "shield", "charge"]) {
      segment[name] = last[name].map((change, bot) => (raw[name] && raw[name][bot] ? decodedChange(raw[name][bot]) : change));
    }
    for (const name of ["bots", "fallen", "seats", "banner", "score", "notes"]) if (name in raw) segment[name] = raw[name];
    if ("round" in raw) Object.assign(segment, { round: raw.round, turn: 1, place: raw.at });
    if ("bot" in raw) {
      segment.play = raw;
      segment.place = raw.at;
      [segment.round, segment.turn] = raw.play;
      segment.tally = raw.tally;
      segment.plays = segment.plays.map((play, bot) => (bot === raw.bot ? raw : play));
      segment.effects = (raw.effects || []).map(decodedEffect);
    }
    last = segment;
    return segment;
  });
  found.reverse().forEach((segment, at) => { segment.place ??= at ? found[at - 1].place : null; }); // its first round's
  return found.reverse();
}

const segments = decodedSegments();
const starts = segments.map(segment => segment.start);
const played = segments.filter(segment => segment.play);
const ends = played.map(segment => segment.end);

const roundOf = place => session.games[place[0]].rounds[place[1]];
const recordOf = play => roundOf(play.at).turns[play.at[2]];
const ageOf = (effect, t) => clamp((t - effect.start - effect.held) / effect.duration);

const MOMENT = 0.001; // seconds; the moment after a play is so much before the next segment begins

/** Return how many plays are over at `t`. */
const playsDone = t => countUpTo(ends, t + 1.5 * MOMENT);

/** Return the moment after so many plays: the last one of all leads to the end, where the result stands. */
function timeAfter(plays) {
  if (plays >= played.length) return replay.end;
  if (plays > 0) return ends[plays - 1] - MOMENT;
  const { entered, banner } = segments[0]; // both bots have come, and it says who plays
  return banner ? Math.max(0, entered + times.entrance[0] + times.entrance[1] + times.later + 0.08) : 0;
}

/** Return both bots once so many plays are over, exactly as recorded: x, y, rot, health, shield, charge. */
function statesAt(segment, t) {
  return segment.play && t < segment.end - 1.5 * MOMENT ? segment.before : segment.bots;
}

function eased(change, t, seconds, delay = 0) {
  return mix(change.old, change.now, valueAt(motion.change, (t - change.t - change.held - delay) / seconds));
}

function poseAt(segment, bot, t) {
  let [x, y, rot] = segment.bots[bot];
  const { play } = segment, seconds = t - segment.start;
  if (play && play.bot === bot && t < segment.end) {
    if (play.turned) rot = play.turned[0] + play.turned[1] * valueAt(motion.turn, seconds / play.turned[2]);
    if (play.moved) {
      const share = valueAt(motion.step, seconds / times.move);
      x = mix(play.moved[0], play.moved[2], share);
      y = mix(play.moved[1], play.moved[3], share);
    }
  } else if (play && play.bumped && t < segment.end) {
    const left = 1 - valueAt(motion.step, (seconds - play.bumped[5]) / play.bumped[6]);
    x += (play.bumped[0] - play.bumped[2]) * left;
    y += (play.bumped[1] - play.bumped[3]) * left;
    rot -= play.bumped[4] * left;
  }
  const health = segment.health[bot], fallen = segment.fallen[bot], alive = fallen === null || t < fallen;
  const full = segment.rules.health[bot];
  return {
    x, y, rot, alive,
    shield: alive ? eased(segment.shield[bot], t, times.shield) : 0,
    health: eased(health, t, times.health) / full,
    ghost: eased(health, t, times.ghost[1], times.ghost[0]) / full,
    points: t >= health.t ? health.now : health.old,
    charge: Math.round(eased(segment.charge[bot], t, times.charge)),
    entrance: valueAt(motion.entrance, (t - segment.entered - times.entrance[0] - times.later * bot) / times.entrance[1]),
  };
}

function bulletAt(segment, t) {
  if (!segment.play || !segment.play.bullet) return null;
  const [leaves, lands, hold, ...path] = segment.play.bullet;
  if (t > lands) t = Math.max(lands, t - hold);
  const share = (t - leaves) / (lands - leaves);
  if (share < 0 || share >= 1 + times.tail) return null;
  return { ...boltOn(path, share, Math.min(1, share)), bot: segment.play.bot };
}

/** Return tail and head of a bolt on its way, x and y of each corner; off a wall, its tail begins there. */
function boltOn([x0, y0, x1, y1, x2, y2], share, head) {
  const first = Math.hypot(x1 - x0, y1 - y0), second = x2 === undefined ? 0 : Math.hypot(x2 - x1, y2 - y1);
  const bounce = x2 !== undefined && first + second > 0 ? first / (first + second) : 1, off = x2 !== undefined && head >= bounce;
  const [ax, ay, bx, by, from, to] = off ? [x1, y1, x2, y2, bounce, 1] : [x0, y0, x1, y1, 0, bounce];
  const at = spot => {
    const part = to > from ? (spot - from) / (to - from) : 1;
    return [mix(ax, bx, part), mix(ay, by, part)];
  };
  return { tail: at(Math.max(from, share - times.tail)), head: at(head) };
}

function shakeOf(effects, t, radius) {
  let dx = 0, dy = 0;
  for (const effect of effects) {
    const shake = motion.shakes[effect.kind];
    if (!shake) continue;
    const seconds = t - effect.start - effect.held, reach = shake.reach * valueAt(motion.shake_fade, seconds / shake.seconds) * radius;
    dx += reach * swung(motion.shake_across, seconds);
    dy += reach * swung(motion.shake_down, seconds);
  }
  return [dx, dy];
}

/** Return everything to draw at `t` seconds; `calm` is without what only moves. */
function sceneAt(t, calm) {
  const index = Math.max(0, countUpTo(starts, t) - 1), segment = segments[index], effects = [];
  for (let at = index; at >= 0 && segments[at].end > t - times.speech; at--) {
    for (const effect of segments[at].effects.slice().reverse()) {
      if (effect.start <= t && t < effect.start + effect.held + effect.duration) effects.unshift(effect);
    }
  }
  return {
    t, calm, segment, effects, rules: segment.rules, poster: t === timeAfter(0),
    bots: [poseAt(segment, 0, t), poseAt(segment, 1, t)],
    bullet: bulletAt(segment, t),
    shake: calm ? [0, 0] : shakeOf(effects, t, segment.rules.radius),
    acting: segment.play && t < segment.end ? segment.play.bot : null,
    winner: segment.banner && segment.banner[2] === null ? segment.banner[3] : null,
  };
}
