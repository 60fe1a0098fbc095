// The prose: what is folded opens for a link that leads into it, and for paper.
import { unfoldSection } from "./link.js";

/** Opens what an element lies in. */
function unfold(element) {
  for (let fold = element?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

function unfoldTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id) return;
  unfold(document.getElementById(id));
  unfoldSection(id);
}

let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll(".prose details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
addEventListener("hashchange", unfoldTarget);
unfoldTarget();
