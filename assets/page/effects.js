// Effects, bullets, words and banners, and the whole arena put together.

const drawLayer = {
  glow(g, { color, reach, light, hurry }, spot, age, R) {
    drawLight(g, "glow", color, ...spot, R * reach, valueAt(light, hurry * age));
  },
  ring(g, { color, reach, light }, spot, age, R) {
    drawLight(g, "ring", color, ...spot, R * valueAt(reach, age), valueAt(light, age));
  },
  spark(g, layer, spot, age, R, degrees, scene, view) {
    age = Math.min(1, age * layer.hurry);
    if (age >= 1) return;
    const { sparks } = motion, spread = layer.spread === null ? 2 * scene.rules.shield : layer.spread;
    const count = scene.calm ? Math.floor(layer.number / sparks.calm) : layer.number, light = valueAt(sparks.light, age);
    const along = rays(count, degrees + layer.turn, spread, sparks.nearest);
    const streaks = streaksOf(sparks, along, spot, R * layer.reach, age);
    g.strokeStyle = mixed(colors.white, layer.color, valueAt(sparks.tint, age));
    g.globalAlpha = light;
    g.lineWidth = Math.max(1, 1.4 * view.scale);
    g.beginPath();
    for (const [nearX, nearY, x, y] of streaks) {
      g.moveTo(nearX, nearY);
      g.lineTo(x, y);
    }
    g.stroke();
    const color = age < sparks.white ? colors.white : layer.color, ember = Math.max(sparks.least, sparks.ember * view.scale);
    for (const [, , x, y] of streaks) drawLight(g, "glow", color, x, y, ember, light);
  },
  splinter(g, layer, spot, age, R, degrees, scene, view, effect) {
    if (scene.calm) return;
    const { splinters } = motion, shapes = look.effects.splinters;
    const along = rays(layer.number, degrees + layer.turn, layer.spread, splinters.nearest);
    piecesOf(splinters, along, spot, R * layer.reach, age).forEach(([x, y, turn], number) => {
      const shape = shapes[number % shapes.length];
      g.globalAlpha = clamp(valueAt(splinters.light, age));
      g.fillStyle = shape.colors[effect.bot];
      tracePoints(g, cornersOf(shape.points, x, y, turn, Math.max(2, R * shape.size)), true);
      g.fill();
    });
    g.globalAlpha = 1;
  },
  wave(g, layer, [x, y], age, R, degrees, scene, view) {
    const part = (age - layer.delay) / layer.lasts;
    if (part <= 0 || part >= 1) return;
    g.strokeStyle = mixed(layer.color, colors.floor, part);
    g.lineWidth = Math.max(layer.least, layer.wide * view.scale);
    g.beginPath();
    g.arc(x, y, R * valueAt(layer.reach, part), 0, TAU);
    g.stroke();
  },
  smoke(g, layer, spot, age, R, degrees, scene) {
    if (!scene.calm) drawPuffs(g, look.effects.smoke, smokeOf(motion.smoke, layer.number, spot, R, age));
  },
};

function drawPuffs(g, color, puffs) {
  for (const puff of puffs) drawLight(g, "puff", color, ...puff);
}

function drawBelow(g, scene, effect, view) {
  const spot = view.point(effect.x, effect.y), age = ageOf(effect, scene.t), R = view.radius, trace = valueAt(motion.trace_fade, age);
  if (effect.kind === "knockout") {
    const light = valueAt(motion.scorch_light, motion.scorch_hurry * age);
    drawLight(g, "puff", look.effects.scorch, ...spot, R * motion.scorch_reach, light);
  } else if (effect.kind === "dust" && !scene.calm) {
    const { degrees, amount } = effect;
    drawPuffs(g, look.effects.dust, trailOf(motion.dust, scene.t - effect.start, spot, degrees, amount * view.unit, R));
  } else if (effect.kind === "trace" && trace > motion.trace_least) {
    const [ux, uy] = direction(effect.degrees);
    g.strokeStyle = rgba(colors[SEATS[effect.bot]], motion.trace_light * trace);
    g.lineWidth = Math.max(1, view.scale);
    tracePoints(g, [...spot, ...view.point(effect.x + ux * effect.amount, effect.y + uy * effect.amount)]);
    g.stroke();
  }
}

