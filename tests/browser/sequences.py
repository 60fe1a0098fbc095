"""Random sequences of what readers do, on the page in its forms; what must always hold is checked after each action.

    python -m tests.browser.sequences 200 --browser chromium --form file

Sequence N is the same actions in every run: ``--first N`` with a count of 1 repeats it. The actions are chosen here and
done in the document by ``sequences.js``, so that any browser can be driven.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

from acts import ACTS, Scenario
from acts.scenario import Amount, Choice, Whole
from app.page import make_acts
from tests.other_browsers import WATCH, WATCHING

HERE = Path(__file__).parent
DRIVER = (HERE / "sequences.js").read_text(encoding="utf-8")
LENGTH = 30
#: After so many seconds a sequence does not go on: a script runs without end, or nothing is painted any more.
LONGEST = 240
#: What must hold holds before the browser has painted between so many looks, at least 20 ms apart. Not after so many
#: seconds: a browser that is stopped, or has no time to paint, lets no page catch up.
LOOKS = 300
FORMS = ("served", "file", "embed")
#: What is done, and how often in comparison.
KINDS = {
    "control": 12, "button": 5, "section": 3, "address": 2, "back": 2, "forward": 1, "theme": 1, "print": 1,
    "resize": 2, "model": 1, "log": 1, "quiz": 2, "fold": 2, "play": 1, "key": 2,
}  # fmt: skip
SIZES = [(320, 640), (390, 844), (820, 1180), (1280, 720), (1440, 900)]
KEYS = ["ArrowRight", "ArrowLeft", "Home", "End", "Tab", "Enter", "Escape", "Space"]
TYPED = ["", "0", "-5", "3.5", "1e3", "99999999999999999999", "7"]
CONFIGS = [
    '{"model_type": "llama", "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 8, '
    '"hidden_size": 4096, "intermediate_size": 14336, "vocab_size": 128256, "_name_or_path": "my <b>model</b>"}',
    '{"model_type": "gemma2", "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64}',
    '{"model_type": "llama", "num_hidden_layers": 0}',
    "not a config",
    "",
]
HOST = """<!doctype html><meta charset=utf-8><title>host</title><script>
faults = []; heard = null;
addEventListener("kv-cache:state", (event) => { heard = event.detail.state; });</script>
<iframe data-kv-cache src="page.html?embed=1&amp;act=%s" sandbox="allow-scripts" width="100%%" height="900"></iframe>
<script>%s</script>"""
#: Whether the page's controls answer.
LIVE = "performance.getEntriesByName('kv-cache:live').length > 0"


class Broken(AssertionError):
    """What must hold does not."""


class Stuck(Exception):
    """The document does not answer any more; nor does the browser that holds it."""


@contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    """Raises Stuck after so many seconds in which this process ran: while it is stopped, one alarm waits at most."""
    left = iter(range(seconds - 1))

    def tick(*_: Any) -> None:
        if next(left, None) is None:
            raise Stuck

    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def logs() -> list[str]:
    """Start-up logs of every engine, and what is none."""
    rows = json.loads((HERE.parent / "truth" / "engine_start_logs.json").read_text(encoding="utf-8"))
    return ["\n".join(row["lines"]) for row in rows.values()] + ["no log", ""]


def first_values() -> dict[str, Any]:
    """The values of all parameters as the page opens."""
    acts = make_acts()
    values = {name: getattr(acts[0].scenario, name) for name in Scenario.param if name != "name"}
    return values | {name: getattr(act, name) for act in acts for name in act.own_parameters()}


FIRST = first_values()


def parameters() -> dict[str, Any]:
    """All parameters whose values a link may name, by name."""
    found = {name: Scenario.param[name] for name in Scenario.param if name not in ("name", "shape")}
    return found | {name: act.param[name] for act in ACTS for name in act.own_parameters() if name != "text"}


def random_link(chance: random.Random) -> str:
    """The query of a state that differs from the first in a few values."""
    values = {}
    known = parameters()
    for name in chance.sample(sorted(known), chance.randint(1, 4)):
        parameter = known[name]
        if isinstance(parameter, Choice):
            values[name] = chance.choice(list(parameter.objects))
        elif isinstance(parameter, Whole):
            low, high = parameter.bounds
            values[name] = int(low + chance.random() ** 3 * (high - low))
        elif isinstance(parameter, Amount):
            low, high = parameter.bounds
            values[name] = round(low + chance.random() ** 2 * (high - low), 2)
        else:
            values[name] = chance.choice(["true", "false"])
    return urlencode({"act": chance.choice([act.id for act in ACTS]), **values})


def values_of(search: str) -> dict[str, Any]:
    """The values that the page's own address stands for."""
    values = dict(FIRST)
    for name, (text, *_) in parse_qs(search.lstrip("?"), keep_blank_values=True).items():
        if name not in values:
            continue
        kind = type(values[name])
        values[name] = text == "true" if kind is bool else kind(text)
    return values


