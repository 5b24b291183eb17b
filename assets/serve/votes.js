// What is voted on: a button for each choice where this page has a vote, and how many have chosen it.

const given = {}; // this page's choice, by the question's number

hears.votes = ({ votes, mine }) => {
  const may = kind !== "wall" && !(mine && mine.plays), box = document.getElementById("votes");
  const key = JSON.stringify([votes.map(vote => ({ ...vote, left: 0 })), may, given]), focused = box.contains(document.activeElement) ? document.activeElement.id : "";
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.hidden = !votes.length;
  box.replaceChildren(...votes.map(vote => {
    const all = vote.counts.reduce((sum, count) => sum + count, 0), open = vote.open && may;
    const part = node("section", vote.seat === null ? "ballot row" : "ballot"), clock = node("i", "clock");
    clock.style.setProperty("--left", `${vote.left}s`);
    part.append(node("h2", "", vote.question), ...(open && vote.left ? [clock] : []), ...vote.choices.map((choice, at) => {
      const item = node(open ? "button" : "p", "choice", choice), mine = given[vote.of] === at;
      item.style.setProperty("--share", `${all ? 100 * vote.counts[at] / all : 0}%`);
      item.append(node("b", "", all ? String(vote.counts[at]) : ""));
      item.id = `vote-${vote.of}-${at}`;
      item.classList.toggle("given", mine);
      if (!open) return item;
      item.setAttribute("aria-pressed", String(mine));
      item.addEventListener("click", () => {
        given[vote.of] = at;
        tell({ vote: at, of: vote.of });
      });
      return item;
    }));
    return part;
  }));
  if (focused) document.getElementById(focused)?.focus();
};
