"""The SCORM 1.2 package: its files, and its manifest against the rules of the schema files.

The rules are those of imscp_rootv1p1p2.xsd and adlcp_rootv1p2.xsd for the elements a manifest like this may hold:
order and number of children, required and allowed attributes, lengths, ids that are unique and lead somewhere.
"""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

import pytest

from app.cli import main
from app.scorm import manifest_xml, scorm_package

CP = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
ADL = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
XML = "{http://www.w3.org/XML/1998/namespace}"
MANY = 10**6
#: Element -> its children in the schema's order, each with how often it may stand (least, most).
CHILDREN = {
    "manifest": {"metadata": (0, 1), "organizations": (1, 1), "resources": (1, 1), "manifest": (0, MANY)},
    "metadata": {"schema": (0, 1), "schemaversion": (0, 1)},
    "organizations": {"organization": (0, MANY)},
    "organization": {"title": (0, 1), "item": (0, MANY), "metadata": (0, 1)},
    "item": {"title": (0, 1), "item": (0, MANY), "metadata": (0, 1)},
    "resources": {"resource": (0, MANY)},
    "resource": {"metadata": (0, 1), "file": (0, MANY), "dependency": (0, MANY)},
    "file": {"metadata": (0, 1)},
    "dependency": {},
    "schema": {},
    "schemaversion": {},
    "title": {},
}
#: Element -> its attributes, the required ones with a !, and the longest text each takes.
ATTRIBUTES = {
    "manifest": {"identifier!": MANY, "version": 20, f"{XML}base": MANY},
    "organizations": {"default": MANY},
    "organization": {"identifier!": MANY, "structure": 200},
    "item": {"identifier!": MANY, "identifierref": 2000, "isvisible": 5, "parameters": 1000},
    "resources": {f"{XML}base": MANY},
    "resource": {"identifier!": MANY, "type!": 1000, "href": 2000, f"{XML}base": MANY},
    "file": {"href!": 2000},
    "dependency": {"identifierref!": 2000},
}
LONGEST_TEXT = {"schema": 100, "schemaversion": 20, "title": 200}
ADL_ATTRIBUTES = {f"{ADL}scormtype": ("sco", "asset")}
#: ADL's elements inside an item, in the order of SCORM's content aggregation model, and their longest texts.
ADL_ELEMENTS = {
    "prerequisites": 200,
    "maxtimeallowed": 13,
    "timelimitaction": 19,
    "datafromlms": 255,
    "masteryscore": 200,
}


def faults(element: ElementTree.Element) -> list[str]:
    """What in ``element`` and below the schema files would not allow."""
    name = element.tag.removeprefix(CP)
    if name not in CHILDREN:
        return [f"{element.tag} is not an element of the content packaging schema"]
    own = [child.tag.removeprefix(CP) for child in element if child.tag.startswith(CP)]
    foreign = [child for child in element if not child.tag.startswith(CP)]
    found = [f"{child} is not allowed in {name}" for child in own if child not in CHILDREN[name]]
    order = list(CHILDREN[name])
    if own != sorted(own, key=lambda child: order.index(child) if child in order else MANY):
        found.append(f"the children of {name} stand in another order than {order}")
    found += [
        f"{name} has {own.count(child)} {child}"
        for child, (least, most) in CHILDREN[name].items()
        if not least <= own.count(child) <= most
    ]
    if [child.tag for child in element] != [child.tag for child in element if child not in foreign] + [
        child.tag for child in foreign
    ]:
        found.append(f"elements of other schemas must end {name}")
    found += foreign_faults(name, foreign) + attribute_faults(name, element.attrib)
    text = (element.text or "").strip()
    if text and len(text) > LONGEST_TEXT.get(name, 0):
        found.append(f"{name} has {len(text)} characters of text")
    for child in element:
        if child not in foreign:
            found += faults(child)
    return found


def foreign_faults(name: str, elements: list[ElementTree.Element]) -> list[str]:
    found = []
    for element in elements:
        short = element.tag.removeprefix(ADL)
        if name != "item" or short not in ADL_ELEMENTS:
            found.append(f"{element.tag} is not allowed in {name}")
        elif len(element.text or "") > ADL_ELEMENTS[short]:
            found.append(f"{short} is too long")
    return found