def difference(seen: dict[str, Any], values: dict[str, Any]) -> str:
    """Where what the acts say first differs from what Python says for ``values``; "" where it does not."""
    for act in ACTS:
        if act.id not in seen:
            continue
        frame = act.frame_of(values)
        for name, text, value in seen[act.id]["readouts"]:
            entry = frame["readouts"][name]
            if text != entry["text"]:
                return f"{act.id} {name}: {text!r} is shown, Python says {entry['text']!r}"
            if (None if value is None else float(value)) != entry["value"]:
                return f"{act.id} {name}: the value is {value}, Python's {entry['value']}"
        for name, text in seen[act.id]["texts"]:
            if frame.get("texts", {}).get(name, text) != text:
                return f"{act.id} {name}: {text!r} is shown, Python says {frame['texts'][name]!r}"
        for sentence in seen[act.id]["sentences"]:
            if sentence != frame["sentence"]:
                return f"{act.id}: {sentence!r} is shown, Python says {frame['sentence']!r}"
    return ""


class Place:
    """A document in a browser; what is common to Chromium and Firefox, and to the page and an embed."""

    embedded = False

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a function's body in the document (in an embed: in the frame)."""
        raise NotImplementedError

    def host(self, script: str) -> Any:
        """The value of a function's body in the page around an embed."""
        raise NotImplementedError

    def open(self, url: str) -> None:
        """Another document, once its controls answer; its figures may still be waiting."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        raise NotImplementedError

    def press(self, key: str) -> None:
        """A key, where the focus is."""
        raise NotImplementedError

    def faults(self) -> list[str]:
        """What has gone wrong since the document was opened."""
        raise NotImplementedError


class Sequence:
    """One sequence of actions on the page at ``url``."""

    def __init__(self, place: Place, url: str, number: int):
        self.place = place
        self.url = url
        self.chance = random.Random(number)
        self.done: list[str] = []
        self.frame = 0
        self.painted = False

    def run(self, length: int) -> None:
        """Does ``length`` actions; raises Broken, with all that was done, at the first after which something fails."""
        with no_longer_than(LONGEST):
            self.place.open(self.url)
            self.check()
            for _ in range(length):
                kind = self.chance.choices(list(KINDS), list(KINDS.values()))[0]
                self.done.append(kind)
                self.done[-1] += f": {self.step(kind)}"
                self.check()

    def step(self, kind: str) -> str:
        chance = self.chance
        which, how = chance.random(), chance.random()
        if kind == "resize":
            self.place.resize(*chance.choice(SIZES))
            return "window"
        if kind == "address":
            return self.another_state(random_link(chance))
        if kind == "key":
            focused = self.driver("act", "focus", which, how, "")
            key = chance.choice(KEYS)
            self.place.press(key)
            return f"{key} on {focused}"
        if self.place.embedded and kind in ("back", "forward"):
            return ""
        words = {"control": chance.choice(TYPED) if how < 0.3 else "", "model": chance.choice(CONFIGS)}
        if kind == "log":
            words["log"] = chance.choice(logs())
        told = self.driver("act", kind, which, how, words.get(kind, ""))
        if kind in ("back", "forward"):
            time.sleep(0.3)
        return told

    def another_state(self, query: str) -> str:
        if self.place.embedded:
            state = {name: value for name, value in values_of(query).items() if name in query}
            self.place.host(
                f"kvCacheEmbed.set(document.querySelector('iframe'), {json.dumps(state)}, 'dark')"
            )
        else:
            self.place.open(f"{self.url.split('?')[0]}?{query}")
        return query

    def driver(self, method: str, *arguments: Any) -> Any:
        return self.place.run(f"return ({DRIVER}).{method}(...arguments)", *arguments)

    def check(self) -> None:
        """Raises Broken unless, soon enough for a busy machine, everything holds."""
        looks = 0
        while fault := self.fault():
            looks += self.painted
            if looks == LOOKS:
                raise Broken("\n".join([*self.done, fault]))
            time.sleep(0.02)

    def fault(self) -> str:
        seen = self.driver("seen")
        self.painted = seen is None or seen["frame"] != self.frame
        self.frame = 0 if seen is None else seen["frame"]
        if seen is None:  # so Firefox, where one document gives way to another meanwhile
            return "the document goes away"
        if seen["blank"]:
            self.place.open(self.url)  # back went to before the page
            return "the page was left"
        if seen["playing"]:
            return "playing"
        told = self.place.host("return heard") if self.place.embedded else values_of(seen["search"])
        if told is None:
            return "the frame has not told its state"
        if found := self.place.faults():
            raise Broken("\n".join([*self.done, *found]))
        if seen["wrong"] or seen["infinite"]:
            return f"not finite: {seen['wrong']} {seen['infinite']}"
        return difference(seen["acts"], told)


class Chromium(Place):
    """A Playwright page; ``watched`` is the fixture's, which fails for what no page may do."""

    def __init__(self, watched, embedded: bool = False):
        self.watched = watched
        self.embedded = embedded
        self.page: Any = None

    def open(self, url: str) -> None:
        if self.page is None:
            self.page = self.watched.open(url, wait=None)
        else:
            self.page.goto(url, wait_until="commit")
        self.page.wait_for_function("heard" if self.embedded else LIVE)

    def run(self, script: str, *arguments: Any) -> Any:
        frame = self.page.frames[-1] if self.embedded else self.page
        for _ in range(50):
            try:
                return frame.evaluate(f"(arguments) => {{ {script} }}", list(arguments))
            except Exception as error:
                if "context was destroyed" not in str(error) and "navigat" not in str(error):
                    raise
                time.sleep(0.05)
        raise Broken("the document went away")

    def host(self, script: str) -> Any:
        return self.page.evaluate(f"() => {{ {script} }}")

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def faults(self) -> list[str]:
        return self.watched.faults


