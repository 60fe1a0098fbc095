"""What the page says of itself: to search engines, to those who pass its link on, and to those who cite it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from acts import ACTS
from acts.scenario import Catalog
from acts.twin import script_json

#: How many there are, in words.
COUNTED = ("one", "two", "three", "four", "five", "six", "seven")[len(ACTS) - 1] + " acts"
TITLE = f"The KV cache, in {COUNTED}"
AUTHOR = "The KV cache explainer's authors"
LICENCE = "MIT"
DESCRIPTION = (
    "Why a language model keeps a key and a value for every token, what that costs in GPU memory, "
    "and what brings it down."
)
#: The picture that goes with the page's link: a file of static/, and of the built site's root.
CARD = "card.png"
#: The page's icon on a telephone's home screen: the same.
TOUCH_ICON = "touch-icon.png"


def about(address: str = "", source: str = "") -> dict[str, Any]:
    """What the page's template says of the page.

    ``address`` is where it will be found and ``source`` where its source is kept, each "" if that is not known.
    """
    return {
        "title": TITLE,
        "counted": COUNTED,
        "author": AUTHOR,
        "licence": LICENCE,
        "description": DESCRIPTION,
        "card": CARD,
        "touch_icon": TOUCH_ICON,
        "source": source,
        "version": release(),
        "checked": checked(),
        "learning_resource": script_json(learning_resource(address)),
    }


def release() -> str:
    """The version that is installed; "unreleased" in a bare checkout."""
    try:
        return version("kv-cache-explainer")
    except PackageNotFoundError:
        return "unreleased"


def checked() -> str:
    """The newest day on which a figure of the catalog was checked, as YYYY-MM-DD."""
    catalog = Catalog()
    rows: list[Any] = [*catalog.models.values(), *catalog.gpus.values(), *catalog.caches.values()]
    return max(row.checked for row in rows)


def learning_resource(address: str) -> dict[str, Any]:
    """The page as schema.org's LearningResource."""
    resource: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": TITLE,
        "description": DESCRIPTION,
        "inLanguage": "en-GB",
        "learningResourceType": ["explainer", "simulation", "quiz"],
        "teaches": "How the key-value cache of a transformer is sized, and how it limits the users of a GPU",
        "isAccessibleForFree": True,
        "license": "https://spdx.org/licenses/MIT.html",
        "author": {"@type": "Organization", "name": AUTHOR},
        "dateModified": checked(),
    }
    if address:
        resource |= {"url": address, "image": address + CARD}
    return resource
