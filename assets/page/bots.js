// The two bots: light, body, charge, head, muzzle, shield and the small bar of health.

function drawBot(g, scene, seat, view) {
  const pose = scene.bots[seat], { rules, t } = scene, R = view.radius;
  if (pose.entrance <= motion.seen) return;
  const own = scene.effects.filter(effect => effect.bot === seat), idle = scene.calm ? 0 : t;
  const at = recoiled(view.point(pose.x, pose.y), own, scene, R), busy = scene.acting === seat;
  const size = scene.calm ? 1 : Math.max(0.05, Math.min(pose.entrance, 1.2));
  if (pose.alive) drawBotLight(g, at, seat, idle, busy, R);
  const body = shapesPicture(`${pose.alive} ${seat} ${view.look}`, rules[pose.alive ? "alive" : "dead"][seat], R, 1.12);
  drawCentred(g, body, ...at, pose.rot, size);
  const hurt = own.find(effect => effect.kind === "hit");
  if (hurt && pose.alive && t < hurt.start + hurt.held + motion.hurt_flash_s && !scene.calm) {
    g.fillStyle = "#fff";
    g.beginPath();
    g.arc(...at, R, 0, TAU);
    g.fill();
  }
  if (pose.entrance >= motion.whole) {
    if (rules.battery && pose.alive) drawCentred(g, gaugePicture(rules, pose.charge, seat, view), ...at);
    drawHead(g, scene, seat, at, own, idle, busy, R);
  }
  if (!pose.alive) return drawPuffs(g, look.effects.smoke, plumeOf(motion.wreck, idle, at, R));
  if (rules.battery && pose.charge >= rules.loaded) drawMuzzle(g, pose, at, seat, idle, R);
  const broken = own.some(effect => effect.kind === "break" && ageOf(effect, t) > 0);
  if (pose.shield > motion.shield_seen && !broken) drawShield(g, scene, seat, at, own, R);
  const foe = scene.bots[1 - seat];
  return drawBar(g, pose, at, seat, view, foe.entrance > motion.seen && view.point(foe.x, foe.y));
}

/** Return the bot's place with the recoil of its shot or of a hit. */
function recoiled([x, y], own, scene, R) {
  if (scene.calm) return [x, y];
  for (const effect of own) {
    const recoil = motion.recoil[effect.kind];
    if (!recoil) continue;
    const far = R * valueAt(recoil, ageOf(effect, scene.t)), [ux, uy] = direction(effect.degrees);
    x += ux * far;
    y += uy * far;
  }
  return [x, y];
}

function drawBotLight(g, [x, y], seat, idle, busy, R) {
  const color = colors[SEATS[seat]], glow = motion.glow[busy ? "busy" : "rest"], { comets } = motion;
  drawLight(g, "glow", color, x, y, R * glow.reach, swung(glow.light, idle, seat));
  for (let number = 0; busy && number < comets.number; number++) {
    const angle = idle * comets.rate - number * comets.lag, share = number / (comets.number + 1);
    const dx = R * comets.orbit * Math.cos(angle), dy = R * comets.orbit * Math.sin(angle);
    for (const side of [1, -1]) {
      drawLight(g, "glow", color, x + side * dx, y + side * dy, R * valueAt(comets.size, share), valueAt(comets.light, share));
    }
  }
}

function gaugePicture(rules, charge, seat, view) {
  const steps = rules.gauges.length - 1, step = Math.round(clamp(charge / rules.battery) * steps);
  return shapesPicture(`gauge ${seat} ${step} ${view.look}`, rules.gauges[step][seat], view.radius, 0.8);
}

