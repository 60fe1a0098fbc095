"""Bytes a recurrent, convolution or linear-attention layer holds for one sequence, whatever its length.

Shapes are those of vLLM's state calculators
(https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/layers/mamba/mamba_utils.py): a recurrent
state in its declared type, 4 bytes a value where none is declared, and kernel - 1 rows of a convolution's input
at 2 bytes. Mamba-1 layers keep kernel rows, as their reference implementation does.
"""

from __future__ import annotations

from .values import checked_whole, fail, is_text, need_whole, part_of, plain_text, present, read_whole, show

#: Widest dimension of a layer that is still believed.
WIDTH_LIMIT = 1048576
CONVOLUTION_BYTES = 2
STATE_TYPES = {"float32": 4, "bfloat16": 2, "float16": 2, "auto": 4}
STATE_TYPE_FIELDS = ["mamba_ssm_dtype", "mamba_ssm_cache_dtype"]

STATE_SIZE = ["mamba_d_state", "ssm_state_size", "state_size"]
STATE_KERNEL = ["mamba_d_conv", "conv_kernel"]
STATE_EXPAND = ["mamba_expand", "expand"]
STATE_HEADS = ["mamba_n_heads", "mamba_num_heads", "n_mamba_heads"]
STATE_HEAD_DIM = ["mamba_d_head", "mamba_head_dim", "mamba_headdim"]
STATE_GROUPS = ["mamba_n_groups", "mamba_ngroups", "n_groups"]


def state_width(reading, part, names, factor, fallback):
    """A width of a state, in values."""
    return read_whole(reading, part, names, factor, 1, WIDTH_LIMIT, fallback)


def state_value_bytes(reading, part):
    """Bytes of one value of the recurrent state."""
    for name in present(part, STATE_TYPE_FIELDS):
        value = part["values"].get(name)
        if not is_text(value) or value not in STATE_TYPES:
            fail(
                reading,
                f"{part['path']}{name} is not a type this reader knows; use float32, bfloat16 or float16.",
            )
            return 4
        show(reading, "state type", plain_text(value), part["path"] + name)
        return STATE_TYPES[value]
    return 4


def inner_width(reading, part, hidden):
    """Width of a Mamba layer: expand x hidden_size."""
    return state_width(reading, part, STATE_EXPAND, "state expansion", 2) * hidden


def mamba1_bytes(reading, part, hidden):
    """Width x state values, and the convolution's last rows."""
    inner = inner_width(reading, part, hidden)
    size = state_width(reading, part, STATE_SIZE, "state size", 16)
    kernel = state_width(reading, part, STATE_KERNEL, "convolution rows", 4)
    return inner * size * state_value_bytes(reading, part) + inner * kernel * CONVOLUTION_BYTES


def mamba2_head_dim(reading, part, heads, inner):
    """Width of a Mamba-2 head: declared, or its share of the layer's width."""
    for name in present(part, STATE_HEAD_DIM):
        if part["values"].get(name) != "auto":
            return state_width(reading, part, [name], "state head width", 1)
    if inner % heads != 0:
        fail(
            reading,
            f"{part['path']}{STATE_HEADS[0]} is {heads}, which does not divide the layer's width of {inner}; "
            "correct it.",
        )
        return 1
    return inner // heads


def mamba2_bytes(reading, part, hidden, pure):
    """Heads x head width x state values, and the convolution's last rows over width + 2 x groups x state."""
    names = ["num_heads"] if pure else STATE_HEADS
    inner = inner_width(reading, part, hidden)
    inner = state_width(reading, part, ["mamba_d_ssm"], "state width", inner)
    heads = need_whole(reading, part, names, "state heads", 1, WIDTH_LIMIT)
    if pure:
        head_dim = need_whole(reading, part, ["head_dim"], "state head width", 1, WIDTH_LIMIT)
    else:
        head_dim = mamba2_head_dim(reading, part, heads, inner)
    size = need_whole(reading, part, STATE_SIZE, "state size", 1, WIDTH_LIMIT)
    groups = need_whole(reading, part, STATE_GROUPS, "state groups", 1, WIDTH_LIMIT)
    kernel = state_width(reading, part, STATE_KERNEL, "convolution rows", 4)
    width = heads * head_dim
    rows = (width + 2 * groups * size) * (kernel - 1)
    return width * size * state_value_bytes(reading, part) + rows * CONVOLUTION_BYTES


