"""What the functions of the house hand one another, as types: mypy finds a misspelt key, the browser gets none of it.

Import them under ``if TYPE_CHECKING``. A class that is an object with attributes in Python (a dataclass, a param
class) is a Protocol or the class itself; a record that compiled code makes is a dict, and its TypedDict stands here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, Protocol, TypedDict, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
    cached: bool
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


#: A figure's data: rows of equal length, the columns' names first.
Table = list[list[Any]]

if TYPE_CHECKING:
    #: Draws an act.
    Draw = Callable[[Any, Catalog], Frame]
    #: Gives the data of an act's figure of that name.
    Tabulate = Callable[[str, Any, Catalog], Table]


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

    cached: bool
    step: int
    phase: str
    prompt: int
    done: int
    written: int
    held: int
    tokens: int
    kept: int


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


# The quiz.

#: A generator of numbers, see :mod:`app.quiz.dice`; and what it picks from or puts in another order.
Dice = dict[str, int]
Item = TypeVar("Item")


class Slip(TypedDict):
    """A number that a misconception leads to, and what to say to it."""

    value: float
    reason: str


class Asked(TypedDict):
    """A question of the quiz, of the kind "choice" or "number", see :mod:`app.quiz.parts`.

    ``answer`` is an option's index, or a number in ``unit`` with an absolute ``tolerance``; there is a reason for each
    option, and one for a number.
    """

    id: str
    topic: str
    kind: str
    question: str
    options: list[str]
    answer: Any
    tolerance: float
    unit: str
    reasons: list[str]
    slips: list[Slip]


class Marked(TypedDict):
    """What is said to an answer: whether it could be read, whether it is right, and why."""

    read: bool
    right: bool
    reason: str


# A reading of a config, see :func:`acts.config.reader.read_shape`.


class PlainGroup(TypedDict):
    """The fields of :class:`acts.sizing.LayerGroup` as plain data."""

    layers: int
    num_kv_heads: int
    key_width: int
    value_width: int
    window: int | None
    fixed_tokens: int | None
    stride: int
    record_bytes: int | None
    kind: str
    full_key_width: int
    full_value_width: int
    latent_value_width: int


class PlainShape(TypedDict):
    """The fields of :class:`acts.sizing.Shape` as plain data; those from ``experts`` on only where they are known."""

    groups: list[PlainGroup]
    num_attention_heads: int
    num_hidden_layers: int
    parameters: int
    active_parameters: int
    state_bytes: int
    experts: NotRequired[int]
    experts_per_token: NotRequired[int]
    expert_parameters: NotRequired[int]
    unread_parameters: NotRequired[int]


class Field(TypedDict):
    """Which field of a file gave which factor its value."""

    factor: str
    value: int | str
    field: str


class Reading(TypedDict, total=False):
    """What a config says: ``error`` alone, or all the others."""

    error: str
    shape: PlainShape
    fields: list[Field]
    notes: list[str]
    cache: str | None
    weights: str | None
    state_type: str
    indexer_type: str
    weights_bytes: int
    max_context: int
    model_type: str
    name: str


if TYPE_CHECKING:
    #: A record that is read by the names of its fields, such as a :class:`PlainShape`.
    Fields = Mapping[str, Any]


class OwnRead(TypedDict):
    """What a shape's text stands for: ``model``, the catalog's row, where ``error`` is empty."""

    error: str
    model: NotRequired[dict[str, Any]]


class Notebook(TypedDict):
    """What a reading collects on its way; ``result`` stands where there is no error."""

    error: str
    fields: list[Field]
    notes: list[str]
    state_type: str
    indexer_type: str
    result: NotRequired[Reading]


class Part(TypedDict):
    """A part of a file, see :func:`acts.config.values.new_part`; ``values`` can be anything that JSON can hold."""

    values: dict[str, Any]
    path: str
    reading: Notebook
    defaults: dict[str, Any]
    inner: bool
    state_type: str
    indexer_type: str


#: A row of acts/config/families.py: how a family departs from the plain case.
Rule = dict[str, Any]


class HeadLayout(TypedDict):
    """Query and KV heads of each layer, see :func:`acts.config.reader.read_layout`."""

    heads: list[int]
    kv: list[int]
    head_dim: int
    latent: bool
    window: NotRequired[int | None]


# A log, see :mod:`acts.logs.reader`. Parts are lists: [device, bytes], or a table's row.


class Number(TypedDict):
    """A number as a log prints it, see :func:`acts.logs.reader.log_number`."""

    whole: int
    fraction: int
    scale: int
    below: int
    begin: int
    end: int


class Size(TypedDict):
    """Bytes as a log prints them: value, the worth of the last digit, where the unit ends."""

    value: int
    step: int
    end: int


class Figure(TypedDict):
    """What a fact reads in a line, see :func:`acts.logs.reader.log_read`."""

    value: Any
    text: str
    begin: int
    end: int
    step: float
    below: int
    parts: list[list[Any]]


class Hit(TypedDict):
    """A fact found in a line: what it says, where, and who says it."""

    engine: str
    key: str
    keep: str
    weak: int
    begin: int
    value: Any
    text: str
    step: float
    below: int
    parts: list[list[Any]]
    line: str
    place: int
    rank: str
    copy: str


class Finding(TypedDict):
    """One fact of a start, from all its lines, see :mod:`acts.logs.reader`."""

    key: str
    label: str
    value: Any
    text: str
    line: str
    keep: str
    step: float
    below: int
    parts: list[list[Any]]
    rank: str
    ranks: list[str]
    place: int


class Segment(TypedDict):
    """Hits of one rank's or copy's start."""

    hits: list[Hit]
    whole: bool
    ranks: list[str]
    line: int


class Gathered(TypedDict):
    """Segments that belong to one start, and its further copies."""

    hits: list[Hit]
    whole: bool
    line: int
    copies: list[Segment]


class Other(TypedDict):
    """What started beside a start and has a cache of its own."""

    name: str
    findings: list[Finding]


class Pool(TypedDict):
    """A pool of SGLang's: tokens, bytes, and the worth of the bytes' last digits."""

    tokens: float
    bytes: float
    step: float


class Start(TypedDict):
    """One start of an engine, see :mod:`acts.logs.starts`."""

    engine: str
    findings: list[Finding]
    others: list[Other]
    pools: list[Pool]
    ranks: int
    whole: bool
    line: int


class Log(TypedDict):
    """A log's reading, see :func:`acts.logs.reader.read_log`; ``engine`` is None where none was recognised."""

    engine: Any
    findings: list[Finding]
    others: list[Other]
    starts: list[Start]
    start: int
    looked_for: list[str]
    unread: int


