// Effects, bullets, words and banners, and the whole arena put together.

const GOLDEN = 2.399963; // radians; spreads sparks evenly without randomness

/** Return unit vectors spread evenly over `spread` degrees, each with a length from 0.3 to 1. */
function rays(count, degrees, spread) {
  const found = [];
  for (let number = 0; number < count; number++) {
    const [ux, uy] = direction(degrees + spread * ((number * GOLDEN / TAU) % 1 - 0.5));
    found.push([ux, uy, 0.3 + 0.7 * ((number * 0.7548776) % 1)]);
  }
  return found;
}

const drawLayer = {
  glow(g, layer, at, age, R) {
    const { color, reach, power, rate } = layer;
    drawLight(g, "glow", color, ...at, R * reach, Math.max(0, 1 - rate * age) ** power);
  },
  ring(g, layer, at, age, R) {
    const reach = layer.start + layer.grow * (layer.eased ? 1 - (1 - age) ** 3 : age);
    drawLight(g, "ring", layer.color, ...at, R * reach, (1 - age) ** 2);
  },
  spark(g, layer, [x, y], age, R, degrees, scene, view) {
    age = Math.min(1, age * layer.hurry);
    if (age >= 1) return;
    const spread = layer.spread === null ? 2 * scene.rules.shield : layer.spread;
    const number = scene.calm ? Math.floor(layer.number / 3) : layer.number, flown = 1 - (1 - age) ** 3;
    const far = R * layer.reach * (0.06 + 0.94 * flown), near = 0.5 + 0.45 * age, ember = Math.max(2, 5 * view.scale);
    g.strokeStyle = mixed(colors.white, layer.color, age * 2.5);
    g.globalAlpha = 1 - age * age;
    g.lineWidth = Math.max(1, 1.4 * view.scale);
    const found = rays(number, degrees + layer.turn, spread);
    g.beginPath();
    for (const [ux, uy, length] of found) {
      g.moveTo(x + ux * far * length * near, y + uy * far * length * near);
      g.lineTo(x + ux * far * length, y + uy * far * length);
    }
    g.stroke();
    for (const [ux, uy, length] of found) {
      const color = age < 0.2 ? colors.white : layer.color;
      drawLight(g, "glow", color, x + ux * far * length, y + uy * far * length, ember, 1 - age * age);
    }
  },
  splinter(g, layer, [x, y], age, R, degrees, scene, view, effect) {
    if (scene.calm) return;
    const flown = 1 - (1 - age) ** 2.5;
    rays(layer.number, degrees + layer.turn, layer.spread).forEach(([ux, uy, length], number) => {
      const far = length * R * layer.reach * flown, shape = number % 5, size = Math.max(2, R * (0.12 + 0.04 * shape));
      const turn = TAU * (number + 22 * flown * (1 + number % 3)) / 10, points = [];
      for (let corner = 0; corner < 3 + shape % 3; corner++) {
        const angle = TAU * corner / (3 + shape % 3) + turn + 0.7 * Math.sin(shape * 5 + corner * 2);
        const reach = size * (0.55 + 0.4 * Math.sin(shape * 3 + corner * 7));
        points.push(x + far * ux + reach * Math.cos(angle), y + far * uy + reach * Math.sin(angle));
      }
      g.globalAlpha = clamp(5 * (1 - age));
      g.fillStyle = mixed(colors[SEATS[effect.bot]], colors.night, 0.15 + 0.14 * shape);
      tracePoints(g, points, true);
      g.fill();
    });
    g.globalAlpha = 1;
  },
  wave(g, layer, [x, y], age, R, degrees, scene, view) {
    const part = (age - layer.delay) / 0.5;
    if (part <= 0 || part >= 1) return;
    g.strokeStyle = mixed(layer.color, colors.floor, part);
    g.lineWidth = Math.max(2, 5 * view.scale);
    g.beginPath();
    g.arc(x, y, R * (0.6 + 5.5 * part), 0, TAU);
    g.stroke();
  },
  smoke(g, layer, [x, y], age, R, degrees, scene) {
    for (let number = 0; number < layer.number && !scene.calm; number++) {
      const far = R * (0.3 + 1.3 * age) * (0.5 + 0.5 * ((number * 0.7548776) % 1)), angle = number * GOLDEN;
      const spot = [x + far * Math.cos(angle), y + far * Math.sin(angle) - R * 0.9 * age];
      drawLight(g, "puff", look.effects.smoke, ...spot, R * (0.5 + 0.6 * age), 0.55 * (1 - age));
    }
  },
};