function drawAbove(g, scene, effect, view) {
  const age = ageOf(effect, scene.t), R = view.radius, figures = look.effects;
  let spot = view.point(effect.x, effect.y);
  if (effect.kind === "muzzle") {
    const [ux, uy] = direction(effect.degrees);
    spot = [spot[0] + ux * R * figures.muzzle, spot[1] + uy * R * figures.muzzle];
  } else if (effect.kind === "break" || effect.kind === "fade") {
    if (age <= 0) return;
    drawShards(g, scene, effect, spot, age, R);
  } else if (effect.kind === "knockout" && age < motion.flash_age && !scene.calm) {
    g.globalCompositeOperation = "lighter";
    g.fillStyle = figures.flash;
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.globalCompositeOperation = "source-over";
  }
  const degrees = effect.kind === "knockout" ? 0 : effect.degrees;
  for (const [kind, layer] of figures.layers[effect.bot][effect.kind] || []) {
    drawLayer[kind](g, layer, spot, age, R, degrees, scene, view, effect);
    g.globalAlpha = 1;
  }
}

/** Draw a lost shield's splinters. */
function drawShards(g, scene, effect, spot, age, R) {
  g.fillStyle = mixed(look.effects.shards[effect.bot], colors.floor, age);
  const shards = motion.shards[effect.kind];
  for (const corners of shardsOf(shards, spot, effect.degrees, scene.rules.shield, R, age, scene.calm)) {
    tracePoints(g, corners, true);
    g.fill();
  }
}

/** Draw a bolt of light that is thin at its tail. */
function drawBullet(g, bullet, view) {
  const tail = view.point(...bullet.tail), head = view.point(...bullet.head), color = colors[SEATS[bullet.bot]];
  const { beads } = motion, reach = beads.reach * view.scale;
  for (let bead = 1; bead <= beads.number; bead++) {
    const share = bead / beads.number, spot = [mix(tail[0], head[0], share), mix(tail[1], head[1], share)];
    drawLight(g, "glow", color, ...spot, reach * valueAt(beads.size, share), valueAt(beads.light, share));
  }
  g.strokeStyle = mixed(color, colors.white, 0.75);
  g.lineWidth = 2.4 * view.scale;
  tracePoints(g, [(tail[0] + 2 * head[0]) / 3, (tail[1] + 2 * head[1]) / 3, ...head]);
  g.stroke();
  drawLight(g, "glow", colors.white, ...head, reach * beads.head, 1);
}

/** Draw the words that pop up at a bot and rise, where they hide nothing else. */
function drawWords(g, scene, effect, view, below) {
  const { words } = effect, R = view.radius;
  const age = words ? ageOf(effect, scene.t) * effect.duration / words.seconds : 1;
  const spot = view.point(effect.x, effect.y), rising = motion.words;
  if (age < 1) {
    const [, grown] = !scene.calm && rising.sizes.find(([until]) => age < until) || [1, 1];
    const image = wordsPicture(words.text, words.size * view.type, words.color);
    const halfW = image.width * grown / 2, halfH = image.height * grown / 2;
    const rise = R * (rising.above + (scene.calm ? 0 : valueAt(rising.rise, age))) + halfH;
    const top = view.rim, bottom = top + view.height, [me, foe] = [scene.bots[effect.bot], scene.bots[1 - effect.bot]];
    const r = scene.rules.radius;
    const crowded = scene.rules.battery && Math.abs(me.x - foe.x) < 3.5 * r && me.y - foe.y > r && me.y - foe.y < 4.5 * r;
    const beside = crowded && !below && me.y + 3.2 * r >= scene.rules.height;
    let y = below || (crowded && !beside) ? spot[1] + rise : spot[1] - rise;
    if (y - halfH < top) y = spot[1] + rise;
    else if (y + halfH > bottom) y = spot[1] - rise;
    const aside = Math.min(halfW + 16 * view.scale, view.width / 2);
    let x = spot[0];
    if (beside) {
      x = spot[0] > view.rim + view.width / 2 ? spot[0] - 1.7 * R - halfW : spot[0] + 1.7 * R + halfW;
      y = spot[1] + 0.5 * R;
    }
    x = clamp(x, view.rim + aside, view.rim + view.width - aside);
    g.globalAlpha = clamp(valueAt(rising.light, age));
    drawCentred(g, image, x, y, 0, grown);
    g.globalAlpha = 1;
  }
  if (effect.kind === "fumble" && effect.amount) drawStars(g, scene, spot, ageOf(effect, scene.t), R);
}

