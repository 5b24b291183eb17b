// The card before the match, which says who was told what, and the one at its end with the score.

const opening = element("opening"), endCard = element("ending");
const SIZES = [[45, "brief"], [130, "short"], [260, "medium"]]; // up to how many characters a class of orders has

/** Return what a seat of the first game shown was told, or what it does or is if that is nothing. */
function toldTo(bot) {
  const { place, seats } = segments[0], orders = place ? roundOf(place).prompts[bot].trim() : "";
  return orders || seats[bot][5];
}

/** Paint a bot that looks at the other one, as sharp as the screen. */
function paintPortrait(id, seat, rules, alive, mood) {
  const own = element(id), g = own.getContext("2d"), side = Math.round((own.clientWidth || 1) * (devicePixelRatio || 1));
  own.width = own.height = side;
  const facing = seat ? -1 : 1, parts = look.heads[mood][seat];
  const fill = (numbers, dx, turn) => {
    g.save();
    g.translate(side / 2 + dx * side / 2.24, side / 2);
    g.rotate(turn);
    g.scale(side / 2.24, side / 2.24);
    for (const number of numbers) fillShape(g, look.shapes[number]);
    g.restore();
  };
  fill(rules[alive ? "alive" : "dead"][seat], 0, seat ? Math.PI : 0);
  if (alive && rules.battery) fill(rules.gauges[rules.gauges.length - 1][seat], 0, 0);
  fill(parts, 0, 0);
  if (mood === "open") fill(look.pupils[seat], facing * look.gaze, 0);
}

function fillOpening() {
  element("claim").textContent = replay.claim;
  element("length").textContent = replay.length;
  const told = [0, 1].map(toldTo), longest = Math.max(...told.map(text => text.length));
  opening.className = (SIZES.find(([most]) => longest <= most) || [0, "long"])[1];
  SEATS.forEach((seat, bot) => {
    const { place, seats } = segments[0], given = place !== null && roundOf(place).prompts[bot].trim() !== "";
    showName(`opening-name-${seat}`, seats[bot]);
    element(`told-${seat}`).textContent = told[bot];
    element(`told-${seat}`).classList.toggle("untold", !given);
  });
}

/** Show or take away the first card; what is below it cannot be reached meanwhile. */
function showOpening(on) {
  if (opening.hidden === !on) return;
  opening.hidden = !on;
  for (const part of element("app").children) if (part !== opening) part.inert = on;
  if (on) SEATS.forEach((seat, bot) => paintPortrait(`portrait-${seat}`, bot, segments[0].rules, true, "open"));
}

function fillEnding() {
  const { title, reason, bot, score, of, decided } = replay.ending;
  endCard.className = bot === null ? "" : `own-${SEATS[bot]}`;
  for (const [id, text] of [["ending-title", title], ["ending-reason", reason], ["score-left", score[0]], ["score-of", of],
    ["score-right", score[1]], ["decided", decided], ["end-told-left", toldTo(0)], ["end-told-right", toldTo(1)]]) element(id).textContent = text;
}

/** Show the last card once the match is over, until it is shut; a page that begins again by itself has none. */
function showEnding(over) {
  if (!over) endCard.dataset.shut = "";
  const hidden = !over || replay.loop || endCard.dataset.shut === "1";
  if (endCard.hidden === hidden) return;
  endCard.hidden = hidden;
  const { rules, fallen } = segments[segments.length - 1], { bot: winner } = replay.ending;
  if (!hidden) SEATS.forEach((seat, bot) => {
    const alive = fallen[bot] === null;
    paintPortrait(`end-${seat}`, bot, rules, alive, alive ? (bot === winner ? "happy" : "open") : "dead");
  });
}

function shutEnding() {
  endCard.dataset.shut = "1";
  endCard.hidden = true;
}

// -- printing: the words that readers without a script have

let printed = null;
addEventListener("beforeprint", () => {
  const words = new DOMParser().parseFromString(document.querySelector("noscript").textContent, "text/html");
  printed = document.importNode(words.querySelector(".transcript"), true);
  document.body.append(printed);
});
addEventListener("afterprint", () => {
  printed?.remove();
  printed = null;
});
