"""``python -m app.card static/card.png``: draws the picture that goes with the page's link, with the tests' browser."""

from __future__ import annotations

import sys
from pathlib import Path

from acts.bundle import shared_environment, style_sheet

from .page import font_faces, opening

#: What networks show of a link, px.
WIDTH, HEIGHT = 1200, 630


def card_html() -> str:
    """The opening's first state, still, as a document of the card's size."""
    template = shared_environment().get_template("templates/card.html")
    return template.render(opening=opening(), style=font_faces() + style_sheet(), width=WIDTH, height=HEIGHT)


def draw_card(path: Path, browser: str | None = None) -> None:
    """Writes the card as PNG; ``browser`` is the path of a Chromium, None for Playwright's own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_content(card_html())
        page.evaluate("document.fonts.ready")
        page.screenshot(path=path)
        chromium.close()


if __name__ == "__main__":
    draw_card(Path(sys.argv[1]), *sys.argv[2:3])