/** Draw the stars that circle above a bot after a fumble. */
function drawStars(g, scene, [x, y], age, R) {
  const { stars } = motion, turned = scene.calm ? 0 : age * stars.turned;
  g.fillStyle = colors.gold;
  g.globalAlpha = clamp(valueAt(stars.light, age));
  for (let number = 0; number < stars.number; number++) {
    const angle = turned + number * TAU / stars.number, points = [];
    const left = x + R * stars.across * Math.cos(angle), top = y + R * stars.down * Math.sin(angle);
    for (let corner = 0; corner < 10; corner++) {
      const reach = R * stars.size / 2 * (corner % 2 ? 0.44 : 0.98), turn = corner * Math.PI / 5 - Math.PI / 2;
      points.push(left + reach * Math.cos(turn), top + reach * Math.sin(turn));
    }
    tracePoints(g, points, true);
    g.fill();
  }
  g.globalAlpha = 1;
}

/** Draw what a bot says aloud; return whether it says anything. */
function drawSpeech(g, scene, seat, view) {
  const said = scene.effects.filter(effect => effect.kind === "speech" && effect.bot === seat).pop(), pose = scene.bots[seat];
  if (!said || !pose.alive) return false;
  const [x, y] = view.point(pose.x, pose.y), size = 18 * view.type, pad = 9 * view.type, color = colors[SEATS[seat]];
  g.font = `500 ${size}px ${TITLE}`;
  const lines = wrapped(g, said.text, 230 * view.type, 3);
  const wide = Math.min(Math.max(...lines.map(line => g.measureText(line).width)), 260 * view.type) + 2 * pad;
  const high = lines.length * size * 1.25 + 2 * pad, gap = view.radius * 2.05, above = y - gap - high >= view.rim + 4;
  const left = clamp(x - wide / 2, view.rim + 4, view.rim + view.width - wide - 4), top = above ? y - gap - high : y + gap;
  g.globalAlpha = clamp((said.start + said.duration - scene.t) / motion.speech_fades_s);
  g.fillStyle = mixed(colors.night, color, 0.22);
  g.strokeStyle = color;
  g.lineWidth = 2 * view.scale;
  g.beginPath();
  g.roundRect(left, top, wide, high, pad);
  g.fill();
  g.stroke();
  g.fillStyle = color;
  const edge = above ? top + high : top, tail = above ? 11 : -11, middle = clamp(x, left + 2 * pad, left + wide - 2 * pad);
  tracePoints(g, [middle - 6 * view.scale, edge, middle + 6 * view.scale, edge, middle, edge + tail * view.scale], true);
  g.fill();
  g.fillStyle = colors.text;
  g.textAlign = "center";
  g.textBaseline = "middle";
  lines.forEach((line, row) => g.fillText(line, left + wide / 2, top + pad + (row + 0.5) * size * 1.25, wide - 2 * pad));
  g.globalAlpha = 1;
  return true;
}

