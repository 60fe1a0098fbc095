"""The page as a SCORM 1.2 package: one SCO that reports completion and the quiz score, see docs/lms.md.

The package holds the manifest and the page, nothing else. It names no schema files, which SCORM 1.2 players do not
read; the manifest keeps to their rules all the same (tests/unit/test_scorm.py).
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from .about import TITLE
from .export import export_html
from .page import PAGE_MODULES

if TYPE_CHECKING:
    from acts import Scenario

PAGE = "index.html"
CONTENT = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
ADL = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
#: The page's modules with the one that talks to the LMS in front of the quiz, whose answers it keeps.
MODULES = tuple(
    module for name in PAGE_MODULES for module in (("scorm.js", name) if name == "quiz.js" else (name,))
)


def scorm_package(scenario: Scenario | None = None, mastery: str | None = None) -> bytes:
    """The package's zip: the same bytes for the same page.

    ``mastery`` is the score in percent from which a learner has passed; without one there is only completion.
    Raises ValueError for a score that is none.
    """
    manifest = manifest_xml(mastery_score(mastery))
    page = export_html(scenario=scenario, modules=MODULES)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in (("imsmanifest.xml", manifest), (PAGE, page)):
            entry = zipfile.ZipInfo(name)  # dated 1980: no clock in the bytes
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode(), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def mastery_score(text: str | None) -> str | None:
    """A score in percent as the manifest writes it; raises ValueError for anything else."""
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) > 100:
        raise ValueError(f"mastery cannot be {text!r}; give a whole number from 0 to 100")
    return str(int(text))


def manifest_xml(mastery: str | None = None) -> str:
    """``imsmanifest.xml``: one organization of one item, which is the page."""
    ElementTree.register_namespace("", CONTENT)
    ElementTree.register_namespace("adlcp", ADL)
    root = ElementTree.Element(f"{{{CONTENT}}}manifest", identifier="kv-cache", version="1.0")
    metadata = add(root, "metadata")
    add(metadata, "schema").text = "ADL SCORM"
    add(metadata, "schemaversion").text = "1.2"
    organizations = add(root, "organizations", default="course")
    organization = add(organizations, "organization", identifier="course")
    add(organization, "title").text = TITLE
    item = add(organization, "item", identifier="page", identifierref="page-resource")
    add(item, "title").text = TITLE
    if mastery is not None:
        ElementTree.SubElement(item, f"{{{ADL}}}masteryscore").text = mastery
    resources = add(root, "resources")
    resource = add(resources, "resource", identifier="page-resource", type="webcontent", href=PAGE)
    resource.set(f"{{{ADL}}}scormtype", "sco")
    add(resource, "file", href=PAGE)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def add(parent: ElementTree.Element, name: str, **attributes: str) -> ElementTree.Element:
    """A new element of the content packaging namespace at the end of ``parent``."""
    return ElementTree.SubElement(parent, f"{{{CONTENT}}}{name}", attributes)
