// The orders of a seat, until both sides are ready.

hears.lobby = message => {
  const { bot, lobby, writing, mine } = message, own = lobby[bot] || {}, open = Boolean(writing);
  showText("lobby-title", !mine ? "Nobody writes orders here" : `Orders for ${bot ? "RIGHT" : "LEFT"}${open && writing.round > 1 ? `, round ${writing.round}` : ""}`);
  document.body.classList.toggle("own-right", bot === 1);
  document.body.classList.toggle("own-left", bot === 0);
  showWriting(mine, Boolean(own.ready), open);
  showText("problem", message.over ? "It is over." : open ? "" : "The bots fight; new orders can be given between rounds.");
  showSeats(lobby);
};
document.getElementById("watch").href = `/watch#${code()}`;
line.joined = true;
connect();
