"""What a notebook holds: Panel's scripts, once, and the values it is opened with where there is no kernel."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import panel as pn

from .twin import script_json

if TYPE_CHECKING:
    from .act import Act

#: The form of a script that JupyterLab's extension for Panel takes; every host runs the plain one.
LOAD_MIME = "application/vnd.holoviews_load.v0+json"
#: Characters from which a script is not put in twice. The short one that follows Panel's and Bokeh's own is: at the
#: sight of its second form JupyterLab's extension begins to listen to the kernel.
LONG = 100_000
#: While controls are moved, a notebook's values are put into it at this pace.
KEPT_EVERY_S = 0.5


def kernel_shell() -> Any:
    """The shell of the notebook's kernel this runs in; None elsewhere."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell if hasattr(shell, "kernel") else None


def extension(*names: str, inline: bool = True, **settings: Any) -> None:
    """``pn.extension`` for a notebook that stands alone, half as large: Panel's and Bokeh's scripts are in it, once.

    Panel puts them in twice, as JavaScript and in a form of its own; the second is left out here. Takes what
    ``pn.extension`` takes.
    """
    publisher: Any = getattr(kernel_shell(), "display_pub", None)
    if not hasattr(publisher, "register_hook"):
        pn.extension(*names, inline=inline, **settings)
        return
    publisher.register_hook(without_second)
    try:
        pn.extension(*names, inline=inline, **settings)
    finally:
        publisher.unregister_hook(without_second)


def without_second(message: dict[str, Any]) -> dict[str, Any]:
    """A message to a notebook without the second form of a long script that it holds as JavaScript."""
    data = message["content"].get("data", {})
    script = data.get(LOAD_MIME, "")
    if len(script) > LONG and script == data.get("application/javascript"):
        del data[LOAD_MIME]
    return message


class Kept:
    """What a scenario's acts show, kept in the notebook beside them and brought up to date as it changes."""

    def __init__(self, id: str):
        self.id = id
        self.display = 0
        self.state: dict[str, Any] = {}
        self.late = False

    def begin(self, act: Act, display: int) -> None:
        """Puts the values beside the act that is being displayed, the scenario's ``display``-th, and follows them."""
        shell = kernel_shell()
        if shell is None:
            return
        self.display = display
        self.state.update(act.values())
        self._publish(update=False)
        for owner in (act.scenario, act):
            names = [name for name in act.values() if name in owner.param]
            if names:
                owner.param.watch(self._changed, names)
        if display == 1:
            shell.events.register("post_execute", self.flush)

    def _changed(self, *events: Any) -> None:
        self.state.update({event.name: event.new for event in events})
        if not self.late:
            self.late = True
            loop = kernel_shell().kernel.io_loop
            loop.add_callback(loop.call_later, KEPT_EVERY_S, self.flush)  # from whatever thread this is

    def flush(self) -> None:
        """Brings the notebook up to date, if it is not."""
        if self.late:
            self.late = False
            self._publish(update=True)

    def _publish(self, *, update: bool) -> None:
        kept = script_json({"display": self.display, "state": self.state})
        html = f'<script type="application/json" data-kv-cache-kept="{self.id}">{kept}</script>'
        publisher = kernel_shell().display_pub
        publisher.publish({"text/html": html}, transient={"display_id": self.id}, update=update)
