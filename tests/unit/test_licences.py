"""Every copy of the page brings the licences of what it hands on."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from app.export import export_html
from app.page import FONT_WEIGHTS
from app.scorm import scorm_package
from tests.conftest import ROOT

FONTS = ROOT / "static" / "fonts"
#: One line of each licence that no other has.
HOLDERS = (
    "Copyright (c) Anaconda, Inc., and Bokeh Contributors",
    "The Inter Project Authors",
    "Adobe Systems Incorporated (http://www.adobe.com/), with Reserved Font Name 'Source'",
    "SIL OPEN FONT LICENSE Version 1.1",
    (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()[2],
)


def packaged() -> str:
    return zipfile.ZipFile(io.BytesIO(scorm_package())).read("index.html").decode()


@pytest.mark.parametrize("form", [export_html, lambda: export_html("wall"), packaged])
def test_every_document_holds_the_licences(form):
    text = form()
    comment = re.search(r"<!--\nThis page\n(.*?)-->", text, re.DOTALL)[1]
    assert "--" not in comment
    for holder in HOLDERS:
        assert holder in comment


def test_a_built_site_holds_the_licences(built):
    text = (built / "site" / "licences.txt").read_text(encoding="utf-8")
    for holder in HOLDERS:
        assert holder in text


@pytest.mark.parametrize("face", ["inter", "source-serif"])
def test_a_typeface_s_licence_names_its_holder_and_no_reserved_name(face):
    """The OFL lets no modified version use a reserved name; these are parts of the typefaces."""
    tools = pytest.importorskip("fontTools.ttLib", reason="reads the typefaces' own names")
    names = {entry.nameID: entry.toUnicode() for entry in tools.TTFont(FONTS / f"{face}.woff2")["name"].names}
    licence = (FONTS / f"OFL-{face}.txt").read_text(encoding="utf-8")
    year = re.search(r"\d{4}", names[0])[0]
    assert licence.startswith(f"Copyright {year}")
    reserved = re.findall(r"Reserved Font Name \W(\w+)", names[0])
    assert all(name in licence for name in reserved)
    assert not any(name in names[key] for name in reserved for key in (1, 4, 6))
    assert "SIL Open Font License" in names[13]


@pytest.mark.parametrize("face", ["inter", "source-serif"])
def test_a_typeface_has_the_weights_that_the_page_uses_and_no_others(face):
    """A weight that is not in the file is drawn as the nearest; one that nobody uses is only carried."""
    tools = pytest.importorskip("fontTools.ttLib", reason="reads the typefaces' own axes")
    (axis,) = tools.TTFont(FONTS / f"{face}.woff2")["fvar"].axes
    assert (axis.minValue, axis.maxValue) == FONT_WEIGHTS
    style = (ROOT / "static" / "style.css").read_text(encoding="utf-8")
    used = {int(weight) for weight in re.findall(r"font(?:-weight)?: (\d00|\d50)\b", style)}
    assert (min(used), max(used)) == FONT_WEIGHTS
