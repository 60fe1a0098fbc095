"""The metadata of a GGUF file -> what decides the size of the model's cache, or a sentence that says why not.

:func:`read_gguf` takes the file's table of keys and values as plain data; :mod:`acts.gguf_header` reads it
from a file, static/gguf.js in the browser, :mod:`acts.config.gguf_log` from what llama.cpp prints. Layouts are
those that llama.cpp itself gives an architecture when it loads the file
(https://github.com/ggml-org/llama.cpp, src/models/*.cpp and src/llama-hparams.cpp), since that is what runs it:
many files do not say which of their layers keep a window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .families import row_of
from .groups import add_layer, attention_group, new_group
from .heads import HEAD_LIMIT, largest, per_layer
from .layers import LAYER_LIMIT, TOKEN_LIMIT, count_text
from .reader import check_sizes
from .states import WIDTH_LIMIT
from .values import (
    VALUE_LIMIT,
    checked_whole,
    fail,
    failed,
    is_active,
    is_flag,
    is_list,
    is_object,
    is_text,
    is_whole,
    need_whole,
    new_part,
    note,
    plain_copy,
    plain_text,
    read_whole,
    show,
    value_of,
    value_text,
)
from .weights import add_counts, counted

if TYPE_CHECKING:
    from ..contracts import Notebook, OwnLayout, Part, PlainGroup, PlainShape, Reading, Rule, Weights

# fmt: off
#: How llama.cpp lays out an architecture, where not every layer keeps a key and a value a KV head. Fields, all
#: optional:
#: period, first, window  every n-th layer is full, the others keep a window; the first layer of a period is the full
#:                        one; tokens of the window where the file does not say
#: pattern                the file itself must say which layers keep a window
#: unused                 the window that files declare is not used
#: own_layers             layers that keep keys and values of their own where the file does not say; later ones share
#: state                  formula of a state: ssm, conv, wkv; its layers are those without KV heads, every one but each
#:                        ``interval``-th, or all, beside attention (both) or instead of it (headless)
#: latent                 MLA
#: refuse                 why it cannot be sized
GGUF_FAMILIES: list = [
    ["llama deci falcon baichuan grok gpt2 gptj gptneox mpt starcoder refact bloom stablelm qwen qwen2 qwen2moe "
     "qwen2vl qwen3 qwen3moe qwen3vl qwen3vlmoe phi2 phimoe plamo codeshell orion internlm2 minicpm minicpm3 gemma "
     "starcoder2 xverse command-r dbrx olmo olmoe openelm arctic deepseek chatglm glm4 glm4moe bitnet jais jais2 "
     "nemotron exaone granite granitemoe chameleon bailingmoe bailingmoe2 dots1 arcee ernie4_5 ernie4_5-moe "
     "hunyuan-moe hunyuan-dense hunyuan_vl smollm3 seed_oss grovemoe apertus minimax-m2 cogvlm pangu-embedded mistral3 "
     "paddleocr maincoder plm", {}],
    ["phi3", {"unused": True}],
    ["gemma2", {"period": 2, "window": 4096}],
    ["gpt-oss", {"period": 2}],
    ["cohere2 olmo2 exaone4 exaone-moe afmoe", {"period": 4}],
    ["smallthinker", {"period": 4, "first": True}],
    ["llama4", {"period": 4, "window": 8192}],
    ["gemma3", {"period": 6}],
    ["gemma3n", {"period": 5, "own_layers": 20}],
    ["gemma4 mimo2 step35", {"pattern": True}],
    ["deepseek2 mistral4", {"latent": True}],
    ["mamba mamba2", {"state": "ssm", "headless": True}],
    ["rwkv6 rwkv6qwen2 rwkv7 arwkv7", {"state": "wkv", "headless": True}],
    ["falcon-h1", {"state": "ssm", "both": True}],
    ["jamba granitehybrid nemotron_h nemotron_h_moe", {"state": "ssm"}],
    ["qwen3next qwen35 qwen35moe", {"state": "ssm", "interval": 4}],
    ["lfm2 lfm2moe", {"state": "conv"}],
    ["clip", {"refuse": "it is the part that reads images or sound; choose the language model's file"}],
    ["bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert gemma-embedding "
     "llama-embed t5encoder", {"refuse": "it is an encoder, which reads a text at once and keeps no KV cache"}],
    ["dream llada llada-moe rnd1", {"refuse": "it fills in a whole text at once and keeps no KV cache"}],
]

#: Block of values and bytes a block of each tensor type, by its number in a file (ggml.h of the same repository).
GGUF_TENSOR_TYPES: list = [
    [0, 1, 4], [1, 1, 2], [2, 32, 18], [3, 32, 20], [6, 32, 22], [7, 32, 24], [8, 32, 34], [9, 32, 40], [10, 256, 84],
    [11, 256, 110], [12, 256, 144], [13, 256, 176], [14, 256, 210], [15, 256, 292], [16, 256, 66], [17, 256, 74],
    [18, 256, 98], [19, 256, 50], [20, 32, 18], [21, 256, 110], [22, 256, 82], [23, 256, 136], [24, 1, 1], [25, 1, 2],
    [26, 1, 4], [27, 1, 8], [28, 1, 8], [29, 256, 56], [30, 1, 2], [34, 256, 54], [35, 256, 66], [39, 32, 17],
    [40, 64, 36], [41, 128, 18],
]

#: What most of a file's weights are stored as, by general.file_type (llama.h of the same repository).
GGUF_FILE_TYPES: list = [
    [0, "f32"], [1, "f16"], [2, "q4_0"], [3, "q4_1"], [7, "q8_0"], [8, "q5_0"], [9, "q5_1"], [10, "q2_k"],
    [11, "q3_k_s"], [12, "q3_k_m"], [13, "q3_k_l"], [14, "q4_k_s"], [15, "q4_k_m"], [16, "q5_k_s"], [17, "q5_k_m"],
    [18, "q6_k"], [19, "iq2_xxs"], [20, "iq2_xs"], [21, "q2_k_s"], [22, "iq3_xs"], [23, "iq3_xxs"], [24, "iq1_s"],
    [25, "iq4_nl"], [26, "iq3_s"], [27, "iq3_m"], [28, "iq2_s"], [29, "iq2_m"], [30, "iq4_xs"], [31, "iq1_m"],
    [32, "bf16"], [36, "tq1_0"], [37, "tq2_0"], [38, "mxfp4"], [39, "nvfp4"],
]
# fmt: on

#: llama.cpp keeps convolution rows and recurrent states in 32 bits.
GGUF_STATE_BYTES = 4
#: The note where neither tensors nor a log give the number of parameters.
GGUF_UNCOUNTED = "The number of parameters cannot be told from this; enter it."
#: Shifts of tokens a layer of RWKV keeps where the file does not say.
GGUF_TOKEN_SHIFTS = 2


def gguf_part(table: dict[str, Any], architecture: str) -> Part:
    """The keys of ``table`` that belong to its architecture, without that name before them."""
    part = new_part({})
    start = architecture + "."
    part["path"] = plain_text(start)
    for key, value in table.items():
        if key.startswith(start):
            part["values"][key[len(start) :]] = value
    return part


def gguf_numbers(part: Part, name: str, layers: int, fallback: int | None) -> list[int]:
    """A number for each layer: the file's list, its one number for all, or ``fallback``; 0 is allowed."""
    value = value_of(part, name)
    if is_list(value) and len(value) > layers:
        part["values"][name] = value[:layers]
        value = part["values"][name]
    if is_list(value):
        listed = per_layer(part, name, layers, 0)
        show(part, gguf_factor(name), largest(listed), name)
        return listed
    if value is None and fallback is not None:
        return [fallback for index in range(layers)]
    number = checked_whole(part, name, 0, HEAD_LIMIT)
    show(part, gguf_factor(name), number, name)
    return [number for index in range(layers)]


