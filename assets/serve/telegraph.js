// What the person of this seat sees coming: both lines of fire, where steps end, and the words at them.

const turn = { ask: 0, most: 180, aim: 0, hold: "", shows: null, until: null, refused: "", refusedUntil: 0 };

function drawLine(g, view, line, own) {
  const color = own ? (line.outcome === "hit" ? colors.gold : colors.soft) : colors[SEATS[line.bot]], points = line.path.map(point => view.point(...point));
  const [ux, uy] = [points[1][0] - points[0][0], points[1][1] - points[0][1]], far = Math.hypot(ux, uy) || 1;
  points[0] = [points[0][0] + ux / far * Math.min(far, view.radius), points[0][1] + uy / far * Math.min(far, view.radius)]; // the muzzle
  g.save();
  g.strokeStyle = g.fillStyle = color;
  g.lineWidth = (own || line.outcome === "hit" ? 3 : 2) * view.scale;
  g.globalAlpha = line.held ? 0.55 : 0.9;
  g.setLineDash(own ? [2 * view.scale, 11 * view.scale] : line.held ? [2 * view.scale, 13 * view.scale] : []);
  g.lineCap = "round";
  tracePoints(g, points.flat());
  g.stroke();
  g.setLineDash([]);
  const [x, y] = points[points.length - 1];
  if (line.outcome !== "miss" && !(line.held && !own)) {
    g.beginPath();
    g.arc(x, y, 9 * view.scale, 0, TAU);
    g.stroke();
  }
  g.restore();
}

function drawRing(g, view, ring) {
  const [x, y] = view.point(...ring.at), R = view.radius;
  g.save();
  g.strokeStyle = ring.struck ? colors.danger : colors[SEATS[ring.bot]];
  g.lineWidth = Math.max(1.5, 2 * view.scale);
  g.setLineDash([R * 0.21, R * 0.14]);
  g.globalAlpha = 0.8;
  g.beginPath();
  g.arc(x, y, R, 0, TAU);
  g.stroke();
  g.setLineDash([]);
  if (ring.struck) {
    const arm = R * 0.2;
    for (const slant of [-arm, arm]) {
      tracePoints(g, [x - slant, y - arm, x + slant, y + arm]);
      g.stroke();
    }
  }
  g.restore();
}

/** Draw how far the barrel can turn in one play: an arc with an end at each side. */
function drawReach(g, view, { own, reach: [middle, most] }) {
  const [x, y] = view.point(...own.path[0]), R = view.radius;
  g.save();
  g.strokeStyle = colors[SEATS[own.bot]];
  g.lineWidth = Math.max(1, 1.5 * view.scale);
  g.globalAlpha = 0.6;
  g.beginPath();
  g.arc(x, y, 1.5 * R, radians(middle - most), radians(middle + most));
  g.stroke();
  for (const end of [middle - most, middle + most]) {
    const [ux, uy] = direction(end);
    tracePoints(g, [x + 1.3 * R * ux, y + 1.3 * R * uy, x + 1.7 * R * ux, y + 1.7 * R * uy]);
    g.stroke();
  }
  g.restore();
}

/** Draw words near a point, at the first place beside it where they hide no bot and no other words. */
function drawNear(g, view, scene, [x, y], texts, color, taken) {
  const size = Math.max(13 * (canvas.width / canvas.clientWidth), 17 * view.type), lines = texts.filter(Boolean);
  if (!lines.length) return;
  const images = lines.map((text, at) => wordsPicture(text, at ? size * 0.82 : size, at ? colors.text : color));
  const wide = Math.max(...images.map(image => image.width)), high = images.reduce((sum, image) => sum + image.height, 0);
  const bots = scene.bots.map(pose => [...view.point(pose.x, pose.y), 1.2 * view.radius]);
  const left = view.rim + 4, top = view.rim + 4, right = view.rim + view.width - wide - 4, bottom = view.rim + view.height - high - 4;
  for (const far of [1.5, 2.4, 3.4]) for (const [dx, dy] of [[0, -1], [0, 1], [1, 0], [-1, 0]]) {
    const px = clamp(x - wide / 2 + dx * (wide / 2 + far * view.radius), left, Math.max(left, right));
    const py = clamp(y - high / 2 + dy * (high / 2 + far * view.radius), top, Math.max(top, bottom));
    const hides = ([cx, cy, r]) => Math.hypot(clamp(cx, px, px + wide) - cx, clamp(cy, py, py + high) - cy) < r;
    const lies = ([a, b, c, d]) => px < c && a < px + wide && py < d && b < py + high;
    if (bots.some(hides) || taken.some(lies)) continue;
    taken.push([px, py, px + wide, py + high]);
    let at = py;
    for (const image of images) {
      g.drawImage(image, px + (wide - image.width) / 2, at);
      at += image.height;
    }
    return;
  }
}

/** Draw the bot as it would look after the turn that is aimed. */
function drawTurned(g, view, scene, bot) {
  const pose = scene.bots[bot], at = view.point(pose.x, pose.y);
  g.save();
  g.globalAlpha = 0.5;
  drawCentred(g, shapesPicture(`true ${bot} ${view.look}`, scene.rules.alive[bot], view.radius, 1.12), ...at, pose.rot + turn.aim, 1);
  g.restore();
}

drawnOver.push(scene => {
  const { shows } = turn;
  if (!turn.ask || !shows || scene.t < replay.end - 0.1) return;
  const view = viewOf(scene.rules), g = paper, taken = [];
  g.save();
  g.beginPath();
  g.rect(view.rim, view.rim, view.width, view.height);
  g.clip();
  if (shows.reach) drawReach(g, view, shows);
  for (const ring of shows.rings) drawRing(g, view, ring);
  g.fillStyle = colors.gold;
  for (const mark of shows.marks) {
    const [x, y] = view.point(...mark), d = 6 * view.scale;
    tracePoints(g, [x, y - d, x + d, y, x, y + d, x - d, y], true);
    g.fill();
  }
  if (shows.foe) drawLine(g, view, shows.foe, false);
  drawLine(g, view, shows.own, true);
  if (turn.aim) drawTurned(g, view, scene, shows.own.bot);
  drawNear(g, view, scene, view.point(...shows.own.path[shows.own.path.length - 1]), shows.own.words, colors.gold, taken);
  if (shows.foe) drawNear(g, view, scene, view.point(...shows.foe.path[shows.foe.path.length - 1]), shows.foe.words, colors.danger, taken);
  for (const ring of shows.rings) drawNear(g, view, scene, view.point(...ring.at), ring.words, ring.struck ? colors.danger : colors.text, taken);
  const me = scene.bots[shows.own.bot];
  drawNear(g, view, scene, view.point(me.x, me.y), shows.leaves, colors.text, taken);
  g.restore();
});
