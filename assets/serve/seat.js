// A person's turn: aiming by dragging or by keys, the buttons, the turn clock, what shakes the phone.

const buttons = ["move", "retreat", "fire", "shield", "wait"];
const EARLY = 0.35; // seconds before the last play is over in which the next one may be given
const SNAP = 0.5; // radii around the other bot and the marks within which pointing means just that
const REST = 80; // milliseconds between two questions for what is to be seen
const aiming = { pointer: null, asked: 0, waits: null };

const shake = pattern => navigator.vibrate && navigator.userActivation?.hasBeenActive && navigator.vibrate(pattern);
const mayPlay = () => turn.ask > 0 && serverNow() >= replay.end - EARLY;

/** Ask what is to be seen now: at most so often, the last one always. */
function lookOn() {
  clearTimeout(aiming.waits);
  const wait = aiming.asked + REST - performance.now();
  if (wait > 0) {
    aiming.waits = setTimeout(lookOn, wait);
    return;
  }
  aiming.asked = performance.now();
  if (turn.ask) tell({ aim: turn.aim, hold: turn.aim ? "" : turn.hold, ask: turn.ask });
}

function aimAt(degrees) {
  const whole = clamp(Math.round(degrees), -turn.most, turn.most);
  if (whole === turn.aim) return;
  turn.aim = whole;
  lookOn();
}

function hold(name) {
  if (turn.hold === name) return;
  turn.hold = name;
  lookOn();
}

function give(play) {
  if (!mayPlay()) return;
  tell({ play, by: play === "turn" ? turn.aim : 0, ask: turn.ask });
  turn.aim = 0;
  turn.hold = "";
}

const own = () => (turn.shows ? turn.shows.own.bot : 0);

/** Return how far to turn to look at a place of the canvas, null at the own bot. */
function turnTo(event) {
  const scene = sceneAt(serverNow(), true), view = viewOf(scene.rules), dense = canvas.width / canvas.clientWidth;
  const box = canvas.getBoundingClientRect(), me = scene.bots[own()], foe = scene.bots[1 - own()];
  let x = ((event.clientX - box.left) * dense - view.rim) / view.unit, y = ((event.clientY - box.top) * dense - view.rim) / view.unit;
  const near = [[foe.x, foe.y], ...(turn.shows ? turn.shows.marks : [])].find(([a, b]) => Math.hypot(a - x, b - y) < SNAP * scene.rules.radius);
  if (near) [x, y] = near;
  if (Math.hypot(x - me.x, y - me.y) < scene.rules.radius) return null;
  return ((Math.atan2(y - me.y, x - me.x) * 180 / Math.PI - me.rot + 180) % 360 + 360) % 360 - 180;
}

canvas.addEventListener("pointerdown", event => {
  if (!mayPlay() || aiming.pointer !== null) return;
  aiming.pointer = event.pointerId;
  canvas.setPointerCapture(event.pointerId);
  aimAt(turnTo(event) ?? 0);
});
canvas.addEventListener("pointermove", event => {
  if (event.pointerId === aiming.pointer) aimAt(turnTo(event) ?? 0);
});
canvas.addEventListener("pointerup", event => {
  if (event.pointerId !== aiming.pointer) return;
  aiming.pointer = null;
  if (turn.aim) give("turn");
  else if (turnTo(event) !== null && turn.shows && turn.shows.own.outcome === "hit") give("fire"); // a tap on the barrel's line
});
canvas.addEventListener("pointercancel", () => {
  aiming.pointer = null;
  aimAt(0);
});

for (const name of buttons) {
  const button = element(name);
  button.addEventListener("click", () => give(name));
  button.addEventListener("pointerdown", () => hold(name));
  for (const end of ["pointerleave", "pointercancel", "blur"]) button.addEventListener(end, () => hold(""));
  button.addEventListener("focus", () => button.matches(":focus-visible") && hold(name));
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || !turn.ask) return;
  const step = event.shiftKey ? 1 : 5, onButton = event.target.closest("button") && (event.key === "Enter" || event.key === " ");
  const actions = {
    ArrowLeft: () => aimAt(turn.aim - step), ArrowRight: () => aimAt(turn.aim + step), ArrowUp: () => give("move"),
    ArrowDown: () => give("shield"), " ": () => give("fire"), Enter: () => turn.aim && give("turn"), Escape: () => aimAt(0),
    Backspace: () => give("retreat"), w: () => give("wait"),
  };
  if (onButton || !(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
});

hears.ask = message => {
  if ("aim" in message) { // what is seen for an aim that was asked for
    if (message.ask === turn.ask && message.aim === turn.aim) turn.shows = message.shows;
    return;
  }
  Object.assign(turn, { ask: message.ask, most: message.most, aim: 0, hold: "", shows: message.shows, refusedUntil: 0 });
  const unseen = Math.max(0, replay.end - serverNow()); // for which nobody's clock runs
  turn.until = message.left === null ? null : performance.now() + 1000 * (message.left + unseen);
  element("retreat").hidden = !message.back;
  aiming.buzzes = true;
};
hears.done = () => { turn.ask = 0; };
hears.asked = ({ asked }) => { if (asked === turn.ask) turn.ask = 0; };
hears.refused = ({ refused }) => {
  turn.refused = refused;
  turn.refusedUntil = performance.now() + 1800;
  shake([30, 40, 30]);
};

const FELT = { hit: [90], knockout: [200, 60, 200], block: [30], break: [60, 30, 60] };
heard.push(message => {
  for (const segment of segments.slice(-message.add.length)) for (const effect of segment.effects) {
    if (effect.kind in FELT && effect.bot === line.bot) setTimeout(shake, 1000 * Math.max(0, effect.start - serverNow()), FELT[effect.kind]);
  }
});
/** Say whose turn it is, what advises the person, or why a play was refused. */
drawnOver.push(scene => {
  const mine = mayPlay(), over = scene.winner !== null || line.over, now = performance.now();
  if (mine && aiming.buzzes) {
    aiming.buzzes = false;
    shake(40);
  }
  if (line.over) turn.ask = 0;
  const words = turn.ask && now < turn.refusedUntil ? turn.refused : turn.ask && turn.shows ? turn.shows.words || "YOUR TURN: drag to aim"
    : over ? "" : line.others && line.others.some(seat => seat.wanted === "seat" && !seat.here) ? "The other phone is away" : "The other side thinks";
  whenNew("words", words, () => { element("words").textContent = words; });
  whenNew("mine", `${mine} ${turn.ask}`, () => {
    document.body.classList.toggle("mine", mine);
    for (const name of buttons) element(name).disabled = !turn.ask;
  });
  const left = turn.ask && turn.until !== null ? Math.max(0, Math.ceil((turn.until - now) / 1000)) : null;
  whenNew("clock", left, () => {
    element("clock").hidden = left === null;
    element("clock").textContent = left === null ? "" : String(left);
    element("clock").classList.toggle("late", left !== null && left <= 5);
  });
});
soFar.forEach(hear);