def gguf_factor(name: str) -> str:
    """The reader's name for what a key gives."""
    return "num_attention_heads" if name == "attention.head_count" else "num_kv_heads"


def gguf_layers(part: Part) -> int:
    """Number of layers, those that predict further tokens left out, as llama.cpp does."""
    blocks = need_whole(part, ["block_count"], "num_hidden_layers", LAYER_LIMIT)
    extra = value_of(part, "nextn_predict_layers")
    if is_whole(extra) and 0 < extra < blocks:
        note(
            part,
            f"{extra} extra prediction layers are not counted; an engine caches them only when it uses them.",
        )
        return blocks - extra
    return blocks


def gguf_windows(part: Part, rule: Rule, layers: int, window: int) -> list[bool]:
    """Whether each layer keeps ``window`` tokens alone."""
    pattern = value_of(part, "attention.sliding_window_pattern")
    if window == 0:
        return [False for index in range(layers)]
    if is_list(pattern):
        if len(pattern) < layers or len([entry for entry in pattern if not is_flag(entry)]) > 0:
            fail(
                part,
                f"{part['path']}attention.sliding_window_pattern must say yes or no for each of {layers} layers; "
                "choose another file.",
            )
            return [False for index in range(layers)]
        return pattern[:layers]
    period = read_whole(
        part, ["attention.sliding_window_pattern"], "layers a period", LAYER_LIMIT, rule.get("period")
    )
    if period is None:
        fail(
            part,
            f"{part['path']}attention.sliding_window_pattern is missing, so it cannot be told which layers keep the "
            f"window of {window} tokens; choose another file.",
        )
        return [False for index in range(layers)]
    full_at = 0 if rule.get("first") is not None else period - 1
    return [index % period != full_at for index in range(layers)]


