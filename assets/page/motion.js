// How things move: evaluates the figures of `look.motion`, as view/look/motion.py does for the window.

const { motion } = look;

/** Return a curve's value when this share of its time is over. */
function valueAt({ terms, backwards }, share) {
  const base = backwards ? 1 - clamp(share) : clamp(share);
  return terms.reduce((sum, [factor, exponent]) => sum + factor * base ** exponent, 0);
}

/** Return a swing's value; of several that swing together, that of the one with this number. */
function swung({ middle, reach, rate, start, step }, seconds, number = 0) {
  return middle + reach * Math.sin(rate * seconds + start + step * number);
}

/** Return unit vectors spread evenly over `spread` degrees, each with a length from `nearest` to 1. */
function rays(count, degrees, spread, nearest) {
  return Array.from({ length: count }, (_, number) => {
    const [ux, uy] = direction(degrees + spread * (number * motion.golden_angle / TAU % 1 - 0.5));
    return [ux, uy, nearest + (1 - nearest) * (number * motion.even_lengths % 1)];
  });
}

/** Return both ends of each spark: x and y of the near one, x and y of the bright one. */
function streaksOf(sparks, along, [x, y], reach, age) {
  const way = reach * valueAt(sparks.way, age), tail = valueAt(sparks.tail, age);
  return along.map(([ux, uy, length]) => {
    const far = length * way, near = far * tail;
    return [x + ux * near, y + uy * near, x + ux * far, y + uy * far];
  });
}

/** Return each splinter's middle and how far it has turned, in radians. */
function piecesOf(splinters, along, [x, y], reach, age) {
  const way = valueAt(splinters.way, age);
  return along.map(([ux, uy, length], number) => {
    const turned = number + splinters.spin * way * (1 + number % splinters.paces);
    return [x + length * reach * way * ux, y + length * reach * way * uy, turned * TAU / 10];
  });
}

/** Return the clouds of a knock-out, as all clouds are: x, y, radius and opacity. */
function smokeOf(smoke, count, [x, y], R, age) {
  const way = R * valueAt(smoke.way, age), top = y - R * valueAt(smoke.rise, age);
  return rays(count, 180, 360, smoke.nearest).map(([ux, uy, length]) =>
    [x + way * length * ux, top + way * length * uy, R * valueAt(smoke.size, age), valueAt(smoke.light, age)]);
}

/** Return the puffs of dust so many seconds after a step of this length has begun at a point. */
function trailOf(trail, seconds, [x, y], degrees, length, R) {
  const [ux, uy] = direction(degrees), found = [];
  trail.born.forEach((born, number) => {
    const share = (number + 0.5) / trail.born.length, age = (seconds - times.move * born) / trail.lasts;
    if (age <= 0 || age >= 1) return;
    const along = length * share - R * trail.behind, drift = R * valueAt(trail.aside, age) * (number % 2 ? 1 : -1);
    const spot = [x + ux * along - uy * drift, y + uy * along + ux * drift];
    found.push([...spot, R * valueAt(trail.size, age), valueAt(trail.light, age)]);
  });
  return found;
}

/** Return the corners of each splinter of a shield that reached `half` degrees to both sides: x and y in turn. */
function shardsOf(shards, [x, y], degrees, half, R, age, calm) {
  const reach = R * valueAt(calm ? shards.calm : shards.way, age), size = R * valueAt(shards.size, age);
  const turned = calm ? 0 : valueAt(shards.turned, age);
  return Array.from({ length: shards.number }, (_, number) => {
    const away = degrees + half * (number - (shards.number - 1) / 2) / (shards.number / 2), [ux, uy] = direction(away);
    const far = reach * swung(shards.uneven, 0, number), turn = radians(away) + turned * shards.turns[number % 2];
    return cornersOf(shards.corners, x + ux * far, y + uy * far, turn, size);
  });
}

/** Return the clouds over a bot that was knocked out. */
function plumeOf(plume, seconds, [x, y], R) {
  return Array.from({ length: plume.number }, (_, number) => {
    const age = (seconds * plume.rate + number / plume.number) % 1, dx = R * swung(plume.sway, seconds, number);
    return [x + dx, y - R * valueAt(plume.rise, age), R * valueAt(plume.size, age), valueAt(plume.light, age)];
  });
}

/** Return corners, given as shares of a size, around a point and turned so many radians: x and y in turn. */
function cornersOf(corners, x, y, turn, size) {
  const c = Math.cos(turn), s = Math.sin(turn);
  return corners.flatMap(([a, b]) => [x + (c * a - s * b) * size, y + (s * a + c * b) * size]);
}
