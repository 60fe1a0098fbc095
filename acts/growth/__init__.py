"""Act one: growth. One request from its prompt to its release, and what the cache spares it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import param

from ..act import Act
from ..decoder.language import text_ids
from ..decoder.written import TEXTS, VocabularyText, written
from ..result import Result
from ..scenario import Choice, Scenario, Whole
from .figure import cache_picture, work_plot
from .frame import growth_frame
from .table import growth_figure_table

if TYPE_CHECKING:
    from bokeh.models import Plot


class Growth(Act):
    """A request step by step: prefill fills the cache, decode adds a token a step, the end releases it.

    What is shown is a pure function of ``step``: 0 is before the request, 1 prefill, 1 + i decode step i, and
    ``generated`` + 1 the release: prefill writes the first token, so ``generated`` tokens take ``generated`` - 1
    decode steps. A ``step`` beyond that becomes the last decode step.
    """

    id = "growth"
    title = "Prefill, decode: the cache grows"
    short = "Growth"
    draw_frame = staticmethod(growth_frame)
    draw_table = staticmethod(growth_figure_table)
    extremes: ClassVar[dict[str, tuple[Any, ...]]] = {
        "generated": (1023,),
        "prompt": (4095,),
        "step": (0, 1, 600, 1025),
        "cached": (True, False),
    }
    #: Values the sliders stop at; everything between can be typed.
    prompt_stops: ClassVar[list[int]] = [
        1,
        2,
        3,
        4,
        6,
        8,
        10,
        12,
        16,
        24,
        32,
        48,
        64,
        128,
        256,
        512,
        1024,
        2048,
        4096,
    ]
    generated_stops: ClassVar[list[int]] = [1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024]

    prompt = Whole(default=16, bounds=(1, 4096), doc="Tokens of the prompt.")
    generated = Whole(default=8, bounds=(1, 1024), doc="Tokens the model generates in all.")
    step = Whole(default=1, bounds=(0, 1026), doc="Step of the request shown, see the class.")
    cached = param.Boolean(
        default=True, doc="Whether keys and values are kept, or computed anew in each step."
    )
    text = VocabularyText(
        default=TEXTS[0],
        doc="What the small decoder reads: words under the picture while the prompt has as many tokens.",
    )
    speed = Choice(default="normal", objects=["slow", "normal", "fast"], doc="Pace of the play button.")

    tokens_cached = Result("tokens-cached", "Tokens that some layer caches at this step, a count.")
    vectors_stored = Result(
        "vectors-stored", "Head vectors (one key or value of one KV head) cached, a count."
    )
    recompute_avoided = Result(
        "recompute-avoided",
        "Passes of a token through the model so far, without a cache over with one, a ratio; 1 after prefill.",
    )
    cache_bytes = Result("cache-bytes", "Cache of the request at this step, bytes.")

    def __init__(self, scenario: Scenario | str | None = None, **values: Any) -> None:
        if "text" in values and "prompt" not in values:
            self.param.text._validate(values["text"])
            values["prompt"] = len(text_ids(values["text"]))
        super().__init__(scenario, **values)
        self.param.watch(self._read_text, "text")
        self._keep_step()

    @param.depends("generated", watch=True)
    def _keep_step(self) -> None:
        """A request made shorter than the step shown is shown whole."""
        if self.step > self.generated + 1:
            self.param.update(step=self.generated)

    def _read_text(self, event: Any) -> None:
        """A text is a prompt of as many tokens, unless the prompt was of another length before."""
        if self.prompt == len(text_ids(event.old)):
            self.param.update(prompt=len(text_ids(event.new)))

    @classmethod
    def completed(cls, values: dict[str, Any]) -> dict[str, Any]:
        """With ``live``, what the small decoder reads and writes: no parameter, but what the picture is drawn from."""
        return values | {"live": written(values["text"])}

    def figures(self) -> dict[str, Plot]:
        """``cache``, what every layer holds, and ``work``, the tokens run with and without a cache."""
        frame = self.frame()
        return {"cache": cache_picture(frame), "work": work_plot(frame)}