def gguf_window(part: Part, rule: Rule) -> int:
    """Tokens of the window, 0 for none; one that llama.cpp does not use is noted."""
    name = "attention.sliding_window"
    declared = value_of(part, name)
    used = rule.get("period") is not None or rule.get("pattern") is not None
    if not used:
        if is_active(declared):
            note(
                part,
                f"{part['path']}{name} is {value_text(declared)}; llama.cpp does not use it and keeps every token.",
            )
        return 0
    if declared is None:
        window = rule.get("window")
        if window is None:
            return 0
        note(part, f"{part['path']}{name} is not in the file; llama.cpp's {window} tokens are used.")
        return window
    if is_whole(declared) and declared == 0:
        return 0
    return read_whole(part, [name], "window", TOKEN_LIMIT, 0)


def gguf_width(part: Part, names: list[str], heads: int) -> int:
    """Width of a key or value: the first of ``names`` the file has, else hidden size / heads."""
    for name in names:
        if value_of(part, name) is not None:
            return read_whole(part, [name], "head_dim" if "key" in name else "value width", WIDTH_LIMIT, 1)
    hidden = need_whole(part, ["embedding_length"], "hidden_size", WIDTH_LIMIT)
    if heads == 0 or hidden % heads != 0:
        fail(
            part,
            f"{part['path']}embedding_length is {hidden}, which {heads} heads do not divide, and {names[0]} is "
            "missing; choose another file.",
        )
        return 1
    return hidden // heads


def gguf_kinds(part: Part, rule: Rule, kv: list[int], windows: list[bool]) -> list[str]:
    """The kind of each layer: full, window, state, hybrid or none."""
    layers = len(kv)
    kinds = ["window" if windows[index] else "full" for index in range(layers)]
    interval = 0
    if rule.get("interval") is not None:
        interval = read_whole(
            part, ["full_attention_interval"], "layers a period", LAYER_LIMIT, rule["interval"]
        )
    inner = value_of(part, "feed_forward_length")
    for index in range(layers):
        if rule.get("headless") is not None:
            kinds[index] = "state"
        elif rule.get("both") is not None:
            kinds[index] = "hybrid"
        elif interval > 0:
            kinds[index] = "full" if (index + 1) % interval == 0 else "state"
        elif kv[index] == 0:
            with_inner = is_list(inner) and index < len(inner) and is_active(inner[index])
            plain_state = rule.get("state") is not None and not (with_inner and rule["state"] == "ssm")
            kinds[index] = "state" if plain_state else "none"
    return kinds


