// What pages' scripts show and draw at given moments, in pixels and percent, without a browser: JSON in, JSON out.
import fs from "node:fs";

const { script, cases } = JSON.parse(fs.readFileSync(0, "utf8"));
const page = new (async () => {}).constructor("document", "context", "note", `${script}
  drawLight = (g, kind, color, x, y, radius, strength) => {
    if (strength > 0 && radius > 0) note("light", kind, color, x, y, radius, 100 * clamp(strength));
  };
  drawCentred = (g, { part, text }, x, y) => note(part, x, y, ...(text ? [100 * g.globalAlpha, text] : []));
  shapesPicture = name => ({ part: /^(true|false) /.test(name) ? "body" : name.split(" ")[0] });
  wordsPicture = text => ({ part: "words", width: 0, height: 0, text });
  drawSpeech = (g, scene, seat) => scene.bots[seat].alive && scene.effects.some(each => each.kind === "speech" && each.bot === seat);
  floorPicture = drawBanner = drawBar = () => null;
  const { splinter } = drawLayer, stars = drawStars;
  drawLayer.splinter = (...given) => context.as("splinter", () => splinter(...given));
  drawStars = (...given) => context.as("star", () => stars(...given));
  viewOf = rules => ({
    rim: -1e9, width: 2e9, height: 2e9, unit: context.unit, scale: 1, type: 1, radius: rules.radius * context.unit,
    look: look.rules.indexOf(rules), point: (x, y) => [x * context.unit, y * context.unit],
  });
  return { sceneAt, drawArena };`);

/** Return a canvas's context that notes what is filled and stroked. */
function recorder(unit, note) {
  let path = [], apart = false, circle = null, filled = "polygon";
  const add = (x, y) => path.push(x, y), nothing = () => {};
  return {
    unit, globalAlpha: 1,
    as(kind, draw) {
      filled = kind;
      draw();
      filled = "polygon";
    },
    beginPath() { [path, apart, circle] = [[], false, null]; },
    moveTo(x, y) { apart = true; add(x, y); },
    lineTo: add,
    arc(...given) { circle = given; },
    fill() { if (path.length > 4) note(filled, ...path, ...(filled === "polygon" ? [] : [100 * this.globalAlpha])); },
    stroke() {
      if (circle) note("circle", ...circle.slice(0, 3));
      for (let at = 0; apart && at < path.length; at += 4) note("streak", ...path.slice(at, at + 4));
      if (!apart && path.length === 4) note("line", ...path);
    },
    fillRect() { note("flash"); },
    closePath: nothing, save: nothing, restore: nothing, translate: nothing, rotate: nothing, scale: nothing,
    rect: nothing, clip: nothing, drawImage: nothing,
  };
}

async function answersTo({ replay, unit, moments }) {
  let drawn;
  const note = (kind, ...figures) => (drawn[kind] ||= []).push(figures), context = recorder(unit, note);
  const arena = { width: 640, height: 640, getContext: () => context };
  const elements = { replay: { textContent: replay }, session: { textContent: "{}" }, arena };
  const { sceneAt, drawArena } = await page({ getElementById: id => elements[id] }, context, note);
  return moments.map(([t, calm]) => {
    const { bots, bullet, shake, acting, effects } = sceneAt(t, calm);
    drawn = {};
    drawArena(sceneAt(t, calm));
    return { bots, bullet, shake, acting, effects: effects.map(({ kind, bot, start }) => [kind, bot, start]), drawn };
  });
}

process.stdout.write(JSON.stringify(await Promise.all(cases.map(answersTo))));