function drawBelow(g, scene, effect, view) {
  const at = view.point(effect.x, effect.y), age = ageOf(effect, scene.t), R = view.radius;
  if (effect.kind === "knockout") drawLight(g, "puff", look.effects.scorch, ...at, R * 1.9, 0.9 * Math.min(1, 5 * age));
  else if (effect.kind === "dust" && !scene.calm) drawDust(g, scene, effect, view);
  else if (effect.kind === "trace" && (1 - age) ** 2 > 0.1) {
    const [ux, uy] = direction(effect.degrees);
    g.strokeStyle = rgba(colors[SEATS[effect.bot]], 0.6 * (1 - age) ** 2);
    g.lineWidth = Math.max(1, view.scale);
    tracePoints(g, [...at, ...view.point(effect.x + ux * effect.amount, effect.y + uy * effect.amount)]);
    g.stroke();
  }
}

/** Draw the puffs of dust behind a moving bot. */
function drawDust(g, scene, effect, view) {
  const [ux, uy] = direction(effect.degrees), R = view.radius, seconds = scene.t - effect.start;
  for (let number = 0; number < 7; number++) {
    const share = (number + 0.5) / 7, age = (seconds - times.move * (0.15 + 0.75 * share)) / 0.7;
    if (age <= 0 || age >= 1) continue;
    const along = effect.amount * share, side = number % 2 ? 0.5 : -0.5, drift = R * (side + side * 0.5 * age);
    const [x, y] = view.point(effect.x + ux * along, effect.y + uy * along);
    const spot = [x - uy * drift - ux * R * 0.5, y + ux * drift - uy * R * 0.5];
    drawLight(g, "puff", look.effects.dust, ...spot, R * (0.22 + 0.36 * age), 0.7 * (1 - age));
  }
}

function drawAbove(g, scene, effect, view) {
  const age = ageOf(effect, scene.t), R = view.radius, figures = look.effects;
  let at = view.point(effect.x, effect.y);
  if (effect.kind === "muzzle") {
    const [ux, uy] = direction(effect.degrees);
    at = [at[0] + ux * R * figures.muzzle, at[1] + uy * R * figures.muzzle];
  } else if (effect.kind === "break" || effect.kind === "fade") {
    if (age <= 0) return;
    drawShards(g, scene, effect, at, age, R);
  } else if (effect.kind === "knockout" && age < figures.flash[1] && !scene.calm) {
    g.globalCompositeOperation = "lighter";
    g.fillStyle = figures.flash[0];
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.globalCompositeOperation = "source-over";
  }
  const degrees = effect.kind === "knockout" ? 0 : effect.degrees;
  for (const [kind, layer] of figures.layers[effect.bot][effect.kind] || []) {
    drawLayer[kind](g, layer, at, age, R, degrees, scene, view, effect);
    g.globalAlpha = 1;
  }
}

/** Draw a lost shield's splinters: flung away if a bullet broke it, else they just go out. */
function drawShards(g, scene, effect, [x, y], age, R) {
  const flung = effect.kind === "break" && !scene.calm, flown = 1 - (1 - age) ** 3;
  const reach = R * (1.15 + (flung ? 1.3 : 0.12) * flown), size = R * 0.17 * (1 - 0.6 * age);
  g.fillStyle = mixed(look.effects.shards[effect.bot], colors.floor, age);
  for (let number = 0; number < 9; number++) {
    const degrees = effect.degrees + scene.rules.shield * (number - 4) / 4.5, [ux, uy] = direction(degrees);
    const far = reach * (1 + (effect.kind === "break" ? 0.18 * Math.sin(number * 2.4) : 0));
    const turn = radians(degrees) + (flung ? flown * (number % 2 ? 2.2 : -2.6) : 0), c = Math.cos(turn), s = Math.sin(turn);
    const corners = [[0.5, -1], [0.1, 1], [-0.6, -0.2]];
    tracePoints(g, corners.flatMap(([a, b]) => [x + ux * far + (c * a - s * b) * size, y + uy * far + (s * a + c * b) * size]), true);
    g.fill();
  }
}

