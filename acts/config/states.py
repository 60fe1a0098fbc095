"""Bytes a recurrent, convolution or linear-attention layer holds for one sequence, whatever its length.

Shapes are those of vLLM's state calculators
(https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/layers/mamba/mamba_utils.py): a
recurrent state in the type chosen or else declared, 4 bytes a value with a note where neither is, and kernel - 1 rows
of a convolution's input at 2 bytes. Mamba-1 layers keep kernel rows, as their reference implementation does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fields import NAMES
from .layers import TOKEN_LIMIT
from .values import (
    checked_whole,
    fail,
    is_number,
    is_text,
    need_whole,
    note,
    part_of,
    present,
    read_or_default,
    read_whole,
    show,
    value_of,
    value_text,
)

if TYPE_CHECKING:
    from ..contracts import Part

#: Widest dimension of a layer that is still believed, in values.
WIDTH_LIMIT = 1048576
#: Bytes of one value of a convolution's rows, and of a state whose type is not declared.
CONVOLUTION_BYTES = 2
STATE_BYTES = 4
STATE_TYPES = {"float32": 4, "bfloat16": 2, "float16": 2}
STATE_TYPE_FIELDS = ["mamba_ssm_dtype", "mamba_ssm_cache_dtype", "inference_state_dtype"]
#: xLSTM rounds the width of its keys and values up to a multiple of this many values.
XLSTM_MULTIPLE = 64

STATE_SIZE = ["mamba_d_state", "ssm_state_size", "state_size"]
STATE_KERNEL = ["mamba_d_conv", "conv_kernel", "conv_dimension"]
STATE_EXPAND = ["mamba_expand", "expand", "expansion_factor"]
STATE_HEADS = ["mamba_n_heads", "mamba_num_heads", "n_mamba_heads"]
STATE_HEAD_DIM = ["mamba_d_head", "mamba_head_dim", "mamba_headdim"]
STATE_GROUPS = ["mamba_n_groups", "mamba_ngroups", "n_groups"]


def need_width(part: Part, names: list[str], factor: str) -> int:
    """A width of a state that the file must give, in values."""
    return need_whole(part, names, factor, WIDTH_LIMIT)


def read_hidden(part: Part) -> int:
    """Width of the model, in values."""
    return need_width(part, NAMES["hidden"], "hidden_size")


def kernel_rows(part: Part, names: list[str]) -> int:
    """Rows of a convolution's kernel: 4 in every model known, unless the file says otherwise."""
    return read_or_default(part, names, "convolution rows", WIDTH_LIMIT, 4)


def state_value_bytes(part: Part) -> int:
    """Bytes of one value of the recurrent state."""
    if part["state_type"] != "":
        show(part, "state type", part["state_type"], "chosen here")
        return state_counted(part, part["state_type"])
    for name in present(part, STATE_TYPE_FIELDS):
        value = value_of(part, name)
        if is_text(value) and value == "auto":
            continue
        if not is_text(value) or value not in STATE_TYPES:
            fail(
                part,
                f"{part['path']}{name} is {value_text(value)}, a type this reader does not know; "
                "use float32, bfloat16 or float16.",
            )
            return STATE_BYTES
        show(part, "state type", value, name)
        return state_counted(part, value)
    note(
        part,
        f"The file does not say in which type its states are kept: {STATE_BYTES} bytes per value are counted. "
        "Choose another type for an engine that keeps them in the model's 16 bits.",
    )
    return state_counted(part, "float32")


def state_counted(part: Part, name: str) -> int:
    """Bytes of one value of the type ``name``, which the reading takes down as the one that counts."""
    part["reading"]["state_type"] = name
    return STATE_TYPES[name]


def inner_width(part: Part) -> int:
    """Width of a Mamba layer: expand x hidden_size."""
    return read_or_default(part, STATE_EXPAND, "state expansion", WIDTH_LIMIT, 2) * read_hidden(part)


def mamba1_bytes(part: Part) -> int:
    """A Mamba-1 layer in a hybrid model."""
    return mamba1_layer_bytes(part, inner_width(part))


