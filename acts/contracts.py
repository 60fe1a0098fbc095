"""What the functions of the house hand one another, as types: mypy finds a misspelt key, the browser gets none of it.

Import them under ``if TYPE_CHECKING``. A class that is an object with attributes in Python (a dataclass, a param
class) is a Protocol or the class itself; a record that compiled code makes is a dict, and its TypedDict stands here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, Protocol, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable

    from .catalog import CacheType, Catalog
    from .sizing import LayerGroup, Shape

# The state.


class State(Protocol):
    """A scenario's own values, see :class:`acts.scenario.Scenario`; an act's state has the act's besides."""

    model: str
    gpu: str
    gpus: int
    pipeline: int
    context_parallel: int
    data_parallel: int
    weights: str
    weights_gib: float
    cache: str
    cache_v: str
    context: int
    users: int
    reserve: float
    utilisation: float
    card_gib: float
    card_bandwidth: float
    card_flops: float
    shape: str


class GrowthState(State, Protocol):
    """The state of act one, see :class:`acts.growth.Growth`."""

    prompt: int
    generated: int
    step: int
    text: str
    speed: str
    live: Written


class HeadsState(State, Protocol):
    """The state of act two, see :class:`acts.heads.Heads`."""

    kv_heads: int


class QuantizeState(State, Protocol):
    """The state of act four, see :class:`acts.quantize.Quantize`."""

    outlier: bool


class PageState(GrowthState, HeadsState, QuantizeState, Protocol):
    """The state of all acts together, as the page keeps it."""


# The frame: see CONTRIBUTING.md for what becomes of each part.


class Readout(TypedDict):
    """A figure as text, and its value in bytes, counts or seconds; None where there is none."""

    text: str
    value: float | None


class Range(TypedDict):
    """The ends of an axis."""

    start: float
    end: float


class Option(TypedDict):
    """What a list offers."""

    value: int
    text: str


class Choices(TypedDict):
    """What a list offers now, and which of it is chosen."""

    options: list[Option]
    selected: int


class Button(TypedDict):
    """A button: what it sets, and whether that holds already."""

    text: str
    set: dict[str, Any]
    pressed: bool
    disabled: bool


#: Plot data: columns of equal length.
Columns = dict[str, list[Any]]


class Frame(TypedDict):
    """An act as data: what ``frame(state, catalog)`` returns."""

    readouts: dict[str, Readout]
    sentence: str
    texts: dict[str, str]
    shown: dict[str, bool]
    sources: dict[str, Columns]
    ranges: dict[str, Range]
    figures: dict[str, str]
    choices: NotRequired[dict[str, Choices]]
    buttons: NotRequired[dict[str, Button]]
    queries: NotRequired[int]


if TYPE_CHECKING:
    #: Draws an act.
    Draw = Callable[[Any, Catalog], Frame]


# Sizes.


class Sizes(TypedDict):
    """A deployment's sizes, see :func:`acts.deployment.deploy`; ``kept`` as :mod:`acts.quantize.value` adds it."""

    usable: int
    free: int
    sequence: int
    cards: int
    card: int
    wall: int
    reserve: int
    weights: int
    held_back: int
    room: int
    user: int
    demanded: int
    max_users: int
    kept: NotRequired[bool]


class Card(TypedDict):
    """A card: memory in bytes, bandwidth in bytes/s, dense 16-bit FLOP/s."""

    name: str
    memory: int
    bandwidth: int
    peak_flops: int


class Step(TypedDict):
    """A decode step, see :func:`acts.deployment.deploy_step`."""

    users: int
    copy: int
    weights: int
    cache: int
    seconds: float


class Term(TypedDict):
    """One kind of layer in a formula, see :func:`acts.formula.formula_term`."""

    layers: int
    heads: int
    key: int
    value: int
    stride: int
    record: bool
    entry: int
    kind: str


# Act one.


class Written(TypedDict):
    """What the small decoder reads and writes, see :func:`acts.decoder.written.written`."""

    text: str
    prompt: int
    words: list[str]
    reads: list[list[float]]


class Moment(TypedDict):
    """Where the request stands, see :func:`acts.growth.request.growth_moment`."""

    step: int
    phase: str
    prompt: int
    done: int
    written: int
    held: int
    tokens: int


class Letter(TypedDict):
    """A kind of row in the picture of the cache."""

    role: str
    letter: str


class Row(TypedDict):
    """A row of cells in the picture of the cache; y runs downwards, about one a px."""

    y: float
    height: float
    role: str
    letter: str


class Band(TypedDict):
    """A layer, or strips for several, see :func:`acts.growth.layers.growth_bands`."""

    group: LayerGroup
    label: str
    y: float
    rows: list[Row]
    whole: bool


# Act two.


class View(TypedDict):
    """A choice of KV heads and its costs in bytes, see :func:`acts.heads.choice.heads_view`."""

    model: str
    shape: Shape
    keys: CacheType
    values: CacheType
    cache_id: str
    latent: bool
    latent_width: int
    queries: int
    own: int
    kv: int
    asked: int
    refused: bool
    choice: int
    context: int
    token: int
    full_token: int
    known: bool
    reduction: float
    sequence: int
    full_sequence: int
    terms: list[Term]
    divisors: list[int]
    rows: NotRequired[int]
    tile_rows: NotRequired[int]
    tile_width: NotRequired[float]
    tile_height: NotRequired[float]


# A guess.


class Question(TypedDict):
    """What an act asks before it shows its answer, see :mod:`acts.predict`."""

    act: str
    key: str
    kind: str
    question: str
    options: list[str]
    values: list[float]
    answer: float
    unit: str
    why: str


class Verdict(TypedDict):
    """What is said to a guess, see :func:`acts.predict.predict_verdict`."""

    read: bool
    text: str
    right: bool
    guess: float | None
    off: float | None
