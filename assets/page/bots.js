// The two bots: light, body, charge, head, muzzle, shield and the small bar of health.

function drawBot(g, scene, seat, view) {
  const pose = scene.bots[seat], { rules, t } = scene, R = view.radius;
  if (pose.entrance <= 0.02) return;
  const own = scene.effects.filter(effect => effect.bot === seat), idle = scene.calm ? 0 : t;
  const at = recoiled(view.point(pose.x, pose.y), own, scene, R), busy = scene.acting === seat;
  const size = scene.calm ? 1 : Math.max(0.05, Math.min(pose.entrance, 1.2));
  if (pose.alive) drawBotLight(g, at, seat, idle, busy, R);
  const body = shapesPicture(`${pose.alive} ${seat} ${view.look}`, rules[pose.alive ? "alive" : "dead"][seat], R, 1.12);
  drawCentred(g, body, ...at, pose.rot, size);
  const hurt = own.find(effect => effect.kind === "hit");
  if (hurt && pose.alive && t < hurt.start + hurt.held + 0.09 && !scene.calm) {
    g.fillStyle = "#fff";
    g.beginPath();
    g.arc(...at, R, 0, TAU);
    g.fill();
  }
  if (pose.entrance >= 0.7) {
    if (rules.battery && pose.alive) drawCentred(g, gaugePicture(rules, pose.charge, seat, view), ...at);
    drawHead(g, scene, seat, at, own, idle, busy, R);
  }
  if (!pose.alive) return drawBotSmoke(g, at, idle, R);
  if (rules.battery && pose.charge >= rules.loaded) drawMuzzle(g, pose, at, seat, idle, R);
  const broken = own.some(effect => effect.kind === "break" && ageOf(effect, t) > 0);
  if (pose.shield > 0.05 && !broken) drawShield(g, scene, seat, at, own, R);
  return drawBar(g, pose, at, seat, view);
}

/** Return the bot's place with the recoil of its shot or of a hit. */
function recoiled([x, y], own, scene, R) {
  if (scene.calm) return [x, y];
  for (const effect of own) {
    const share = look.effects.recoil[effect.kind];
    if (!share) continue;
    const left = (1 - ageOf(effect, scene.t)) ** (effect.kind === "muzzle" ? 3 : 6), [ux, uy] = direction(effect.degrees);
    x += ux * share * left * R;
    y += uy * share * left * R;
  }
  return [x, y];
}

function drawBotLight(g, [x, y], seat, idle, busy, R) {
  const color = colors[SEATS[seat]];
  if (!busy) return drawLight(g, "glow", color, x, y, R * 1.9, 0.18 + 0.06 * Math.sin(1.7 * idle + seat * 2));
  drawLight(g, "glow", color, x, y, R * 2.2, 0.36 + 0.12 * Math.sin(4.2 * idle));
  for (let part = 0; part < 7; part++) { // two comets around it
    const angle = idle * 2.1 - part * 0.13, dx = R * 1.5 * Math.cos(angle), dy = R * 1.5 * Math.sin(angle);
    for (const side of [1, -1]) drawLight(g, "glow", color, x + side * dx, y + side * dy, R * (0.22 - 0.02 * part), 1 - part / 8);
  }
  return undefined;
}

function gaugePicture(rules, charge, seat, view) {
  const steps = rules.gauges.length - 1, step = Math.round(clamp(charge / rules.battery) * steps);
  return shapesPicture(`gauge ${seat} ${step} ${view.look}`, rules.gauges[step][seat], view.radius, 0.8);
}

function drawHead(g, scene, seat, at, own, idle, busy, R) {
  const mood = moodOf(scene, seat, own, idle), [steps, larger] = look.breath;
  const breath = mood === "dead" ? 0 : Math.round(steps / 2 * Math.sin((busy ? 3.1 : 1.5) * idle + seat));
  const size = 1 + larger * breath;
  drawCentred(g, shapesPicture(`head ${mood} ${seat}`, look.heads[mood][seat], R, 0.5), ...at, 0, size);
  if (mood !== "open") return;
  const me = scene.bots[seat], foe = scene.bots[1 - seat], far = Math.hypot(foe.x - me.x, foe.y - me.y) || 1;
  const [dx, dy] = [(foe.x - me.x) / far * R * look.gaze, (foe.y - me.y) / far * R * look.gaze];
  drawCentred(g, shapesPicture(`pupil ${seat}`, look.pupils[seat], R, 0.2), at[0] + dx, at[1] + dy);
}