def pure_mamba1_bytes(part: Part) -> int:
    """A layer of Mamba-1 itself: intermediate_size, if given, is its width, whatever expand says (Falcon Mamba)."""
    inner = read_whole(part, ["intermediate_size"], "state width", WIDTH_LIMIT, None)
    return mamba1_layer_bytes(part, inner_width(part) if inner is None else inner)


def mamba1_layer_bytes(part: Part, inner: int) -> int:
    """Width x state values, and the convolution's last rows."""
    size = read_or_default(part, STATE_SIZE, "state size", WIDTH_LIMIT, 16)
    rows = kernel_rows(part, STATE_KERNEL)
    return inner * size * state_value_bytes(part) + inner * rows * CONVOLUTION_BYTES


def mamba2_width(part: Part, heads: int) -> int:
    """Width of a Mamba-2 layer: heads x their declared width, else mamba_d_ssm or expand x hidden_size."""
    for name in present(part, STATE_HEAD_DIM):
        declared = value_of(part, name)
        if not (is_text(declared) and declared == "auto"):
            return heads * need_width(part, [name], "state head width")
    inner = read_or_default(part, ["mamba_d_ssm"], "state width", WIDTH_LIMIT, None)
    if inner is None:
        inner = inner_width(part)
    if inner % heads != 0:
        fail(
            part,
            f"{part['path']}{STATE_HEADS[0]} is {heads}, which does not divide the state's width of {inner}; "
            "correct it.",
        )
    return inner


def mamba2_layer_bytes(part: Part, width: int) -> int:
    """Width x state values, and the convolution's last rows over width + 2 x groups x state."""
    size = need_width(part, STATE_SIZE, "state size")
    groups = need_width(part, STATE_GROUPS, "state groups")
    rows = (width + 2 * groups * size) * (kernel_rows(part, STATE_KERNEL) - 1)
    return width * size * state_value_bytes(part) + rows * CONVOLUTION_BYTES


def mamba2_bytes(part: Part) -> int:
    """A Mamba-2 layer in a hybrid model; files of Zamba 2's first format give no heads, only the whole width."""
    if len(present(part, STATE_HEADS)) == 0 and value_of(part, "expansion_factor") is not None:
        return mamba2_layer_bytes(part, inner_width(part))
    return mamba2_layer_bytes(part, mamba2_width(part, need_width(part, STATE_HEADS, "state heads")))


def pure_mamba2_bytes(part: Part) -> int:
    """A layer of Mamba-2 itself, where the heads are the state's."""
    heads = need_width(part, ["num_heads"], "state heads")
    return mamba2_layer_bytes(part, heads * need_width(part, ["head_dim"], "state head width"))


def delta_bytes(part: Part) -> int:
    """Gated delta net: value heads x key width x value width, and rows over queries, keys and values."""
    key_heads = need_width(part, ["linear_num_key_heads"], "state key heads")
    value_heads = need_width(part, ["linear_num_value_heads"], "state value heads")
    key_width = need_width(part, ["linear_key_head_dim"], "state key width")
    value_width = need_width(part, ["linear_value_head_dim"], "state value width")
    rows = kernel_rows(part, ["linear_conv_kernel_dim"]) - 1
    state = value_heads * key_width * value_width * state_value_bytes(part)
    return state + rows * (2 * key_heads * key_width + value_heads * value_width) * CONVOLUTION_BYTES


def kda_bytes(part: Part) -> int:
    """Kimi delta attention: heads x width x width, and rows over queries, keys and values."""
    holder = part_of(part, "linear_attn_config")
    names = ["num_heads", "head_dim", "short_conv_kernel_size"]
    if value_of(holder, "num_heads") is None:
        holder = part
        names = ["linear_num_heads", "linear_head_dim", "linear_conv_kernel_dim"]
    heads = need_width(holder, [names[0]], "state heads")
    width = need_width(holder, [names[1]], "state head width")
    rows = kernel_rows(holder, [names[2]]) - 1
    return heads * width * width * state_value_bytes(part) + rows * 3 * heads * width * CONVOLUTION_BYTES


def convolution_bytes(part: Part) -> int:
    """A short convolution over the hidden state."""
    return (
        read_hidden(part) * (need_width(part, ["conv_L_cache"], "convolution rows") - 1) * CONVOLUTION_BYTES
    )