/** Draw a bolt of light that is thin at its tail. */
function drawBullet(g, bullet, view) {
  const tail = view.point(...bullet.tail), head = view.point(...bullet.head), color = colors[SEATS[bullet.bot]];
  const reach = 17 * view.scale;
  for (let bead = 1; bead <= 12; bead++) {
    const share = bead / 12, spot = [mix(tail[0], head[0], share), mix(tail[1], head[1], share)];
    drawLight(g, "glow", color, ...spot, reach * (0.35 + 0.65 * share), 0.25 + 0.6 * share);
  }
  g.strokeStyle = mixed(color, colors.white, 0.75);
  g.lineWidth = 2.4 * view.scale;
  tracePoints(g, [(tail[0] + 2 * head[0]) / 3, (tail[1] + 2 * head[1]) / 3, ...head]);
  g.stroke();
  drawLight(g, "glow", colors.white, ...head, reach * 0.9, 1);
}

/** Draw the words that pop up at a bot and rise, where they hide nothing else. */
function drawWords(g, scene, effect, view, below) {
  const { words } = effect, R = view.radius;
  const age = words ? ageOf(effect, scene.t) * effect.duration / words.seconds : 1;
  const at = view.point(effect.x, effect.y);
  if (age < 1) {
    const grown = scene.calm ? 1 : age < 0.03 ? 1.5 : age < 0.06 ? 1.25 : age < 0.1 ? 1.1 : 1;
    const image = wordsPicture(words.text, words.size * view.type, words.color);
    const halfW = image.width * grown / 2, halfH = image.height * grown / 2;
    const rise = R * (1.75 + (scene.calm ? 0 : 0.7 * (1 - (1 - age) ** 2))) + halfH;
    const top = view.rim, bottom = top + view.height, [me, foe] = [scene.bots[effect.bot], scene.bots[1 - effect.bot]];
    const r = scene.rules.radius;
    const crowded = scene.rules.battery && Math.abs(me.x - foe.x) < 3.5 * r && me.y - foe.y > r && me.y - foe.y < 4.5 * r;
    const beside = crowded && !below && me.y + 3.2 * r >= scene.rules.height;
    let y = below || (crowded && !beside) ? at[1] + rise : at[1] - rise;
    if (y - halfH < top) y = at[1] + rise;
    else if (y + halfH > bottom) y = at[1] - rise;
    const aside = Math.min(halfW + 16 * view.scale, view.width / 2);
    let x = clamp(at[0], view.rim + aside, view.rim + view.width - aside);
    if (beside) {
      x = at[0] > view.rim + view.width / 2 ? at[0] - 1.7 * R - halfW : at[0] + 1.7 * R + halfW;
      y = at[1] + 0.5 * R;
    }
    g.globalAlpha = clamp((1 - age) / 0.3);
    drawCentred(g, image, x, y, 0, grown);
    g.globalAlpha = 1;
  }
  if (effect.kind === "fumble" && effect.amount) drawStars(g, scene, at, ageOf(effect, scene.t), R);
}

/** Draw the stars that circle above a bot after a fumble. */
function drawStars(g, scene, [x, y], age, R) {
  const turned = scene.calm ? 0 : age * 7.5;
  g.fillStyle = colors.gold;
  g.globalAlpha = clamp(4 * (1 - age));
  for (let number = 0; number < 5; number++) {
    const angle = turned + number * TAU / 5, points = [];
    for (let corner = 0; corner < 10; corner++) {
      const reach = R * 0.18 * (corner % 2 ? 0.44 : 0.98), turn = corner * Math.PI / 5 - Math.PI / 2;
      points.push(x + R * 0.95 * Math.cos(angle) + reach * Math.cos(turn), y + R * 0.42 * Math.sin(angle) + reach * Math.sin(turn));
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
  g.globalAlpha = clamp((said.start + said.duration - scene.t) / 0.3);
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
  let shown = scene.calm ? 1 : Math.min(1, age / 0.18);
  if (lasts !== null && !scene.calm) shown = Math.min(shown, Math.max(0, (lasts - age) / 0.2));
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
  if (shown < 0.6) return;
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
    const greater = look.effects.greater[effect.kind] || [];
    if (scene.effects.some(other => other.bot === effect.bot && greater.includes(other.kind))) continue;
    drawWords(g, scene, effect, view, speaks[effect.bot]);
  }
  g.restore();
  drawBanner(g, scene, view);
  g.restore();
}
