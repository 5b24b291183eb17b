// A code that was typed leads to its page.

document.getElementById("join").addEventListener("submit", event => {
  event.preventDefault();
  showText("problem", "");
  tell({ join: "door", code: document.getElementById("code").value, page: ticket(), name: "", match: 0, have: 0 });
});
hears.page = ({ page }) => {
  if (page) location.assign(`/${page}#${document.getElementById("code").value.toUpperCase().replace(/\s/g, "")}`);
  else showText("problem", "nobody plays this seat by phone");
};
connect();