def lru_bytes(part: Part) -> int:
    """A linear recurrent unit: one value a channel, and the convolution's last rows."""
    width = read_whole(part, ["lru_width"], "state width", WIDTH_LIMIT, None)
    if width is None:
        width = read_hidden(part)
    rows = kernel_rows(part, ["conv1d_width"]) - 1
    return width * state_value_bytes(part) + width * rows * CONVOLUTION_BYTES


def rwkv_bytes(part: Part) -> int:
    """RWKV-4: the last inputs of two token shifts at 2 bytes, and three accumulators."""
    hidden = read_hidden(part)
    width = read_whole(part, ["attention_hidden_size"], "state width", WIDTH_LIMIT, hidden)
    return 2 * hidden * CONVOLUTION_BYTES + 3 * width * state_value_bytes(part)


def rwkv7_bytes(part: Part) -> int:
    """RWKV-7: heads x width x width, and the last inputs of two token shifts at 2 bytes."""
    hidden = read_hidden(part)
    width = need_width(part, ["head_dim"], "state head width")
    heads = read_whole(part, ["num_heads"], "state heads", WIDTH_LIMIT, None)
    values = hidden * width if heads is None else heads * width * width
    return values * state_value_bytes(part) + 2 * hidden * CONVOLUTION_BYTES


def scaled_width(part: Part, name: str, fallback: float) -> int:
    """``hidden_size`` times the factor at ``name``, rounded up as xLSTM does, in values."""
    factor = value_of(part, name)
    if factor is None:
        factor = fallback
    if not is_number(factor) or not 0 < factor <= WIDTH_LIMIT:
        fail(part, f"{part['path']}{name} must be a number above 0 but is {value_text(factor)}; correct it.")
        return XLSTM_MULTIPLE
    hidden = need_width(part, ["hidden_size", "embedding_dim"], "hidden_size")
    return int((hidden * factor + XLSTM_MULTIPLE - 1) // XLSTM_MULTIPLE) * XLSTM_MULTIPLE


def xlstm_bytes(part: Part) -> int:
    """An mLSTM cell: for each head a matrix of key x value width, a vector of key width and one number."""
    heads = need_width(part, ["num_heads"], "state heads")
    key = scaled_width(part, "qk_dim_factor", 0.5) // heads
    value = scaled_width(part, "v_dim_factor", 1) // heads
    return heads * (key * value + key + 1) * state_value_bytes(part)


def lightning_bytes(part: Part, heads: int, head_dim: int) -> int:
    """Lightning attention: heads x width x width."""
    return heads * head_dim * head_dim * state_value_bytes(part)


def image_tokens(root: Part) -> int:
    """Tokens of the images that mllama's cross-attention keeps: tiles x (patches + 1)."""
    vision = part_of(root, "vision_config")
    size = checked_whole(vision, "image_size", 1, WIDTH_LIMIT)
    patch = checked_whole(vision, "patch_size", 1, WIDTH_LIMIT)
    tiles = checked_whole(vision, "max_num_tiles", 1, WIDTH_LIMIT)
    if size % patch != 0:
        fail(
            vision,
            f"{vision['path']}image_size is {size}, which patch_size {patch} does not divide; "
            "correct one of the two.",
        )
    side = size // patch
    tokens = tiles * (side * side + 1)
    if tokens > TOKEN_LIMIT:
        fail(vision, f"{vision['path']}max_num_tiles gives {tokens} image tokens, too many; correct it.")
        return 1
    return tokens


STATE_FORMULAS = {
    "mamba1": mamba1_bytes,
    "pure_mamba1": pure_mamba1_bytes,
    "mamba2": mamba2_bytes,
    "pure_mamba2": pure_mamba2_bytes,
    "delta": delta_bytes,
    "kda": kda_bytes,
    "conv": convolution_bytes,
    "lru": lru_bytes,
    "rwkv": rwkv_bytes,
    "rwkv7": rwkv7_bytes,
    "xlstm": xlstm_bytes,
}


def layer_state_bytes(part: Part, formula: str, heads: int, head_dim: int) -> int:
    """Bytes one layer holds by ``formula``; lightning attention has the width of the attention layers."""
    if formula == "lightning":
        return lightning_bytes(part, heads, head_dim)
    compute = STATE_FORMULAS[formula]
    return compute(part)
