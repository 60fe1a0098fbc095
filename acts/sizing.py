"""The sizing model: a model's shape -> bytes -> users -> seconds.

Pure arithmetic and nothing else: no Panel, no I/O, no catalog. The browser runs these same functions,
compiled by :mod:`acts.twin`, so they keep to a small subset of Python: plain functions over numbers,
strings, lists and objects whose attributes are read. Byte counts are whole numbers below 2**53, which
both languages hold exactly. ``tokens`` may be a numpy array of int64 wherever a curve is drawn.

Conventions: "tokens" are tokens of one sequence (prompt + generated so far); "bytes" are bytes;
GiB = 2**30 bytes. How cards share the work (sources: vLLM's docs/serving/parallelism_scaling.md and
context_parallel_deployment.md, vllm/distributed/utils.py get_pp_indices; SGLang's docs/advanced_features/dcp.md):

``gpus``              tensor parallelism: every layer's weights and KV heads over ``gpus`` cards; a latent, and each
                      KV head beyond the cards that its heads can be shared out over, is stored again on each.
``pipeline``          stages of whole layers, as even as can be; the one with the most layers decides what fits.
``context_parallel``  decode-context parallelism: within the tensor-parallel group, that many ranks hold a sequence's
                      tokens in turn instead of storing them again. It takes no further cards.
data parallelism      whole copies of all this, each with users of its own: nothing a card holds changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from .bounds import EXACT_LIMIT
from .value_type import ValueType

GIB = 1073741824
MIB = 1048576
KIB = 1024

# The share of a card that an engine may use unless told otherwise, in percent: vLLM's gpu_memory_utilization up to
# v0.20. It is 92 since v0.21, where memory of CUDA graphs is taken off it too:
# https://github.com/vllm-project/vllm/pull/38284
UTILISATION_PERCENT = 90


@dataclass(frozen=True)
class LayerGroup:
    """Layers that keep the same cache.

    ``num_kv_heads`` heads each hold one key of ``key_width`` values and one value of ``value_width``
    values a token. ``window`` caps the tokens kept (sliding or chunked attention); None keeps all.
    ``fixed_tokens`` is the number of entries held whatever the length (cross-attention over an image
    or an encoder's output); None for self-attention. ``stride`` tokens share one entry (compressed
    attention). ``record_bytes``, if not None, is the size of one entry in a format of its own that
    does not follow the cache type (an indexer's FP8 key with its scale).
    An MLA latent is one head with ``value_width`` 0; ``full_key_width`` and ``full_value_width`` are the key
    and value that each query head unfolds from it, ``latent_value_width`` is how many of its values are read
    once more as the value where nothing is unfolded (kv_lora_rank); each is 0 if not known.
    """

    layers: int
    num_kv_heads: int
    key_width: int
    value_width: int
    window: int | None = None
    fixed_tokens: int | None = None
    stride: int = 1
    record_bytes: int | None = None
    kind: str = "attention"  # attention | latent | cross | indexer
    full_key_width: int = 0
    full_value_width: int = 0
    latent_value_width: int = 0


@dataclass(frozen=True)
class Shape:
    """What of a model decides the size of its cache.

    ``state_bytes`` is what recurrent, convolution and linear-attention layers hold per sequence, in
    bytes, in their own declared types: it neither grows nor follows the cache type. ``parameters``
    counts all weights, ``active_parameters`` those one token passes through (equal unless the model
    is a mixture of experts). Both are 0 where they are unknown: a config.json does not hold the count.
    Of ``parameters``, ``expert_parameters`` belong to the ``experts`` of each layer that a token is sent to,
    ``experts_per_token`` at a time; ``unread_parameters`` are read by no decode step: an input embedding that is
    looked up and no output matrix at once, a vision tower. All four are 0 where they are unknown.
    """

    groups: tuple[LayerGroup, ...]
    num_attention_heads: int
    num_hidden_layers: int
    parameters: int
    active_parameters: int
    state_bytes: int = 0
    experts: int = 0
    experts_per_token: int = 0
    expert_parameters: int = 0
    unread_parameters: int = 0

    def bytes_per_sequence(self, tokens: int, cache: str = "bf16") -> int:
        """Bytes one sequence of ``tokens`` tokens holds; ``cache`` names a type of the catalog (fp16, q8_0)."""
        from .catalog.types import cache_type

        kind = cache_type(cache)
        return bytes_per_sequence(self, tokens, kind, kind)


def smaller(a: int, b: int) -> int:
    """The smaller of two whole numbers, written so that numpy arrays pass through it too."""
    return (a + b - abs(a - b)) // 2


def larger(a: int, b: int) -> int:
    """The larger of two whole numbers, for arrays too."""
    return (a + b + abs(a - b)) // 2


def ceil_div(a: int, b: int) -> int:
    """Smallest whole number >= a / b, for a >= 0 and b > 0."""
    return (a + b - 1) // b


def vector_bytes(width: int, value_type: ValueType) -> int:
    """Bytes of one head vector of ``width`` values, its scales included; 0 for a vector of no values."""
    if width == 0:
        return 0
    return ceil_div(width, value_type.block_values) * value_type.block_bytes + value_type.vector_bytes


def entry_bytes(group: LayerGroup, heads: int, k_type: ValueType, v_type: ValueType) -> int:
    """Bytes one entry (one token, unless ``stride`` > 1) takes in one layer that stores ``heads`` KV heads."""
    if group.record_bytes is not None:
        return group.record_bytes
    return heads * (vector_bytes(group.key_width, k_type) + vector_bytes(group.value_width, v_type))


def entries_held(group: LayerGroup, tokens: int, block_size: int = 1) -> int:
    """Entries a layer holds at ``tokens`` tokens, rounded up to whole blocks of ``block_size`` tokens."""
    if group.fixed_tokens is not None:
        return group.fixed_tokens
    held = tokens
    if group.window is not None:
        held = smaller(tokens, group.window)
    return ceil_div(held, block_size) * block_size // group.stride


def heads_per_gpu(num_kv_heads: int, gpus: int) -> int:
    """KV heads each GPU stores under tensor parallelism: at least one, so few heads are replicated."""
    return max(1, ceil_div(num_kv_heads, gpus))


def stage_layers(layers: int, pipeline: int) -> int:
    """Layers of the largest of ``pipeline`` stages; where kinds of layers alternate, each kind is shared out alike."""
    return ceil_div(layers, pipeline)


def entry_sizes(
    shape: Shape, k_type: ValueType, v_type: ValueType, gpus: int = 1, context_parallel: int = 1
) -> list[int]:
    """Bytes of one entry in one layer on each GPU, for each of the shape's groups: what the sums below add up.

    Ranks that share out a sequence's tokens hold the same heads, so heads are shared out over the others alone.
    """
    ranks = gpus // context_parallel
    return [
        entry_bytes(group, heads_per_gpu(group.num_kv_heads, ranks), k_type, v_type) for group in shape.groups
    ]


def sum_per_token(shape: Shape, sizes: list[int]) -> int:
    """Bytes one more token adds while every window still has room, entries being of ``sizes``.

    Layers with ``stride`` > 1 add an entry only every ``stride`` tokens and count with their mean, rounded down.
    """
    total = 0
    for place, group in enumerate(shape.groups):
        if group.fixed_tokens is None:
            total += group.layers * sizes[place] // group.stride
    return total


def sum_growth(shape: Shape, sizes: list[int]) -> int:
    """Bytes one more token adds once every window is full, entries being of ``sizes``."""
    total = 0
    for place, group in enumerate(shape.groups):
        if group.window is None and group.fixed_tokens is None:
            total += group.layers * sizes[place] // group.stride
    return total


def sum_fixed(shape: Shape, sizes: list[int]) -> int:
    """Bytes of full windows and of cross-attention, entries being of ``sizes``; the state is not among them."""
    total = 0
    for place, group in enumerate(shape.groups):
        held = group.fixed_tokens
        if group.window is not None:
            held = group.window // group.stride
        if held is not None:
            total += group.layers * sizes[place] * held
    return total


def sum_held(
    shape: Shape,
    sizes: list[int],
    tokens: int,
    block_size: int = 1,
    pipeline: int = 1,
    context_parallel: int = 1,
) -> int:
    """Bytes of all entries held at ``tokens`` tokens, each of its group's size; the state is not among them.

    Of ``pipeline`` stages it is those of the largest. Windows and cross-attention are not split by tokens.
    """
    total = 0
    for place, group in enumerate(shape.groups):
        held = entries_held(group, tokens, block_size)
        if group.window is None and group.fixed_tokens is None:
            held = ceil_div(held, context_parallel)
        total += stage_layers(group.layers, pipeline) * sizes[place] * held
    return total


def state_layers(shape: Shape) -> int:
    """Layers that hold recurrent state: those without attention, or all of them where every layer has attention."""
    attention = 0
    for group in shape.groups:
        if group.kind not in ["indexer", "cross"]:
            attention += group.layers
    rest = shape.num_hidden_layers - attention
    return rest if rest > 0 else max(1, shape.num_hidden_layers)


def state_per_gpu(shape: Shape, gpus: int, pipeline: int = 1) -> int:
    """Bytes of recurrent state of one sequence on each GPU of the largest stage; shared out over its ``gpus``."""
    if pipeline == 1:
        return ceil_div(shape.state_bytes, gpus)
    layers = state_layers(shape)
    return ceil_div(ceil_div(shape.state_bytes, layers) * stage_layers(layers, pipeline), gpus)


def bytes_per_token(shape: Shape, k_type: ValueType, v_type: ValueType) -> int:
    """Bytes one more token adds while every window still has room: the figure calculators print.

    Sum over caching layers of num_kv_heads x (key_width + value_width) x bytes per value.
    """
    return sum_per_token(shape, entry_sizes(shape, k_type, v_type))


def growth_bytes_per_token(shape: Shape, k_type: ValueType, v_type: ValueType) -> int:
    """Bytes one more token adds once every window is full: the slope b of a + b x tokens."""
    return sum_growth(shape, entry_sizes(shape, k_type, v_type))


def fixed_bytes_per_sequence(shape: Shape, k_type: ValueType, v_type: ValueType) -> int:
    """Bytes that do not grow: full windows, cross-attention and recurrent state, the a of a + b x tokens."""
    return shape.state_bytes + sum_fixed(shape, entry_sizes(shape, k_type, v_type))


def bytes_per_sequence(
    shape: Shape, tokens: int, k_type: ValueType, v_type: ValueType, block_size: int = 1
) -> int:
    """Bytes one sequence of ``tokens`` tokens holds, windows honoured, in blocks of ``block_size`` tokens."""
    return bytes_per_sequence_gpu(shape, tokens, k_type, v_type, 1, block_size)


def bytes_per_sequence_gpu(
    shape: Shape,
    tokens: int,
    k_type: ValueType,
    v_type: ValueType,
    gpus: int,
    block_size: int = 1,
    pipeline: int = 1,
    context_parallel: int = 1,
) -> int:
    """Bytes one sequence holds on each of ``gpus`` tensor-parallel GPUs of the largest stage."""
    ranks = min(context_parallel, gpus)
    sizes = entry_sizes(shape, k_type, v_type, gpus, ranks)
    held = sum_held(shape, sizes, tokens, block_size, pipeline, ranks)
    return state_per_gpu(shape, gpus, pipeline) + held


def countable(count: int) -> int:
    """``count``, or 2**53 for more: beyond it the two languages would print other digits."""
    return min(count, EXACT_LIMIT)


def batch_bytes(
    shape: Shape,
    tokens: int,
    users: int,
    k_type: ValueType,
    v_type: ValueType,
    gpus: int = 1,
    block_size: int = 1,
    pipeline: int = 1,
    context_parallel: int = 1,
) -> int:
    """Bytes that ``users`` sequences of ``tokens`` tokens hold on all GPUs together, at most 2**53.

    Every stage is counted as the largest.
    """
    sequence = bytes_per_sequence_gpu(
        shape, tokens, k_type, v_type, gpus, block_size, pipeline, context_parallel
    )
    return countable(users * gpus * pipeline * sequence)


def weights_bytes(parameters: int, bits: float) -> int:
    """Bytes of ``parameters`` weights at ``bits`` bits each, whole bytes."""
    return int((parameters * bits + 7) / 8)


def kept_parameters(shape: Shape, kept: str) -> int:
    """Parameters that a file keeps at 16 bits: none, the input and output "tables", or all but the "experts".

    Tables are counted where the input embedding is one of its own and known; a tied one is not.
    """
    if kept == "tables":
        return min(shape.parameters, 2 * shape.unread_parameters)
    if kept == "experts" and shape.expert_parameters > 0:
        return shape.parameters - shape.expert_parameters
    return 0


def typed_weights(shape: Shape, bits: float, kept: str) -> int:
    """Bytes of a model's weights in a type of ``bits`` bits, but for what its files keep at 16 bits."""
    whole = kept_parameters(shape, kept)
    return weights_bytes(shape.parameters - whole, bits) + weights_bytes(whole, 16)


def stage_weights(weights: int, layers: int, pipeline: int) -> int:
    """Bytes of ``weights`` on the largest of ``pipeline`` stages of a model of ``layers`` layers.

    Embedding and head are counted as if they were spread over the layers, as engines even them out.
    """
    if pipeline == 1:
        return weights
    return ceil_div(weights, max(1, layers)) * stage_layers(max(1, layers), pipeline)


def usable_bytes(card_bytes: int, reserve_bytes: int = 0, percent: float = UTILISATION_PERCENT) -> int:
    """Bytes of a card that weights and cache may use: ``percent`` of it less the activation reserve, at least 0."""
    return max(0, int(card_bytes * percent / 100) - reserve_bytes)


def free_bytes(usable: int, weights: int, gpus: int = 1) -> int:
    """Bytes left for the cache on each GPU once its share of the weights is loaded; negative by what is missing."""
    return usable - ceil_div(weights, gpus)


def max_users(free: int, sequence_bytes: int) -> int:
    """Whole sequences of ``sequence_bytes`` bytes that fit into ``free`` bytes of a GPU; 0 when none is free."""
    if free <= 0:
        return 0
    return free // larger(1, sequence_bytes)


def max_context(
    shape: Shape,
    free: int,
    users: int,
    k_type: ValueType,
    v_type: ValueType,
    gpus: int,
    limit: int,
    block_size: int = 1,
    pipeline: int = 1,
    context_parallel: int = 1,
) -> int:
    """Longest context (tokens, up to ``limit``) at which ``users`` fit into ``free`` bytes a GPU; 0 if none."""
    low = 0
    high = limit
    while low < high:
        middle = (low + high + 1) // 2
        sequence = bytes_per_sequence_gpu(
            shape, middle, k_type, v_type, gpus, block_size, pipeline, context_parallel
        )
        if users * sequence <= free:
            low = middle
        else:
            high = middle - 1
    return low


def forwarded_tokens(prompt: int, generated: int, cached: bool) -> int:
    """Passes of a token through the model until ``generated`` tokens have been written; neither FLOP nor seconds.

    The prefill writes the first of them, so G tokens take G - 1 decode steps, and the last one written is never run.
    With a cache each token passes once: P + G - 1. Without one every step runs the whole text so far again:
    sum over i = 0..G-1 of (P + i).
    """
    steps = larger(0, generated - 1)
    if cached:
        return prompt + steps
    return (steps + 1) * prompt + steps * (steps + 1) // 2


def recompute_avoided(prompt: int, generated: int) -> float:
    """Passes of a token without a cache over those with one; 1 after the prefill alone, which writes one token."""
    return forwarded_tokens(prompt, generated, False) / max(1, forwarded_tokens(prompt, generated, True))


def vectors_stored(shape: Shape, tokens: int) -> int:
    """Head vectors (one key or one value of one KV head) held at ``tokens`` tokens; an MLA latent counts as one."""
    total = 0
    for group in shape.groups:
        kinds = (1 if group.key_width > 0 else 0) + (1 if group.value_width > 0 else 0)
        total += group.layers * group.num_kv_heads * kinds * entries_held(group, tokens)
    return total


def experts_read(shape: Shape, tokens: int) -> float:
    """Experts a layer reads in a step of ``tokens`` tokens, on average, if each chooses evenly: E (1 - (1 - k/E)^B)."""
    if shape.experts == 0:
        return 0
    left = 1.0
    for _ in range(tokens):
        left = left * (1 - shape.experts_per_token / shape.experts)
    return shape.experts * (1 - left)


def read_parameters(shape: Shape, tokens: int) -> int:
    """Parameters that a decode step of ``tokens`` tokens reads, each once.

    A lower bound but for a mixture of experts of known layout, where it is the average of evenly chosen experts.
    """
    if shape.experts == 0:
        return min(shape.active_parameters, shape.parameters - shape.unread_parameters)
    idle = shape.expert_parameters * (1 - experts_read(shape, tokens) / shape.experts)
    return shape.parameters - shape.unread_parameters - int(idle)


def step_weights(shape: Shape, weights: int, tokens: int) -> int:
    """Bytes of ``weights``, those of all parameters, that a decode step of ``tokens`` tokens reads; all if unknown."""
    if shape.parameters == 0:
        return weights
    return int(weights * (read_parameters(shape, tokens) / shape.parameters))


def step_seconds(bytes_read: int, bandwidth: int) -> float:
    """Least seconds of a step that reads ``bytes_read`` at ``bandwidth`` bytes/s (memory roof, arXiv 2402.16363)."""
    return bytes_read / bandwidth


def ridge_point(peak_flops: int, bandwidth: int) -> float:
    """FLOP a byte above which a GPU is limited by compute, below which by memory (arXiv 2402.16363)."""
    return peak_flops / bandwidth


def weight_intensity(users: int, weight_bits: float) -> float:
    """FLOP per weight byte in a decode step of a dense model: a multiply-add per weight and sequence of the batch."""
    return 2 * users * 8 / weight_bits


def step_intensity(shape: Shape, weights: int, tokens: int) -> float:
    """FLOP per byte of weights read in a decode step of ``tokens`` tokens, experts included."""
    multiplied = read_parameters(shape, 1)
    return 2 * tokens * multiplied / max(1, step_weights(shape, weights, tokens))


def attention_intensity(shape: Shape, k_type: ValueType, v_type: ValueType) -> float:
    """FLOP per cache byte in a decode step; a lower bound where a latent's ``latent_value_width`` is not known.

    Each query head does a multiply-add with every key value and every value value it reads. A batch
    does not raise it: each sequence reads its own cache. Sharing a KV head among query heads does. A latent is read
    once as the key of every head and, its first values, again as the value (absorbed MLA, arXiv 2405.04434).
    """
    flops = 0
    read = 0
    for group in shape.groups:
        values = group.key_width + group.value_width + group.latent_value_width
        flops += 2 * group.layers * shape.num_attention_heads * values
        read += group.layers * entry_bytes(group, group.num_kv_heads, k_type, v_type)
    return flops / max(1, read)


def crossover_tokens(shape: Shape, weights: int, k_type: ValueType, v_type: ValueType) -> int:
    """Cached tokens, over all users, beyond which the cache outweighs the weights; 0 if it never grows."""
    growth = growth_bytes_per_token(shape, k_type, v_type)
    if growth == 0:
        return 0
    return weights // growth