def gguf_state_bytes(part: Part, formula: str) -> int:
    """Bytes of state of one layer."""
    if formula == "wkv":
        hidden = need_whole(part, ["embedding_length"], "hidden_size", WIDTH_LIMIT)
        size = need_whole(part, ["wkv.head_size"], "state head width", WIDTH_LIMIT)
        shifts = read_whole(part, ["token_shift_count"], "token shifts", WIDTH_LIMIT, GGUF_TOKEN_SHIFTS)
        return (hidden * size + shifts * hidden) * GGUF_STATE_BYTES
    if formula == "conv":
        hidden = need_whole(part, ["embedding_length"], "hidden_size", WIDTH_LIMIT)
        rows = need_whole(part, ["shortconv.l_cache"], "convolution rows", WIDTH_LIMIT)
        return hidden * (rows - 1) * GGUF_STATE_BYTES
    inner = need_whole(part, ["ssm.inner_size"], "state width", WIDTH_LIMIT)
    size = need_whole(part, ["ssm.state_size"], "state size", WIDTH_LIMIT)
    kernel = need_whole(part, ["ssm.conv_kernel"], "convolution rows", WIDTH_LIMIT)
    groups = 0
    if value_of(part, "ssm.group_count") is not None:
        groups = checked_whole(part, "ssm.group_count", 0, HEAD_LIMIT)
    return ((kernel - 1) * (inner + 2 * groups * size) + inner * size) * GGUF_STATE_BYTES


def gguf_state(part: Part, rule: Rule, kinds: list[str]) -> int:
    """Bytes of state of all layers."""
    layers = len([kind for kind in kinds if kind in ["state", "hybrid"]])
    if layers == 0:
        return 0
    note(part, "States are counted in 32 bits, as llama.cpp keeps them.")
    return layers * gguf_state_bytes(part, rule["state"])


def gguf_shared(part: Part, rule: Rule, kinds: list[str]) -> list[str]:
    """``kinds`` with "none" for the last layers, where they reuse an earlier layer's keys and values."""
    layers = len(kinds)
    shared = 0
    if value_of(part, "attention.shared_kv_layers") is not None:
        shared = checked_whole(part, "attention.shared_kv_layers", 0, layers)
        show(part, "layers that share", shared, "attention.shared_kv_layers")
    elif rule.get("own_layers") is not None and layers > rule["own_layers"]:
        shared = layers - rule["own_layers"]
        note(part, f"The last {shared} layers reuse an earlier layer's keys and values, as llama.cpp has it.")
    return [kinds[index] if index < layers - shared else "none" for index in range(layers)]


def gguf_groups(
    part: Part, rule: Rule, kinds: list[str], heads: list[int], kv: list[int], window: int
) -> list[PlainGroup]:
    """Groups of layers that keep the same cache."""
    groups: list[PlainGroup] = []
    if len([kind for kind in kinds if kind in ["full", "window", "hybrid"]]) == 0:
        return groups
    if rule.get("latent") is not None and value_of(part, "attention.key_length_mla") is not None:
        return gguf_latent(part, len(kinds))
    if rule.get("latent") is not None:
        note(
            part,
            "This file was converted before llama.cpp kept a latent: every head's key and value is cached. A newer "
            "file of the same model needs far less.",
        )
    own: OwnLayout = {"kv": 0, "kv_times": 1, "key": 0, "value": 0}
    widths = {}
    for index in range(len(kinds)):
        kind = kinds[index]
        if kind not in ["full", "window", "hybrid"] or kv[index] == 0:
            continue
        if kind not in widths:
            short = ["attention.key_length_swa"] if kind == "window" else []
            wide = ["attention.value_length_swa"] if kind == "window" else []
            short.append("attention.key_length")
            wide.append("attention.value_length")
            widths[kind] = [gguf_width(part, short, heads[index]), gguf_width(part, wide, heads[index])]
        group = attention_group(widths[kind][0], kv[index], own, "attention")
        group["value_width"] = widths[kind][1]
        group["window"] = window if kind == "window" else None
        add_layer(groups, group)
    return groups


