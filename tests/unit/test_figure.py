"""The palette: colours that carry text are readable on every ground, in both themes."""

from __future__ import annotations

import re

import pytest

from acts.bundle import style_sheet
from acts.figure import PALETTE, STRONGER
from app.page import page_html
from tests.conftest import ROOT

TEXT = ("ink", "muted", "accent", "weights", "cache", "key", "value", "query", "overflow")


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2) of a #rrggbb colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "panel"])
@pytest.mark.parametrize("role", TEXT)
def test_text_colours_have_aa_contrast(role, ground, theme):
    assert contrast(PALETTE[role][theme], PALETTE[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_outlines_are_seen_and_give_way_to_stronger_ones(theme):
    colour = {name: pair[theme] for name, pair in PALETTE.items()}
    for ground in (colour["paper"], colour["panel"]):
        assert contrast(colour["edge"], ground) >= 3
        for name, stronger in STRONGER.items():
            assert contrast(colour[stronger], ground) > contrast(colour[name], ground)
    # Without colour, keys are still told from values, and a cache from what lies beyond the wall.
    assert contrast(colour["key"], colour["value"]) >= 1.4
    assert contrast(colour["cache"], colour["overflow"]) >= 1.2


def test_every_custom_property_the_page_uses_is_defined():
    html = page_html()
    used = set(re.findall(r"var\(--([\w-]+)[,)]", html))
    # By a rule or a style attribute, or by a script that measures first.
    defined = set(re.findall(r"--([\w-]+): ?[^)]", html)) | set(
        re.findall(r"setProperty\(\"--([\w-]+)\"", html)
    )
    assert set(PALETTE) & used
    assert used <= defined
    css = style_sheet()
    for light, dark in PALETTE.values():
        assert re.search(rf":{light}\b", css)
        assert re.search(rf":{dark}\b", css)


def test_the_style_sheet_styles_what_there_is():
    """A class that no markup has is a rule left behind."""
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("acts", "app", "static")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".html", ".js", ".py")
    )
    rules = re.sub(
        r"/\*.*?\*/|\"[^\"]*\"|url\([^)]*\)",
        "",
        (ROOT / "static" / "style.css").read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    classes = set(re.findall(r"\.([a-z][\w-]*)", rules))
    # Those that begin with is- are put together from a role.
    words = set(re.findall(r"[\w-]+", text))
    assert {name for name in classes if name not in words and name.removeprefix("is-") not in words} == set()
