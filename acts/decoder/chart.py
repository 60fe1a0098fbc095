"""What was measured on the small decoders, drawn: a chart is an SVG that follows the page's colours."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

WIDTH, HEIGHT = 460, 210
LEFT, RIGHT, TOP, BOTTOM = 44, 96, 12, 40
#: Least distance of two names at the lines' ends, px.
APART = 14


@dataclass(frozen=True)
class Line:
    """One setting: its name, the custom property of its colour, and per place the share right and its error."""

    name: str
    colour: str
    points: list[tuple[float, float]]


def chart(label: str, axis: str, places: list[str], lines: list[Line]) -> Markup:
    """Shares of right answers, 0 to 100%, over evenly spaced ``places``; ``label`` says in words what is seen."""
    step = (WIDTH - LEFT - RIGHT) / max(1, len(places) - 1)
    parts = [_grid(axis, places, step)]
    ends = _spread([_y(line.points[-1][0]) for line in lines])
    for line, end in zip(lines, ends, strict=True):
        parts.append(_line(line, step, end))
    svg = Markup('<svg class="measured" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    return svg.format(WIDTH, HEIGHT, label, Markup("").join(parts))


def _y(share: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)


def _spread(places: list[float]) -> list[float]:
    """The places moved as far as it takes to stand apart and above the axis, in their order from the top."""
    moved = list(places)
    order = sorted(range(len(places)), key=lambda one: places[one])
    last: float = -APART
    for index in order:
        last = moved[index] = max(moved[index], last + APART)
    limit: float = HEIGHT - BOTTOM - 4
    for index in reversed(order):
        moved[index] = min(moved[index], limit)
        limit = moved[index] - APART
    return moved


def _text(x: float, y: float, words: str, place: str = "") -> Markup:
    """Words; ``place`` is the class that says which part of them stands at ``x``."""
    return Markup('<text x="{}" y="{}" class="{}">{}</text>').format(round(x, 1), round(y, 1), place, words)


def _grid(axis: str, places: list[str], step: float) -> Markup:
    """Hairlines at 0, 50 and 100%, and what stands below."""
    rule = Markup('<line class="rule" x1="{0}" x2="{1}" y1="{2}" y2="{2}"/>')
    parts = []
    for share in (0, 0.5, 1):
        parts.append(rule.format(LEFT, WIDTH - RIGHT, _y(share)))
        parts.append(_text(LEFT - 8, _y(share) + 4, f"{share * 100:.0f}%", "end"))
    for index, place in enumerate(places):
        parts.append(_text(LEFT + index * step, HEIGHT - BOTTOM + 17, place, "mid"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 5, axis, "mid"))
    return Markup("").join(parts)


def _line(line: Line, step: float, end: float) -> Markup:
    """A line with its points, error bars and its name at the end."""
    spots = [
        (round(LEFT + index * step, 1), share, error) for index, (share, error) in enumerate(line.points)
    ]
    path = " ".join(f"{x},{_y(share)}" for x, share, _ in spots)
    parts = [Markup('<polyline points="{}"/>').format(path)]
    for x, share, error in spots:
        low, high = _y(max(0, share - error)), _y(min(1, share + error))
        parts.append(Markup('<line x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>').format(x, low, high))
        parts.append(Markup('<circle cx="{}" cy="{}" r="3.5"/>').format(x, _y(share)))
    parts.append(_text(WIDTH - RIGHT + 10, end + 4, line.name))
    return Markup('<g style="--line: var(--{})">{}</g>').format(line.colour, Markup("").join(parts))