/** Draw a title and a subtitle on a band that opens and closes, away from the bots if it stays. */
function drawBanner(g, scene, view) {
  const { segment } = scene;
  if (!segment.banner) return;
  const [title, subtitle, lasts, bot] = segment.banner, age = scene.t - segment.start;
  let shown = scene.calm ? 1 : Math.min(1, age / motion.banner_opens_s);
  if (lasts !== null && !scene.calm) shown = Math.min(shown, Math.max(0, (lasts - age) / motion.banner_closes_s));
  if (shown <= 0) return;
  const color = bot === null ? colors.gold : colors[SEATS[bot]], room = view.width - 40 * view.scale;
  const large = 46 * view.type, small = subtitle ? 22 * view.type : 0, full = large * 1.25 + small * 1.35 + 30 * view.scale;
  let least = Infinity, middle = 0.5;
  for (const share of [0.5, 0.78, 0.22]) { // where it covers least of the bots
    const from = view.height * share - full / 2, covered = lasts === null || scene.poster ? scene.bots.filter(pose => pose.alive)
      .reduce((sum, pose) => {
        const y = pose.y * view.unit, reach = 1.3 * view.radius;
        return sum + Math.max(0, Math.min(y + reach, from + full) - Math.max(y - reach, from));
      }, 0) : share === 0.5 ? 0 : 1;
    if (covered < least) [least, middle] = [covered, share];
  }
  const y = view.rim + view.height * middle, high = full * shown, wide = Math.max(2, 2 * view.scale);
  g.fillStyle = rgba(colors.night, 0.91 * shown);
  g.fillRect(view.rim, y - high / 2, view.width, high);
  g.fillStyle = color;
  g.fillRect(view.rim, y - high / 2, view.width, wide);
  g.fillRect(view.rim, y + high / 2 - wide, view.width, wide);
  if (shown < motion.banner_written) return;
  g.textAlign = "center";
  g.textBaseline = "middle";
  const line = (text, weight, size, at, tint) => {
    g.font = `${weight} ${size}px ${TITLE}`;
    g.fillStyle = tint;
    g.fillText(text, view.rim + view.width / 2, at, room);
  };
  line(title, 700, large, y - small * 0.65, colors.text);
  if (subtitle) line(subtitle, 500, small, y + large * 0.6, color);
}

/** Return the transform from world units to the canvas's pixels, and what is drawn relative to it. */
function viewOf(rules) {
  const dense = canvas.width / (canvas.clientWidth || canvas.width), rim = Math.round(3 * dense);
  const width = canvas.width - 2 * rim, height = canvas.height - 2 * rim, unit = Math.min(width / rules.width, height / rules.height);
  const scale = Math.min(width, height) / 632, type = Math.max(scale, Math.min(0.95 * dense, scale * 1.3));
  return {
    rim, width, height, unit, scale, type, radius: rules.radius * unit, look: look.rules.indexOf(rules),
    point: (x, y) => [rim + x * unit, rim + y * unit],
  };
}

/** Draw the whole arena. */
function drawArena(scene) {
  const view = viewOf(scene.rules), g = paper;
  g.drawImage(floorPicture(view), 0, 0);
  g.save();
  g.beginPath();
  g.rect(view.rim, view.rim, view.width, view.height);
  g.clip();
  g.save();
  g.translate(scene.shake[0] * view.unit, scene.shake[1] * view.unit);
  for (const effect of scene.effects) drawBelow(g, scene, effect, view);
  for (const seat of [0, 1]) drawBot(g, scene, seat, view);
  if (scene.bullet) drawBullet(g, scene.bullet, view);
  for (const effect of scene.effects) drawAbove(g, scene, effect, view);
  const speaks = [0, 1].map(seat => drawSpeech(g, scene, seat, view));
  for (const effect of scene.effects) {
    const greater = look.effects.greater[effect.kind] || [], rests = effect.kind === "fumble" && !effect.amount;
    const shots = look.effects.shots, isShot = shots.includes(effect.kind);
    const isLater = other => isShot && shots.includes(other.kind) && other.start > effect.start;
    const isGreater = other => greater.includes(other.kind) || (rests && other !== effect && other.words);
    if (scene.effects.some(other => isLater(other) || (other.bot === effect.bot && isGreater(other)))) continue;
    drawWords(g, scene, effect, view, speaks[effect.bot]);
  }
  g.restore();
  drawBanner(g, scene, view);
  g.restore();
}