def delta_bytes(reading, part):
    """Gated delta net: value heads x key width x value width, and rows over both keys and values."""
    key_heads = need_whole(reading, part, ["linear_num_key_heads"], "state key heads", 1, WIDTH_LIMIT)
    value_heads = need_whole(reading, part, ["linear_num_value_heads"], "state value heads", 1, WIDTH_LIMIT)
    key_width = need_whole(reading, part, ["linear_key_head_dim"], "state key width", 1, WIDTH_LIMIT)
    value_width = need_whole(reading, part, ["linear_value_head_dim"], "state value width", 1, WIDTH_LIMIT)
    kernel = state_width(reading, part, ["linear_conv_kernel_dim"], "convolution rows", 4)
    rows = (2 * key_heads * key_width + value_heads * value_width) * (kernel - 1)
    state = value_heads * key_width * value_width
    return state * state_value_bytes(reading, part) + rows * CONVOLUTION_BYTES


def kda_bytes(reading, part):
    """Kimi delta attention: heads x width x width, and rows over queries, keys and values."""
    holder = part_of(part, "linear_attn_config")
    named = len(present(holder, ["num_heads"])) > 0
    if not named:
        holder = part
    prefix = "" if named else "linear_"
    heads = need_whole(reading, holder, [prefix + "num_heads"], "state heads", 1, WIDTH_LIMIT)
    width = need_whole(reading, holder, [prefix + "head_dim"], "state head width", 1, WIDTH_LIMIT)
    kernel_name = "short_conv_kernel_size" if named else "linear_conv_kernel_dim"
    kernel = state_width(reading, holder, [kernel_name], "convolution rows", 4)
    rows = 3 * heads * width * (kernel - 1)
    return heads * width * width * 4 + rows * CONVOLUTION_BYTES


def convolution_bytes(reading, part, hidden):
    """A short convolution over the hidden state."""
    return (
        hidden
        * (need_whole(reading, part, ["conv_L_cache"], "convolution rows", 1, WIDTH_LIMIT) - 1)
        * CONVOLUTION_BYTES
    )


def lru_bytes(reading, part, hidden):
    """A linear recurrent unit: one value a channel at 4 bytes, and the convolution's last rows."""
    width = state_width(reading, part, ["lru_width"], "state width", hidden)
    kernel = state_width(reading, part, ["conv1d_width"], "convolution rows", 4)
    return width * 4 + width * (kernel - 1) * CONVOLUTION_BYTES


def rwkv_bytes(reading, part, hidden):
    """RWKV-4: two token shifts at 2 bytes and three accumulators at 4."""
    width = state_width(reading, part, ["attention_hidden_size"], "state width", hidden)
    return 2 * hidden * CONVOLUTION_BYTES + 3 * width * 4


def state_bytes(reading, part, formula, hidden, heads, head_dim, pure):
    """Bytes one layer with a state holds, by the family's ``formula``."""
    if formula == "mamba1":
        return mamba1_bytes(reading, part, hidden)
    if formula == "mamba2":
        return mamba2_bytes(reading, part, hidden, pure)
    if formula == "delta":
        return delta_bytes(reading, part)
    if formula == "kda":
        return kda_bytes(reading, part)
    if formula == "conv":
        return convolution_bytes(reading, part, hidden)
    if formula == "lru":
        return lru_bytes(reading, part, hidden)
    if formula == "rwkv":
        return rwkv_bytes(reading, part, hidden)
    # Lightning attention: heads x width x width at 4 bytes.
    return heads * head_dim * head_dim * 4


def image_tokens(reading, root):
    """Tokens of the images that mllama's cross-attention keeps: tiles x (patches + 1)."""
    vision = part_of(root, "vision_config")
    size = checked_whole(reading, vision, "image_size", 1, WIDTH_LIMIT)
    patch = checked_whole(reading, vision, "patch_size", 1, WIDTH_LIMIT)
    tiles = checked_whole(reading, vision, "max_num_tiles", 1, WIDTH_LIMIT)
    if size % patch != 0:
        fail(
            reading,
            f"{vision['path']}image_size is {size}, which patch_size {patch} does not divide; correct one of the two.",
        )
    side = size // patch
    tokens = tiles * (side * side + 1)
    show(reading, "image tokens", tokens, vision["path"] + "max_num_tiles")
    return tokens