class Job(TypedDict):
    """What the rows, the answer and the budget of a log are worked out from."""

    log: Log
    shape: Shape
    state: State
    catalog: Catalog
    cache: CacheType
    values: CacheType
    length: int
    chunk: int


class Spec(TypedDict):
    """Layers of one kind, see :func:`acts.engines.vllm.vllm_spec`."""

    layers: int
    page: int
    block: int
    window: int | None
    states: int


class Plan(TypedDict):
    """How layers share a pool, see :func:`acts.engines.vllm.vllm_plan`."""

    block_bytes: int
    groups: int
    block: int
    request_blocks: int


class Layout(Plan):
    """A plan that an engine may have chosen, and what says so."""

    even: bool
    said: str


class Comparison(TypedDict):
    """A row of :func:`acts.logs.compare.compare_log`."""

    label: str
    logged: str
    predicted: str
    ratio: float
    verdict: str
    reason: str
    figures: list[float]
    unit: str


class Way(TypedDict):
    """What would hold more, in words, and the settings that do it."""

    text: str
    set: dict[str, Any]


class Answer(TypedDict):
    """The answer to a log, see :func:`acts.logs.answer.log_answer`."""

    sentences: list[str]
    ways: list[Way]
    change: str


class Budget(TypedDict):
    """Where a card's memory went, see :mod:`acts.logs.budget`; parts are [kind, name, bytes]."""

    title: str
    total: float
    parts: list[list[Any]]


class BarPart(TypedDict):
    """A part of a bar: size in words, place and width in percent."""

    kind: str
    name: str
    size: str
    start: str
    width: str


class Bar(TypedDict):
    """A budget as a bar, see :func:`acts.logs.budget.log_bars`."""

    title: str
    total: str
    card: str
    parts: list[BarPart]
    words: str


class OwnLayout(TypedDict):
    """Heads and widths that some layers have of their own, see :func:`acts.config.groups.own_layout`."""

    kv: int
    kv_times: int
    key: int
    value: int


class Weights(TypedDict):
    """Parameters that a config or a file gives; ``bytes`` where a file says them."""

    parameters: int
    active_parameters: int
    experts: int
    experts_per_token: int
    expert_parameters: int
    unread_parameters: int
    bytes: NotRequired[int]


class Ending(TypedDict):
    """Where a text in JSON ends, and what is wrong with it."""

    at: int
    cause: str


class Place(TypedDict):
    """Where the reader of a broken JSON text stands, see :func:`acts.config.document.json_fault`."""

    at: int
    want: str
    open: list[str]
    comma: bool
    first: bool
