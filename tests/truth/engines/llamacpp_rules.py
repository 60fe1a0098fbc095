"""What llama.cpp does beyond :mod:`acts.engines.llamacpp`, where only the truth set prints it: state copies, V
padding, latents stored twice.

Sources: https://github.com/ggml-org/llama.cpp, src/llama-kv-cache.cpp, src/llama-memory-recurrent.cpp. Read
2026-11-29.
"""

from __future__ import annotations


def llamacpp_padded_v(width: int, widest: int, flash_attention: bool) -> int:
    """Values a V row holds: without flash attention V is kept transposed, each layer as wide as the widest
    one.

    The log warns: "the V embeddings have different sizes across layers and FA is not enabled - padding V
    cache".
    """
    if flash_attention:
        return width
    return max(width, widest)


def llamacpp_state_bytes(layers: int, values: int, sequences: int, rollbacks: int) -> int:
    """Bytes of recurrent state at FP32: ``values`` a layer, for every sequence and every copy kept to roll
    back to.
    """
    return layers * values * 4 * sequences * (1 + rollbacks)


def llamacpp_conv_values(kernel: int, channels: int) -> int:
    """Values of one layer's convolution state (R): kernel - 1 columns of its input channels."""
    return (kernel - 1) * channels


def llamacpp_split_bytes(layers: list[int], layer_bytes: int) -> list[int]:
    """Bytes of the KV buffer on each device: whole layers go to devices, so parts need not be equal."""
    parts: list[int] = []
    for count in layers:
        parts.append(count * layer_bytes)
    return parts


def llamacpp_latent_v(rank: int, stored: bool) -> int:
    """Values of an MLA layer's V row: builds before 2026 store the latent's first ``rank`` values again as V.

    Source: https://github.com/ggml-org/llama.cpp/pull/12801; since, V is a view of K and takes nothing.
    """
    return rank if stored else 0
