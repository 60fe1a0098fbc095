"""Act four: quantisation. The same values in fewer bits, the users that wins back, and what it may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import param

from ..act import Act
from ..result import Result
from .figure import memory_bars, rounding_demo, value_block
from .frame import quantize_frame
from .table import quantize_figure_table
from .words import quantize_name, quantize_source_label

if TYPE_CHECKING:
    from bokeh.models import Plot

    from ..catalog import CacheType


#: Rows of the switch: label, and the bits a value takes, from and below.
TYPE_ROWS = (("16, 32 bits", 16, 1000), ("5, 8 bits", 5, 16), ("4 bits", 0, 5))


class Quantize(Act):
    """What a narrower cache type saves, whom it lets in, and how sure anyone is that it does no harm."""

    id = "quantize"
    title = "Quantise the cache, win users back"
    short = "Quantise"
    draw_frame = staticmethod(quantize_frame)
    draw_table = staticmethod(quantize_figure_table)
    extremes: ClassVar[dict[str, tuple[Any, ...]]] = Act.extremes | {
        "cache": ("q8_0", "nvfp4"),
        "users": (60, 1023),
    }
    defaults: ClassVar[dict[str, Any]] = {
        "model": "llama-3.1-70b",
        "weights": "int4",
        "context": 32768,
        "gpu": "80gb",
        "gpus": 1,
        "cache": "fp8",
    }

    outlier = param.Boolean(default=False, doc="Whether the rounding demo's vector has one outlying value.")

    cache_shrink = Result("cache-shrink", "16-bit bytes per token over those of the chosen type, a ratio.")
    bytes_per_value = Result("bytes-per-value", "Bytes that a value takes with its scales.")
    max_users_baseline = Result("max-users-baseline", "Users that fit with a 16-bit cache, a count.")
    max_users_quantized = Result("max-users-quantized", "Users that fit with the chosen type, a count.")
    max_users_quantized_typical = Result(
        "max-users-quantized-typical", "The same with a typical activation reserve, a count."
    )
    cache_per_user_quantized = Result("cache-per-user-quantized", "Cache of one user on all cards, bytes.")
    quality_risk = Result("quality-risk", "Published risk to quality, in words, with source and date.")
    rounding_error = Result(
        "rounding-error",
        "The rounding demo's error over its numbers' size, both RMS without the outlier, a ratio.",
    )

    def figures(self) -> dict[str, Plot]:
        """``block``, values in bits; ``users``, the memory bars; ``rounding``, the demo in the disclosure."""
        frame = self.frame()
        return {"block": value_block(frame), "users": memory_bars(frame), "rounding": rounding_demo(frame)}

    def deployment(self) -> dict[str, Any]:
        """The scenario an act used alone starts from, but its cache type: the preset offered on the page."""
        kept = {name: self.scenario.param[name].default for name in ("users", "reserve")}
        return kept | {name: setting for name, setting in self.defaults.items() if name != "cache"}

    def type_groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The cache types as (id, short name), by the bits of a value: the rows of the switch."""
        rows = self.scenario.catalog.caches.values()
        return [
            (label, [(row.id, quantize_name(row)) for row in rows if low <= row.bits < high])
            for label, low, high in TYPE_ROWS
        ]

    def short_name(self, row: CacheType) -> str:
        """A cache type's name without its maker."""
        return quantize_name(row)

    def sources(self, row: CacheType) -> list[tuple[str, str]]:
        """What the catalog says of ``row`` rests on: (name, URL), the URL empty where there is none."""
        found = []
        for part in row.source.split("; "):
            at = part.find("https://")
            found.append((quantize_source_label(part), part[at:] if at >= 0 else ""))
        return found