class Gecko(Place):
    """A :class:`tests.other_browsers.Firefox`; documents that are files hold WATCH."""

    def __init__(self, driven, embedded: bool = False):
        self.driven = driven
        self.embedded = embedded

    def open(self, url: str) -> None:
        self._outside()
        self.driven.open(url)
        self.driven.until("globalThis.heard" if self.embedded else LIVE)
        self.driven.run(WATCHING)  # a served document holds no watch of its own

    def _outside(self) -> None:
        self.driven.driver.switch_to_frame()

    def _inside(self) -> None:
        self._outside()
        if self.embedded:
            self.driven.driver.switch_to_frame(self.driven.driver.find_element("css selector", "iframe"))

    def run(self, script: str, *arguments: Any) -> Any:
        self._inside()
        return self.driven.run(script, *arguments)

    def host(self, script: str) -> Any:
        self._outside()
        return self.driven.run(script)

    def resize(self, width: int, height: int) -> None:
        self.driven.driver.set_window_rect(width=width, height=height)

    def press(self, key: str) -> None:
        self._inside()
        keys = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Home": "\ue011", "End": "\ue010", "Tab": "\ue004",
                "Enter": "\ue007", "Escape": "\ue00c", "Space": " "}  # fmt: skip
        self.driven.driver.get_active_element().send_keys(keys[key])

    def faults(self) -> list[str]:
        return self.run("return globalThis.faults") or []


def write_forms(folder: Path, exported: Path) -> dict[str, str]:
    """The exported page with a watch on it, and a page that embeds each act of it: their addresses by form."""
    page = folder / "page.html"
    page.write_text(
        exported.read_text(encoding="utf-8").replace("<head>", f"<head>{WATCH}", 1), encoding="utf-8"
    )
    script = (HERE.parents[1] / "static" / "kv-cache-embed.js").read_text(encoding="utf-8")
    for act in ACTS:
        (folder / f"host-{act.id}.html").write_text(HOST % (act.id, script), encoding="utf-8")
    return {"file": page.as_uri(), "embed": (folder / "host-{act}.html").as_uri()}


def address(forms: dict[str, str], form: str, number: int) -> str:
    """Where sequence ``number`` begins."""
    return (
        forms[form]
        .replace("{act}", ACTS[number % len(ACTS)].id)
        .replace("%7Bact%7D", ACTS[number % len(ACTS)].id)
    )


def holds(sequence: Sequence, title: str) -> bool:
    """Runs one sequence and says how long it took, or what broke. Raises Stuck or OSError where the browser is lost."""
    began = time.monotonic()
    try:
        sequence.run(LENGTH)
    except Exception as error:
        told = "" if isinstance(error, Broken) else "\n".join(sequence.done)
        print(f"--- {title}\n{type(error).__name__}: {error}\n{told}", flush=True)
        if isinstance(error, Stuck | OSError):
            raise
        return False
    print(f"{title}: {time.monotonic() - began:.1f} s", flush=True)
    return True


def main() -> int:
    """Runs sequences until all are done; says what broke, and how many held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--browser", choices=["chromium", "firefox"], default="chromium")
    parser.add_argument("--form", choices=FORMS, action="append")
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    from app.export import export_html
    from tests.conftest import Server, Watched, browser_path
    from tests.other_browsers import Firefox

    held = 0
    forms_asked = asked.form or FORMS
    with ExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory()))
        (folder / "exported.html").write_text(export_html(), encoding="utf-8")
        forms = write_forms(folder, folder / "exported.html")
        if "served" in forms_asked:
            server = Server()
            closing.callback(server.stop)
            forms["served"] = server.url
        firefox = chromium = None
        if asked.browser == "firefox":
            firefox = Firefox()
            closing.callback(firefox.close)
        else:
            playwright = closing.enter_context(sync_playwright())
            chromium = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for number in range(asked.first, asked.first + asked.count):
            form = forms_asked[number % len(forms_asked)]
            watched = None if firefox else Watched(chromium)
            place = Gecko(firefox, form == "embed") if firefox else Chromium(watched, form == "embed")
            sequence = Sequence(place, address(forms, form, number), number)
            if holds(sequence, f"sequence {number}, {form}"):
                held += 1
            if watched:
                watched.close()
    print(f"{held} of {asked.count} sequences of {LENGTH} actions held")
    return 0 if held == asked.count else 1


if __name__ == "__main__":
    sys.exit(main())
