// Painting: shapes, lights and words on a canvas. Pictures are painted once for their size and kept.

const canvas = document.getElementById("arena");
const paper = canvas.getContext("2d", { alpha: false });
const TAU = 2 * Math.PI;
const radians = degrees => degrees * Math.PI / 180;
const direction = degrees => [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
const kept = new Map();

/** Return the picture of this name, painted by `paint` if it is not kept yet. */
function picture(name, width, height, paint) {
  let found = kept.get(name);
  if (!found) {
    if (kept.size > 600) kept.clear();
    found = document.createElement("canvas");
    found.width = Math.max(1, Math.ceil(width));
    found.height = Math.max(1, Math.ceil(height));
    paint(found.getContext("2d"), found);
    kept.set(name, found);
  }
  return found;
}

const channels = color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));
const rgba = (color, alpha) => `rgba(${channels(color).join(",")},${alpha})`;

function mixed(a, b, share) {
  const [first, second] = [channels(a), channels(b)];
  return `rgb(${first.map((value, at) => Math.round(mix(value, second[at], clamp(share)))).join(",")})`;
}

/** Trace a piece of a ring around (0, 0): `half` degrees to both sides of `middle`. */
function traceBand(g, inner, outer, middle, half) {
  const first = radians(middle - half), last = radians(middle + half);
  g.beginPath();
  g.arc(0, 0, outer, first, last);
  g.arc(0, 0, inner, last, first, true);
  g.closePath();
}

function tracePoints(g, points, closed) {
  g.beginPath();
  for (let at = 0; at < points.length; at += 2) g.lineTo(points[at], points[at + 1]);
  if (closed) g.closePath();
}

/** Fill a shape given in units of the canvas's present scale. */
function fillShape(g, [kind, color, alpha, width, ...numbers]) {
  g.fillStyle = g.strokeStyle = alpha < 255 ? rgba(color, alpha / 255) : color;
  g.beginPath();
  if (kind === "d") g.arc(numbers[0], numbers[1], numbers[2], 0, TAU);
  else if (kind === "r") g.roundRect(...numbers, Math.min(width, numbers[3] / 2));
  else if (kind === "b") traceBand(g, ...numbers);
  else tracePoints(g, numbers, kind === "p");
  if (kind !== "l") return g.fill();
  g.lineWidth = width;
  g.lineJoin = "round";
  return g.stroke();
}

/** Return shapes (by their numbers) painted for a bot of `radius` pixels, `reach` radii to each side. */
function shapesPicture(name, numbers, radius, reach) {
  return picture(`${name} ${radius.toFixed(1)}`, 2 * reach * radius, 2 * reach * radius, (g, own) => {
    g.translate(own.width / 2, own.height / 2);
    g.scale(radius, radius);
    for (const number of numbers) fillShape(g, look.shapes[number]);
  });
}

function drawCentred(g, image, x, y, degrees = 0, size = 1) {
  g.save();
  g.translate(x, y);
  if (degrees) g.rotate(radians(degrees));
  if (size !== 1) g.scale(size, size);
  g.drawImage(image, -image.width / 2, -image.height / 2);
  g.restore();
}

const LIGHT = 64; // pixels of a light's picture from its middle to its edge

function lightPicture(kind, color) {
  return picture(`${kind} ${color}`, 2 * LIGHT, 2 * LIGHT, g => {
    const fade = g.createRadialGradient(LIGHT, LIGHT, 0, LIGHT, LIGHT, LIGHT), samples = look.effects.lights[kind];
    samples.forEach((value, at) => fade.addColorStop(at / (samples.length - 1), rgba(color, at ? value : samples[0])));
    g.fillStyle = fade;
    g.fillRect(0, 0, 2 * LIGHT, 2 * LIGHT);
  });
}

/** Add a light to the picture; a `puff` is a cloud and covers what is below it. */
function drawLight(g, kind, color, x, y, radius, strength) {
  if (strength <= 0 || radius <= 0) return;
  const reach = kind === "ring" ? radius * 1.25 : radius;
  g.globalCompositeOperation = kind === "puff" ? "source-over" : "lighter";
  g.globalAlpha = clamp(strength);
  g.drawImage(lightPicture(kind, color), x - reach, y - reach, 2 * reach, 2 * reach);
  g.globalAlpha = 1;
  g.globalCompositeOperation = "source-over";
}

const TITLE = "'Chakra Petch',system-ui,sans-serif";

/** Return a line of text as a picture with a dark outline, readable on any background. */
function wordsPicture(text, size, color) {
  const font = `700 ${size}px ${TITLE}`, edge = Math.max(1, size / 13);
  paper.font = font;
  const width = Math.min(paper.measureText(text).width, canvas.width * 1.5);
  return picture(`words ${size.toFixed(1)} ${color} ${text}`, width + 4 * edge, size * 1.3, (g, own) => {
    g.font = font;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineJoin = "round";
    g.lineWidth = 2 * edge;
    g.strokeStyle = colors.night;
    g.strokeText(text, own.width / 2, own.height / 2, width);
    g.fillStyle = color;
    g.fillText(text, own.width / 2, own.height / 2, width);
  });
}

/** Return a text in lines of at most `width` pixels in the canvas's present font, at most `most` of them. */
function wrapped(g, text, width, most) {
  const lines = [];
  let line = "";
  for (const word of text.slice(0, 600).split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (line && g.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  if (lines.length > most) lines.splice(most - 1, Infinity, `${lines[most - 1]} \u2026`);
  return lines;
}
