"""The prediction in transformers' conventions, and the measurement in ours.

Transformers stores some parts differently from the engines that :mod:`acts.sizing` follows. Each
difference is one function below, exact to the byte and applied by name; everything else must be equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from acts.catalog import cache_type
from acts.sizing import LayerGroup, Shape, entries_held, entry_bytes

from .measure import Layer

#: A layer's keys and values are compared alike, whatever they come from; an indexer's keys for themselves.
KINDS = {"attention": "kv", "latent": "kv", "cross": "kv", "indexer": "indexer"}
#: Families whose convolution keeps all rows of the kernel in our figures too, as Mamba-1's own code does.
MAMBA1 = ("mamba", "falcon_mamba", "jamba", "zamba")


def kept_window(group: LayerGroup) -> LayerGroup:
    """Between two steps a windowed layer keeps window - 1 tokens: the next token's own key comes with it."""
    return group if group.window is None else replace(group, window=group.window - 1)


def indexer_at_16_bits(group: LayerGroup) -> LayerGroup:
    """An indexer's keys are kept at the model's type; engines keep one byte a value and a scale."""
    return group if group.record_bytes is None else replace(group, record_bytes=None)


def repeated_heads(group: LayerGroup, shape: Shape, part: dict[str, Any]) -> LayerGroup:
    """Falcon's new architecture repeats each KV head for its query heads before it caches them; engines do not."""
    if part["model_type"] != "falcon" or not part.get("new_decoder_architecture"):
        return group
    return replace(group, num_kv_heads=shape.num_attention_heads)


def as_transformers(shape: Shape, part: dict[str, Any]) -> list[LayerGroup]:
    """The groups of ``shape`` as transformers keeps them."""
    return [repeated_heads(indexer_at_16_bits(kept_window(group)), shape, part) for group in shape.groups]


def convolution_rows(layer: Layer, model_type: str) -> int:
    """Bytes of a convolution's rows in our count: kernel - 1 of the kernel rows that transformers keeps.

    The oldest row is not needed for the next token. RecurrentGemma and RWKV keep no such row themselves.
    """
    total = layer.bytes("rows") + layer.bytes("shift")
    for tensor in layer.tensors.get("convolution", []):
        kernel = tensor.shape[-1]
        rows = kernel if model_type in MAMBA1 else kernel - 1
        total += tensor.numel() // kernel * rows * tensor.element_size()
    return total


def recurrent_state(layer: Layer, state_type: str | None) -> int:
    """Bytes of a recurrent state at its declared type, 32 bits if none is; transformers may use the model's."""
    width = 2 if state_type in ("bfloat16", "float16") else 4
    return sum(tensor.numel() for tensor in layer.tensors.get("recurrent", [])) * width


def compressor_gates(layer: Layer) -> int:
    """Gates of DeepSeek-V4's compressors at 16 bits; transformers keeps the sum with a bias of 32 bits."""
    return sum(tensor.numel() for tensor in layer.tensors.get("gates", [])) * 2


def waiting_tokens(layer: Layer) -> int:
    """Tokens that wait for their compressed entry to be full: fewer than a stride, not counted by us."""
    return layer.bytes("waiting")


@dataclass
class Comparison:
    """One measurement beside its prediction, in bytes."""

    tokens: int
    #: What transformers' tensors hold, all of them, as they are.
    measured: int
    #: What :meth:`Shape.bytes_per_sequence` says.
    predicted: int
    #: By name: what has to be added to the measurement, for a difference of convention.
    allowed: dict[str, int]
    #: (kind, bytes) of each layer that keeps any, sorted.
    measured_layers: list[tuple[str, int]]
    predicted_layers: list[tuple[str, int]]
    measured_state: int
    predicted_state: int

    @property
    def equal(self) -> bool:
        return (
            self.measured_layers == self.predicted_layers
            and self.measured_state == self.predicted_state
            and self.measured + sum(self.allowed.values()) == self.predicted
        )


