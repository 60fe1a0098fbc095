// A part of the page that cannot start leaves the others alive, and says so in its place.

const START_FAULT = "This part of the page could not start; the others work. Load the page again, and tell whoever hosts it if that does not help.";

/** Starts a part of the page that stands in `place`; gives what `start` gives, or null if it fails. */
export function startPart(place, start) {
  try {
    return start();
  } catch (error) {
    reportError(error);
    if (place) sayStopped(place);
    return null;
  }
}

function sayStopped(place) {
  if (place.querySelector(":scope > [data-stopped]")) return;
  const note = Object.assign(document.createElement("p"), { className: "error", textContent: START_FAULT });
  note.dataset.stopped = "";
  note.setAttribute("role", "alert");
  place.prepend(note);
}
