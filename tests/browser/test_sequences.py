"""Random sequences of what readers do, one in each form of the page; ``tests.browser.sequences`` does more."""

from __future__ import annotations

import time
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from acts import ACTS, Scenario, Wall

from .sequences import (
    FIRST,
    FORMS,
    LOOKS,
    Broken,
    Chromium,
    Place,
    Sequence,
    address,
    difference,
    values_of,
    write_forms,
)

pytestmark = pytest.mark.browser


@pytest.mark.sequences
@pytest.mark.parametrize(("number", "form"), list(enumerate(FORMS, 1)))
def test_whatever_readers_do_holds(number, form, watched, exported, server, tmp_path):
    forms = write_forms(tmp_path, Path(urlsplit(exported).path)) | {"served": server.url}
    Sequence(Chromium(watched, form == "embed"), address(forms, form, number), number).run(12)


def test_what_does_not_hold_is_found():
    frame = Wall(Scenario(users=16)).frame()
    readouts = [[name, entry["text"], entry["value"]] for name, entry in frame["readouts"].items()]
    seen = {"wall": {"readouts": readouts, "texts": [], "sentences": [frame["sentence"]]}}
    assert difference(seen, values_of("?act=wall&users=16")) == ""
    assert "Python says" in difference(seen, values_of("?act=wall&users=17"))
    assert values_of("") == FIRST
    assert {act.id for act in ACTS} >= set(seen)


@pytest.mark.parametrize("painting", [True, False])
def test_who_has_not_painted_may_be_late(painting, monkeypatch):
    sequence = Sequence(Place(), "", 1)
    looks = iter(["late"] * (LOOKS + 1))

    def fault():
        sequence.painted = painting
        return next(looks, "")

    monkeypatch.setattr(sequence, "fault", fault)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    monkeypatch.setattr(time, "monotonic", count(0, 3600).__next__)
    with pytest.raises(Broken) if painting else nullcontext():
        sequence.check()