def gguf_latent(part: Part, layers: int) -> list[PlainGroup]:
    """The one group of an MLA model: a latent a layer, which serves as key and value."""
    width = read_whole(part, ["attention.key_length"], "latent width", WIDTH_LIMIT, None)
    if width is None:
        rank = need_whole(part, ["attention.kv_lora_rank"], "latent width", WIDTH_LIMIT)
        width = rank + need_whole(part, ["rope.dimension_count"], "rotary key width", WIDTH_LIMIT)
    group = new_group(1, width, 0, "latent")
    group["layers"] = layers
    group["full_key_width"] = checked_whole(part, "attention.key_length_mla", 1, WIDTH_LIMIT)
    group["full_value_width"] = checked_whole(part, "attention.value_length_mla", 1, WIDTH_LIMIT)
    group["latent_value_width"] = read_whole(
        part, ["attention.kv_lora_rank"], "latent values", WIDTH_LIMIT, 0
    )
    return [group]


def gguf_tensor_bytes(elements: int, number: Any) -> int:
    """Bytes of a tensor of ``elements`` values of the type with this number; -1 if the type is not known."""
    for row in GGUF_TENSOR_TYPES:
        if row[0] == number:
            return (elements + row[1] - 1) // row[1] * row[2]
    return -1


def gguf_weights(part: Part, tensors: list[list[Any]]) -> Weights:
    """The count of the tensors' weights, the fields of :class:`acts.sizing.Shape`, and "bytes", 0 if unknown.

    ``tensors`` are rows: name, number of values, number of the type.
    """
    experts = value_of(part, "expert_count")
    chosen = value_of(part, "expert_used_count")
    mixture = is_whole(experts) and is_whole(chosen) and 0 < chosen < experts
    total = 0
    of_experts = 0
    looked_up = 0
    outputs = 0
    held = 0
    told = True
    for row in tensors:
        total = total + row[1]
        if row[0].find("_exps") >= 0:
            of_experts = of_experts + row[1]
        if row[0] == "token_embd.weight":
            looked_up = looked_up + row[1]
        if row[0] == "output.weight":
            outputs = outputs + row[1]
        size = gguf_tensor_bytes(row[1], row[2])
        if size < 0:
            note(
                part,
                f"The tensor type with number {row[2]} is not known, so the weights' bytes cannot be told.",
            )
            told = False
        held = held + max(size, 0)
    counts = gguf_counts(total, looked_up if outputs > 0 else 0)
    counts["bytes"] = held if told else 0
    if mixture and of_experts > 0:
        counts["active_parameters"] = total - int(of_experts * (1 - chosen / experts))
        counts["experts"] = experts
        counts["experts_per_token"] = chosen
        counts["expert_parameters"] = of_experts
    return counts


def gguf_counts(total: int, unread: int) -> Weights:
    """The count of a dense model's weights, of which no decode step reads ``unread``."""
    counts = counted(total, total, unread)
    counts["bytes"] = 0
    return counts


def gguf_file_type(table: dict[str, Any]) -> str | None:
    """What most weights are stored as, such as q4_k_m; None if the file does not say."""
    number: Any = table.get("general.file_type")
    for row in GGUF_FILE_TYPES:
        if is_whole(number) and row[0] == number:
            return row[1]
    return None


def gguf_name(table: dict[str, Any]) -> str:
    """The model's name as the file has it, as plain text; empty if it has none."""
    for key in ["general.name", "general.basename"]:
        value: Any = table.get(key)
        if is_text(value) and value != "":
            return plain_text(value)
    return ""