function drawHead(g, scene, seat, at, own, idle, busy, R) {
  const mood = moodOf(scene, seat, own, idle), breathing = motion.breathing[busy ? "busy" : "rest"];
  const breath = mood === "dead" ? 0 : Math.round(swung(breathing, idle, seat));
  const size = 1 + look.breath * breath;
  drawCentred(g, shapesPicture(`head ${mood} ${seat}`, look.heads[mood][seat], R, 0.5), ...at, 0, size);
  if (mood !== "open") return;
  const me = scene.bots[seat], foe = scene.bots[1 - seat], far = Math.hypot(foe.x - me.x, foe.y - me.y) || 1;
  const [dx, dy] = [(foe.x - me.x) / far * R * look.gaze, (foe.y - me.y) / far * R * look.gaze];
  drawCentred(g, shapesPicture(`pupil ${seat}`, look.pupils[seat], R, 0.2), at[0] + dx, at[1] + dy);
}

function moodOf(scene, seat, own, idle) {
  if (!scene.bots[seat].alive) return "dead";
  if (own.some(effect => effect.kind === "hit" && ageOf(effect, scene.t) < motion.hurt_age)) return "hurt";
  if (own.some(effect => effect.kind === "fumble" && effect.amount)) return "dead"; // dizzy
  if (scene.winner === seat) return "happy";
  const { every, lasts, start, step } = motion.blink;
  return (idle + step * seat + start) % every < lasts ? "closed" : "open";
}

/** Draw the light and the star at the muzzle of a gun that can fire. */
function drawMuzzle(g, pose, [x, y], seat, idle, R) {
  const [ux, uy] = direction(pose.rot), { points, reach, muzzle } = look.star, light = motion.gun_light;
  const [left, top] = [x + ux * R * muzzle, y + uy * R * muzzle];
  drawLight(g, "glow", colors.gold, left, top, R * light.reach, swung(light.light, idle, seat));
  g.fillStyle = colors.white;
  tracePoints(g, points.flatMap(([a, b]) => [left + (ux * a - uy * b) * reach * R, top + (uy * a + ux * b) * reach * R]), true);
  g.fill();
}

function drawShield(g, scene, seat, [x, y], own, R) {
  const pose = scene.bots[seat], { rules, t } = scene, { shield } = look;
  const weak = rules.battery > 0 && pose.charge <= rules.weak;
  let strength = rules.battery ? mix(shield.faintest, 1, pose.charge / rules.battery) : 1;
  if (weak && !scene.calm && motion.flicker.reduce((sum, swing) => sum + swung(swing, t), 0) > motion.flickers_above) {
    strength *= motion.flicker_light;
  }
  const block = own.find(effect => effect.kind === "block"), struck = block && ageOf(block, t) < motion.struck_age && !scene.calm;
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
  const { shimmer, ripple } = motion;
  if (pose.shield > shimmer.whole && !scene.calm) {
    for (const swing of shimmer.swings) glint(pose.rot + swung(swing, t) * rules.shield, shimmer.size, shimmer.light);
  }
  if (!block) return;
  const age = ageOf(block, t);
  for (const side of [-1, 1]) {
    for (let number = 0; number < ripple.number; number++) {
      const away = (age * ripple.speed - ripple.lag * number) * rules.shield, spot = block.degrees + side * away;
      const off = Math.abs(((spot - pose.rot + 180) % 360 + 360) % 360 - 180);
      if (away >= 0 && off <= rules.shield) glint(spot, ripple.size - ripple.smaller * number, valueAt(ripple.light, age));
    }
  }
}

/** Draw the small bar of health: above the bot, or below it where there is no room or the other bot, else on it. */
function drawBar(g, pose, [x, y], seat, view, other) {
  const R = view.radius, wide = R * 1.7, high = Math.max(4, 6 * view.scale);
  const least = view.rim + 4, most = view.rim + view.height - 4 - high, tops = [y - R * 1.5 - high, y + R * 1.5];
  const lies = top => other && Math.hypot(other[0] - Math.min(Math.max(other[0], x - wide / 2), x + wide / 2),
                                          other[1] - Math.min(Math.max(other[1], top), top + high)) < R;
  const upper = y < view.rim + view.height / 2;
  const top = tops.find(each => least <= each && each <= most && !lies(each))
    ?? (upper ? Math.max(least, tops[0]) : Math.min(most, tops[1]));
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
