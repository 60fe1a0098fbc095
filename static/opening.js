// The opening's picture: how long a conversation is, and for how many users there is room. Its deployment is its own.
import { startPart } from "./start.js";

const openingPicture = document.querySelector("[data-opening]");

function bindOpening(picture) {
  const slider = picture.querySelector("input");
  const stops = JSON.parse(slider.dataset.stops);
  const first = Object.fromEntries(Object.entries(RULES).map(([name, rule]) => [name, rule.default]));
  const bar = picture.querySelector("[data-opening-bar]");
  slider.addEventListener("input", () => {
    const frame = opening_frame({ ...first, context: stops[Number(slider.value)] }, CATALOG);
    bar.innerHTML = frame.bar;
    bar.parentElement.setAttribute("aria-label", frame.sentence);
    slider.setAttribute("aria-valuetext", frame.value);
    for (const place of picture.querySelectorAll("[data-opening-text]")) {
      place.textContent = frame[place.dataset.openingText];
    }
  });
}

if (openingPicture) startPart(openingPicture, () => bindOpening(openingPicture));
