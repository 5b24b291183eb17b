// Helpers for bots in JavaScript: what a bot sees, in sentences; the same ones as those of @bot in Python.
import { createInterface } from "node:readline";

const degrees = (angle) => (angle * 180) / Math.PI;
const rounded = (value) => Math.round(value * 1e9) / 1e9;
const along = (rot) => (rot % 90 ? [Math.cos(rot * (Math.PI / 180)), Math.sin(rot * (Math.PI / 180))]
  : [[1, 0], [0, 1], [-1, 0], [0, -1]][(rot / 90) % 4]);
const wrapped = (angle) => ((angle % 360) + 900) % 360 - 180;

export const turnToken = (angle, digits = 2) => {
  const turn = wrapped(angle), tens = 10 ** digits;
  return `${turn >= 0 ? "C" : "A"}${(Math.floor(Math.abs(turn) * tens + 0.5) / tens).toFixed(digits)}`;
};

export class BotView {
  constructor(state, rules, seat, other = null) {
    Object.assign(this, { x: state.x, y: state.y, rot: state.rot, health: state.health, charge: state.charge ?? 0 });
    Object.assign(this, { shield: Boolean(state.shield), rules, seat, other });
  }
  static pair(mine, theirs, rules, seat) {
    const me = new BotView(mine, rules, seat), foe = new BotView(theirs, rules, 1 - seat);
    return ([me.other, foe.other] = [foe, me]).reverse();
  }
  get loaded() { return !this.rules.battery || this.charge >= this.rules.shot_charge; }
  distanceTo(other) { return Math.hypot(other.x - this.x, other.y - this.y); }
  bearingTo(other) { return wrapped(degrees(Math.atan2(other.y - this.y, other.x - this.x)) - this.rot); }
  turnTo(other) { return turnToken(this.bearingTo(other)); }
  aimsAt(other) { return this.strikes(other) !== null; }
  menaces(other) { return !this.shield && this.loaded && this.aimsAt(other); }
  covers(other) { return Math.abs(this.bearingTo(other)) <= this.rules.shield_degrees; }
  isShieldedFrom(other) { return this.shield && this.covers(other); }
  lineTo(other) { return { turn: this.bearingTo(other), distance: this.distanceTo(other), aimed: this.aimsAt(other), blocked: other.isShieldedFrom(this) }; }
  canStep(other) {
    const { bot_radius: radius, step_length: step, arena_width: width, arena_height: height } = this.rules;
    const angle = this.rot * (Math.PI / 180);
    const x = this.x + (Math.cos(angle) * step) / 2, y = this.y + (Math.sin(angle) * step) / 2;
    const inside = radius <= x && x <= width - radius && radius <= y && y <= height - radius;
    return inside && !(this.distanceTo(other) < 2.1 * radius && Math.abs(this.bearingTo(other)) < 90);
  }
  // The part of `other` that a bullet fired now would strike first: "front", "side", "back"; null where it would miss.
  strikes(other) { return this.flight(other)?.part ?? null; }
  // Where a bullet fired now would strike `other`: its `part`, and whether it has `bounced` off a wall; null for a miss.
  flight(other) {
    const [ux, uy] = along(this.rot), straight = this.touched(other, this.x, this.y, ux, uy);
    if (straight || !this.rules.ricochet) return straight && { part: straight, bounced: false };
    const { arena_width: width, arena_height: height } = this.rules;
    const untilX = ux ? ((ux > 0 ? width : 0) - this.x) / ux : Infinity, untilY = uy ? ((uy > 0 ? height : 0) - this.y) / uy : Infinity;
    const until = Math.min(untilX, untilY), inCorner = Math.abs(untilX - untilY) <= 1e-9 * until;
    const turnsX = inCorner || untilX < untilY, turnsY = inCorner || untilY < untilX;
    const x = turnsX ? (ux > 0 ? width : 0) : this.x + until * ux, y = turnsY ? (uy > 0 ? height : 0) : this.y + until * uy;
    const part = this.touched(other, x, y, turnsX ? -ux : ux, turnsY ? -uy : uy);
    return part && { part, bounced: true };
  }
  // What a bullet of this bot takes where it strikes: { part, bounced }.
  damage({ part, bounced }) {
    const rules = this.rules, times = { front: 1, side: rules.side_damage, back: rules.back_damage }[part];
    return rules.bullet_damage[this.seat] * (bounced && rules.bounce_cap ? Math.min(times, rules.bounce_cap) : times);
  }
  // The aims off a wall that strike `other`, best first: { turn, part, damage }, 0 where its shield stops the bullet.
  banks(other) {
    const { arena_width: width, arena_height: height } = this.rules, { x, y } = other, here = this.rot, found = [];
    const mirrored = [[-x, y], [2 * width - x, y], [x, -y], [x, 2 * height - y]];
    for (const rot of [here, ...mirrored.map(([mx, my]) => degrees(Math.atan2(my - this.y, mx - this.x)))]) {
      if (Math.abs(wrapped(rot - here)) > (this.rules.turn_limit || 180)) continue; // more than one play turns
      this.rot = ((rot % 360) + 360) % 360;
      const way = this.flight(other), stopped = other.shield && way?.part === "front";
      if (way?.bounced) found.push({ turn: wrapped(rot - here), part: way.part, damage: stopped ? 0 : this.damage(way) });
    }
    this.rot = here;
    return found.sort((one, two) => two.damage - one.damage || Math.abs(one.turn) - Math.abs(two.turn));
  }
  // The part of `other` that a ray from (x, y) along (ux, uy) touches first, null where it passes.
  touched(other, x, y, ux, uy) {
    const radius = this.rules.bot_radius, wx = x - other.x, wy = y - other.y, far = Math.hypot(wx, wy);
    let [hx, hy] = far ? [(wx * radius) / far, (wy * radius) / far] : [-radius * ux, -radius * uy];
    if (far > radius) {
      const ahead = -(wx * ux + wy * uy), inside = radius ** 2 - (wx * uy - wy * ux) ** 2;
      if (ahead <= 0 || inside < 0) return null;
      const reach = ahead - Math.sqrt(inside);
      [hx, hy] = [wx + reach * ux, wy + reach * uy];
    }
    const off = Math.abs(wrapped(degrees(Math.atan2(hy, hx)) - other.rot)), front = this.rules.shield_degrees;
    return off <= front ? "front" : off >= 180 - front ? "back" : "side";
  }
  // Whether a bullet fired now would take health from `other`.
  wouldHit(other) {
    const part = this.shield || !this.loaded ? null : this.strikes(other);
    return part !== null && !(other.shield && part === "front");
  }
  // What would happen if this bot played `token` now, the other as it is: { me, foe }, by the rules of the match.
  simulate(token) {
    const rules = this.rules, [me, foe] = BotView.pair(this, this.other, rules, this.seat);
    const parsed = /^(?:([CA])(\d{1,3}(?:\.\d+)?)|(M|B|S[01]?)|(M-)\d{1,4})$/.exec(token ?? "") ?? [];
    const command = parsed[1] ?? parsed[3] ?? parsed[4], raises = command === "S1" || (command === "S" && !me.shield);
    let gain = rules.rest_charge, fired = null;
    if (parsed[1]) me.turn((parsed[1] === "C" ? 1 : -1) * Number(parsed[2]), rules.turn_limit || 360);
    else if (raises && !me.shield && rules.battery && me.charge <= rules.shield_charge) gain = rules.rest_charge; // refused
    else if (command === "S0" || command === "S1" || command === "S") me.shield = raises;
    else if (command === "M") {
      const [walked, met] = me.step(foe), bumps = met && (rules.bump_push > 0 || rules.bump_turn > 0);
      if (bumps) foe.shoved(me);
      else if (walked >= rules.step_length / 2) gain = rules.step_charge;
    }
    else if (command === "M-" && rules.back_step) me.step(foe, -rules.back_step);
    else if (command === "B" && !me.shield && me.loaded) fired = me.flight(foe) ?? { part: "nothing" };
    const blocked = fired?.part === "front" && foe.shield;
    if (fired && fired.part !== "nothing" && !blocked) {
      foe.health = Math.max(0, rounded(foe.health - me.damage(fired)));
    }
    if (rules.battery && fired) me.charge -= rules.shot_charge;
    if (rules.battery && blocked) foe.drain(rules.block_charge);
    if (rules.battery && !fired && me.shield) me.drain(rules.shield_charge);
    else if (rules.battery && !fired) me.charge = Math.min(rules.battery, me.charge + gain);
    return { me, foe };
  }
  drain(charge) {
    this.charge = Math.max(0, this.charge - charge);
    this.shield = this.charge > 0;
  }
  turn(degrees, limit = 360) {
    const turn = limit < 360 ? Math.min(Math.max(-wrapped(-degrees), -limit), limit) : degrees;
    this.rot = (((this.rot + turn) % 360) + 360) % 360;
  }
  // What becomes of a bot that `other` ran into.
  shoved(other) {
    const [ux, uy] = along(other.rot), push = this.rules.bump_push;
    this.slide(other, push * ux, push * uy);
    this.turn(this.rules.bump_turn);
  }
  step(foe, step = this.rules.step_length) {
    const [ux, uy] = along(this.rot);
    return this.slide(foe, step * ux, step * uy);
  }
  // Go by (dx, dy) unless something is in the way; returns how far it got, and whether the other bot stopped it.
  slide(foe, dx, dy) {
    const { bot_radius: radius, arena_width: width, arena_height: height } = this.rules;
    const clamp = (value, most) => Math.min(Math.max(value, radius), most - radius);
    const vx = clamp(this.x + dx, width) - this.x, vy = clamp(this.y + dy, height) - this.y;
    const wx = this.x - foe.x, wy = this.y - foe.y, nearer = wx * vx + wy * vy, length = vx * vx + vy * vy;
    let share = 1;
    if (this.rules.bots_collide && nearer < -1e-8 * Math.hypot(wx, wy) * Math.hypot(vx, vy)) {
      const gap = wx * wx + wy * wy - 4 * radius * radius, root = nearer * nearer - length * gap;
      if (Math.hypot(wx, wy) <= 2 * radius + 1e-9) share = 0;
      else if (root > 0) share = Math.min(1, gap / (Math.sqrt(root) - nearer));
    }
    [this.x, this.y] = [rounded(this.x + share * vx), rounded(this.y + share * vy)];
    return [rounded(share * Math.hypot(vx, vy)), share < 1];
  }
}

// Play: `decide(me, foe, view)` returns a command, null for nothing, or { command, thought, say }.
export const play = (name, decide) => {
  let rules = null;
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") say({ type: "ready", name });
    else if (message.type === "game") rules = message.rules;
    else if (message.type === "quit") process.exit(0);
    else if (message.type === "decide") {
      const { self, opp } = message.view.current_state;
      const [me, foe] = BotView.pair(self, opp, rules, message.view.ids.self === "left" ? 0 : 1);
      const answer = decide(me, foe, message.view);
      say({ type: "play", id: message.id, ...(typeof answer === "object" && answer ? answer : { command: answer ?? null }) });
    }
  });
};
