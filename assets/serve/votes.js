// What is voted on: a button for each choice where this page has a vote, and how many have chosen it.

const given = {}; // this page's choice, by the question's number

hears.votes = ({ votes, mine }) => {
  const may = kind !== "wall" && !(mine && mine.plays), box = document.getElementById("votes");
  const key = JSON.stringify([votes, may, given]), focused = box.contains(document.activeElement) ? document.activeElement.id : "";
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.hidden = !votes.length;
  box.replaceChildren(...votes.flatMap(vote => {
    const all = vote.counts.reduce((sum, count) => sum + count, 0), open = vote.open && may;
    return [node("h2", "", vote.question), ...vote.choices.map((choice, at) => {
      const item = node(open ? "button" : "p", `choice choice-${at}`, choice);
      item.style.setProperty("--share", `${all ? 100 * vote.counts[at] / all : 0}%`);
      item.append(node("b", "", all ? String(vote.counts[at]) : ""));
      item.id = `vote-${vote.of}-${at}`;
      item.classList.toggle("given", given[vote.of] === at);
      if (open) item.setAttribute("aria-pressed", String(given[vote.of] === at));
      if (open) item.addEventListener("click", () => {
        given[vote.of] = at;
        tell({ vote: at, of: vote.of });
      });
      return item;
    })];
  }));
  if (focused) document.getElementById(focused)?.focus();
};