def layer_bytes(layers: list[Layer]) -> list[tuple[str, int]]:
    """(kind, bytes) of what grows in each layer, sorted; layers that keep nothing are left out."""
    found = []
    for layer in layers:
        for kind in ("kv", "compressed", "indexer", "cross"):
            if layer.bytes(kind) > 0:
                found.append(("indexer" if kind == "indexer" else "kv", layer.bytes(kind)))
    return sorted(found)


def group_bytes(group: LayerGroup, tokens: int) -> int:
    """Bytes of one layer of ``group`` at 16 bits a value."""
    kind = cache_type("bf16")
    return entry_bytes(group, group.num_kv_heads, kind, kind) * entries_held(group, tokens)


def expected_bytes(shape: Shape, tokens: int, part: dict[str, Any]) -> list[tuple[str, int]]:
    """What :func:`layer_bytes` should be, in transformers' conventions."""
    expected = []
    for group in as_transformers(shape, part):
        held = group_bytes(group, tokens)
        if held > 0:
            expected.extend([(KINDS[group.kind], held)] * group.layers)
    return sorted(expected)


def attention_allowances(shape: Shape, tokens: int, part: dict[str, Any]) -> dict[str, int]:
    """Bytes to add to the measurement of what grows, by the convention that they stand for."""
    found = {"a window's last token": 0, "indexer keys in FP8": 0, "heads repeated": 0}
    for group in shape.groups:
        held = [group_bytes(group, tokens)]
        held.append(group_bytes(kept_window(group), tokens))
        held.append(group_bytes(indexer_at_16_bits(kept_window(group)), tokens))
        held.append(group_bytes(repeated_heads(indexer_at_16_bits(kept_window(group)), shape, part), tokens))
        for index, name in enumerate(found):
            found[name] += group.layers * (held[index] - held[index + 1])
    return found


def state_allowances(layers: list[Layer], model_type: str, state_type: str | None) -> dict[str, int]:
    """Bytes to add to the measurement of states, by the convention that they stand for."""
    found = {"a convolution's oldest row": 0, "state in its declared type": 0}
    found |= {"gates in 16 bits": 0, "tokens waiting for an entry": 0}
    for layer in layers:
        rows = layer.bytes("convolution") + layer.bytes("rows") + layer.bytes("shift")
        found["a convolution's oldest row"] += convolution_rows(layer, model_type) - rows
        found["state in its declared type"] += recurrent_state(layer, state_type) - layer.bytes("recurrent")
        found["gates in 16 bits"] += compressor_gates(layer) - layer.bytes("gates")
        found["tokens waiting for an entry"] -= waiting_tokens(layer)
    return found


def state_in_our_count(layers: list[Layer], model_type: str, state_type: str | None) -> int:
    """Bytes of all states, converted by the functions above."""
    total = 0
    for layer in layers:
        total += convolution_rows(layer, model_type) + recurrent_state(layer, state_type)
        total += layer.bytes("overlap") + compressor_gates(layer)
    return total


def language_part(file: dict[str, Any]) -> dict[str, Any]:
    """The part of a config that describes the language model."""
    return file.get("text_config") or file


def compare(shape: Shape, file: dict[str, Any], tokens: int, layers: list[Layer]) -> Comparison:
    """``layers`` as measured at ``tokens`` tokens, beside the prediction of ``shape``."""
    part = language_part(file)
    model_type = part["model_type"]
    state_type = part.get("mamba_ssm_cache_dtype") or part.get("mamba_ssm_dtype")
    allowed = attention_allowances(shape, tokens, part) | state_allowances(layers, model_type, state_type)
    return Comparison(
        tokens=tokens,
        measured=sum(layer.bytes(kind) for layer in layers for kind in layer.tensors),
        predicted=shape.bytes_per_sequence(tokens),
        allowed={name: difference for name, difference in allowed.items() if difference},
        measured_layers=layer_bytes(layers),
        predicted_layers=expected_bytes(shape, tokens, part),
        measured_state=state_in_our_count(layers, model_type, state_type),
        predicted_state=shape.state_bytes,
    )
