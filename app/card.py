"""``python -m app.card``: draws what of static/ is drawn, with the tests' browser.

That is the picture that goes with the page's link, and the icon for a telephone's home screen.
"""

from __future__ import annotations

import sys

from acts.bundle import shared_environment, style_sheet
from acts.scripts import STATIC

from .about import CARD, TOUCH_ICON
from .page import data_uri, font_faces, opening

#: What networks show of a link, px.
WIDTH, HEIGHT = 1200, 630
#: Side of the icon, px; its corners are rounded by whoever shows it.
ICON_SIDE = 180


def card_html() -> str:
    """The opening's first state, still, as a document of the card's size."""
    template = shared_environment().get_template("templates/card.html")
    return template.render(opening=opening(), style=font_faces() + style_sheet(), width=WIDTH, height=HEIGHT)


def icon_html() -> str:
    """The page's icon on a ground of its own colour, as a document of the icon's size."""
    source = data_uri("icon.svg", "image/svg+xml")
    return f'<body style="margin: 0; background: #15171b"><img src="{source}" width="{ICON_SIDE}" alt="">'


def draw(browser: str | None = None) -> None:
    """Writes card and icon as PNG; ``browser`` is the path of a Chromium, None for Playwright's own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for name, html, size in (
            (CARD, card_html(), (WIDTH, HEIGHT)),
            (TOUCH_ICON, icon_html(), (ICON_SIDE, ICON_SIDE)),
        ):
            page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
            page.set_content(html)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=STATIC / name)
        chromium.close()


if __name__ == "__main__":
    draw(*sys.argv[1:2])