def gguf_split(part: Part, table: dict[str, Any], weights: Weights) -> Weights:
    """``weights``, or zeros with a note where the file is one of several parts."""
    parts = table.get("split.count")
    if not is_whole(parts) or parts < 2:
        return weights
    note(
        part,
        f"This file is one of {parts} parts, so it does not tell the model's parameters and weights; enter them.",
    )
    return gguf_counts(0, 0)


def read_gguf(table: dict[str, Any], tensors: list[list[Any]]) -> Reading:
    """What of a GGUF file's metadata decides the size of its model's cache.

    ``table`` is the file's keys and values; ``tensors`` rows of a name, a number of values and the number of a
    type, none if they are not known. Returns {"error": one sentence} or a reading with the keys of
    :func:`acts.config.reader.read_shape`, of which ``weights`` and ``weights_bytes`` are what the file holds.
    """
    budget = [VALUE_LIMIT]
    plain = plain_copy(table, 0, budget)
    if not is_object(plain) or budget[0] < 0:
        return {"error": "The metadata of this GGUF file is too large or broken; choose another file."}
    architecture: Any = plain.get("general.architecture")
    if not is_text(architecture) or architecture == "":
        return {
            "error": "general.architecture is missing, so this is no model's GGUF file; choose another file."
        }
    part = gguf_part(plain, architecture)
    rule = row_of(GGUF_FAMILIES, architecture)
    subject = f'The GGUF architecture "{plain_text(architecture)}"'
    if rule is None:
        return {
            "error": f"{subject} is not known here, so its cache layout is unclear; give the model's config.json."
        }
    if rule.get("refuse") is not None:
        return {"error": f"{subject} cannot be sized: {rule['refuse']}."}
    reading = gguf_reading(part, rule, plain, tensors)
    if reading["error"] != "":
        return {"error": reading["error"].replace("; add it to the config.", "; choose another file.")}
    reading["result"]["model_type"] = plain_text(architecture)
    return reading["result"]


def gguf_reading(part: Part, rule: Rule, table: dict[str, Any], tensors: list[list[Any]]) -> Notebook:
    """The reading of a file whose layout is known; its "result" stands if it has no error."""
    reading = part["reading"]
    layers = gguf_layers(part)
    context = read_whole(part, ["context_length"], "max_context", TOKEN_LIMIT, 0)
    if failed(part):
        return reading
    heads = [0 for index in range(layers)]
    kv = heads
    if rule.get("headless") is None:
        heads = gguf_numbers(part, "attention.head_count", layers, None)
        if value_of(part, "attention.head_count_kv") is None:
            note(part, f"No key gives KV heads: as many as query heads, {largest(heads)}, are taken.")
        kv = gguf_numbers(part, "attention.head_count_kv", layers, largest(heads))
    window = gguf_window(part, rule)
    if window > 0 and context > 0 and window >= context:
        window = 0
    kinds = gguf_kinds(part, rule, kv, gguf_windows(part, rule, layers, window))
    kinds = gguf_shared(part, rule, kinds)
    show(part, "layer kinds", count_text(kinds), "block_count")
    groups = gguf_groups(part, rule, kinds, heads, kv, window)
    state = gguf_state(part, rule, kinds)
    weights = gguf_split(part, table, gguf_weights(part, tensors))
    shape: PlainShape = {
        "groups": groups,
        "num_attention_heads": largest(heads),
        "num_hidden_layers": layers,
        "parameters": 0,
        "active_parameters": 0,
        "state_bytes": state,
    }
    add_counts(shape, weights)
    check_sizes(part, shape)
    if shape["parameters"] == 0:
        note(part, GGUF_UNCOUNTED)
    reading["result"] = {
        "shape": shape,
        "fields": reading["fields"],
        "notes": reading["notes"],
        "cache": None,
        "weights": gguf_file_type(table),
        "state_type": "",
        "indexer_type": "",
        "weights_bytes": weights["bytes"],
        "max_context": context,
        "model_type": "",
        "name": gguf_name(table),
    }
    return reading