function moodOf(scene, seat, own, idle) {
  if (!scene.bots[seat].alive) return "dead";
  if (own.some(effect => effect.kind === "hit" && ageOf(effect, scene.t) < look.effects.hurt)) return "hurt";
  if (own.some(effect => effect.kind === "fumble" && effect.amount)) return "dead"; // dizzy
  if (scene.winner === seat) return "happy";
  return (idle + 1.3 * seat + 2) % 3.7 < 0.13 ? "closed" : "open";
}

function drawBotSmoke(g, [x, y], idle, R) {
  for (let number = 0; number < 4; number++) {
    const age = (idle * 0.45 + number / 4) % 1, dx = R * 0.3 * Math.sin(number * 2.2 + idle);
    drawLight(g, "puff", look.effects.smoke, x + dx, y - R * 1.7 * age, R * (0.25 + 0.5 * age), 0.5 * (1 - age));
  }
}

/** Draw the light and the star at the muzzle of a gun that can fire. */
function drawMuzzle(g, pose, [x, y], seat, idle, R) {
  const [ux, uy] = direction(pose.rot), { points, reach, at } = look.star;
  const [left, top] = [x + ux * R * at, y + uy * R * at];
  drawLight(g, "glow", colors.gold, left, top, R * 0.62, 0.75 + 0.15 * Math.sin(5 * idle + seat));
  g.fillStyle = colors.white;
  tracePoints(g, points.flatMap(([a, b]) => [left + (ux * a - uy * b) * reach * R, top + (uy * a + ux * b) * reach * R]), true);
  g.fill();
}

function drawShield(g, scene, seat, [x, y], own, R) {
  const pose = scene.bots[seat], { rules, t } = scene, { shield } = look;
  const weak = rules.battery > 0 && pose.charge <= rules.weak;
  let strength = rules.battery ? mix(shield.faintest, 1, pose.charge / rules.battery) : 1;
  if (weak && !scene.calm && Math.sin(31 * t) + Math.sin(19 * t) > 0.9) strength *= 0.4; // it flickers
  const block = own.find(effect => effect.kind === "block"), struck = block && ageOf(block, t) < 0.16 && !scene.calm;
  const pieces = weak ? shield.pieces : 1, width = rules.shield * pose.shield / pieces;
  g.save();
  g.translate(x, y);
  g.rotate(radians(pose.rot));
  g.scale(R, R);
  for (let number = 0; number < pieces; number++) {
    for (const [inner, outer, color, alpha] of shield.bands[seat]) {
      g.fillStyle = struck ? "#fff" : rgba(color, strength * alpha / 255);
      traceBand(g, inner, outer, (2 * number + 1 - pieces) * width, weak ? width * shield.piece : width);
      g.fill();
    }
  }
  g.restore();
  const glint = (degrees, size, light) => {
    const [ux, uy] = direction(degrees), far = R * shield.middle;
    drawLight(g, "glow", shield.glint[seat], x + ux * far, y + uy * far, R * size, light);
  };
  if (pose.shield > 0.95 && !scene.calm) { // a shimmer that moves along the arc
    for (let number = 0; number < 3; number++) {
      glint(pose.rot + Math.sin(t * (1.1 + 0.25 * number) + number * 2.1) * rules.shield * 0.86, 0.24, 0.55);
    }
  }
  if (!block) return;
  const age = ageOf(block, t);
  for (const side of [-1, 1]) { // a ripple from the impact to both ends
    for (let number = 0; number < 3; number++) {
      const away = (age * 1.5 - 0.12 * number) * rules.shield, spot = block.degrees + side * away;
      const off = Math.abs(((spot - pose.rot + 180) % 360 + 360) % 360 - 180);
      if (away >= 0 && off <= rules.shield) glint(spot, 0.42 - 0.1 * number, 1 - age);
    }
  }
}

/** Draw the small bar of health: above the bot, or below it if there is no room. */
function drawBar(g, pose, [x, y], seat, view) {
  const R = view.radius, wide = R * 1.7, high = Math.max(4, 6 * view.scale);
  const above = y - R * 1.5 - high, top = above < view.rim + 4 ? y + R * 1.5 : above;
  const bar = (color, share, edge) => {
    g.fillStyle = color;
    g.beginPath();
    g.roundRect(x - wide / 2 - edge, top - edge, wide * clamp(share) + 2 * edge, high + 2 * edge, 2 + edge);
    g.fill();
  };
  bar(colors.night, 1, 2 * view.scale);
  if (pose.ghost > 0) bar(colors.white, pose.ghost, 0);
  if (pose.health > 0) bar(colors[SEATS[seat]], pose.health, 0);
}