def attribute_faults(name: str, given: dict[str, str]) -> list[str]:
    rules = ATTRIBUTES.get(name, {})
    known = {rule.removesuffix("!"): longest for rule, longest in rules.items()}
    found = [f"{name} lacks {rule[:-1]}" for rule in rules if rule.endswith("!") and rule[:-1] not in given]
    for key, value in given.items():
        if key in ADL_ATTRIBUTES:
            found += (
                [] if name == "resource" and value in ADL_ATTRIBUTES[key] else [f"{key}={value} in {name}"]
            )
        elif key not in known:
            found.append(f"{name} may not have {key}")
        elif len(value) > known[key]:
            found.append(f"{key} of {name} is too long")
    return found


def id_faults(root: ElementTree.Element) -> list[str]:
    """Ids must be XML names and unique; what refers to one must find it."""
    ids = [element.attrib["identifier"] for element in root.iter() if "identifier" in element.attrib]
    found = [f"{one} is no xsd:ID" for one in ids if not re.fullmatch(r"[A-Za-z_][\w.-]*", one)]
    found += [f"{one} is given twice" for one in set(ids) if ids.count(one) > 1]
    organizations = {element.get("identifier") for element in root.iter(f"{CP}organization")}
    resources = {element.get("identifier") for element in root.iter(f"{CP}resource")}
    if root.find(f"{CP}organizations").get("default") not in organizations:
        found.append("the default organization is not there")
    found += [
        f"{element.get('identifier')} leads nowhere"
        for element in root.iter(f"{CP}item")
        if element.get("identifierref") not in resources
    ]
    return found


@pytest.fixture(scope="module")
def package():
    return zipfile.ZipFile(io.BytesIO(scorm_package()))


def manifest(package) -> ElementTree.Element:
    return ElementTree.fromstring(package.read("imsmanifest.xml"))


@pytest.mark.parametrize("mastery", [None, "75"])
def test_manifest_keeps_to_the_schemas(mastery):
    root = ElementTree.fromstring(manifest_xml(mastery))
    assert root.tag == f"{CP}manifest"
    assert faults(root) == []
    assert id_faults(root) == []
    assert root.findtext(f"{CP}metadata/{CP}schema") == "ADL SCORM"
    assert root.findtext(f"{CP}metadata/{CP}schemaversion") == "1.2"
    assert [element.text for element in root.iter(f"{ADL}masteryscore")] == ([mastery] if mastery else [])


@pytest.mark.parametrize(
    "broken",
    [
        lambda text: text.replace("<organizations", "<organisations").replace(
            "</organizations", "</organisations"
        ),
        lambda text: text.replace(' type="webcontent"', ""),
        lambda text: text.replace('scormtype="sco"', 'scormtype="SCO"'),
        lambda text: text.replace('identifierref="page-resource"', 'identifierref="page"'),
        lambda text: text.replace('identifier="page"', 'identifier="course"'),
        lambda text: text.replace('identifier="course"', 'identifier="1"', 1),
        lambda text: re.sub(
            r"(<title>.*?</title>)(.*?)(<item.*?>)", r"\3\1\2", text, count=1, flags=re.DOTALL
        ),
        lambda text: text.replace("<title>", f"<title>{'x' * 200}", 1),
    ],
)
def test_the_rules_notice(broken):
    text = broken(manifest_xml("75"))
    assert text != manifest_xml("75")
    root = ElementTree.fromstring(text)
    assert faults(root) + (id_faults(root) if root.find(f"{CP}organizations") is not None else [])


def test_package_is_the_manifest_and_what_it_lists(package):
    root = manifest(package)
    listed = {element.get("href") for element in root.iter(f"{CP}file")}
    (resource,) = root.iter(f"{CP}resource")
    assert resource.get("href") in listed
    assert set(package.namelist()) == {"imsmanifest.xml"} | listed
    assert package.namelist()[0] == "imsmanifest.xml"
    assert package.testzip() is None


def test_same_page_same_bytes(tmp_path, package):
    path = tmp_path / "course.zip"
    assert main(["export", str(path), "--scorm"]) == 0
    assert path.read_bytes() == package.fp.getvalue()
    assert path.stat().st_size <= 960_000


def test_only_the_package_talks_to_a_platform(package):
    from app.page import page_html

    assert "LMSInitialize" in package.read("index.html").decode()
    assert "LMSInitialize" not in page_html()


def test_start_state_and_mastery(tmp_path):
    path = tmp_path / "course.zip"
    assert main(["export", str(path), "--scorm", "--mastery", "75", "--users", "12"]) == 0
    course = zipfile.ZipFile(path)
    assert "masteryscore>75<" in course.read("imsmanifest.xml").decode()
    assert re.search(r'"users": ?12,', course.read("index.html").decode())
