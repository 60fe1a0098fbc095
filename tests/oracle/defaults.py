"""Writes acts/config/defaults.py: what transformers' configuration classes put in where a file leaves a field out.

pip install -e ".[test,oracle]"
python -m tests.oracle.defaults
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from textwrap import wrap

from acts.config.families import FAMILIES, WRAPPERS, family_name

from .configs import configuration_class

TARGET = Path(__file__).parents[2] / "acts" / "config" / "defaults.py"

#: Fields whose default can decide the size of a cache, under the names that classes have for them.
# fmt: off
FIELDS = [
    "num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers", "num_decoder_layers",
    "num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads", "attention_heads",
    "hidden_size", "n_embd", "d_model", "num_key_value_heads", "num_kv_heads", "head_dim", "kv_channels",
    "d_kv", "attention_head_dim", "global_head_dim", "v_head_dim", "sliding_window", "attention_chunk_size",
    "attention_window_size", "num_kv_shared_layers", "kv_lora_rank", "qk_rope_head_dim", "index_head_dim",
    "linear_num_key_heads", "linear_num_value_heads", "linear_key_head_dim", "linear_value_head_dim",
    "linear_conv_kernel_dim", "linear_num_heads", "linear_head_dim", "mamba_d_state", "mamba_d_conv",
    "mamba_expand", "mamba_n_heads", "mamba_n_groups", "mamba_d_head", "mamba_d_ssm", "mamba_num_heads",
    "mamba_head_dim", "mamba_ngroups", "mamba_headdim", "n_mamba_heads", "n_groups", "state_size",
    "ssm_state_size", "conv_kernel", "expand", "conv_L_cache", "conv1d_width",
]
# fmt: on

#: Fields that most classes have: the columns of the tables.
COLUMNS = ["num_hidden_layers", "num_attention_heads", "hidden_size", "num_key_value_heads", "head_dim"]

HEAD = '''"""What a family's configuration class puts in where a file leaves a field out. Data, not written by hand.

From transformers {version} (https://github.com/huggingface/transformers, src/transformers/models/*/configuration_*.py),
written by ``python -m tests.oracle.defaults``; ``python -m pytest -m oracle tests/oracle/test_defaults.py`` holds
each field, left out once, against the classes.
"""

from __future__ import annotations

# fmt: off
#: What the numbers of a row are, in their order; 0 where the class has no such field, or no default.
DEFAULT_COLUMNS = {columns}

#: Defaults of model types, those of the language model inside for a wrapper: columns, then further fields.
CLASS_DEFAULTS: list = [
'''
MIDDLE = """]

#: What a wrapper's class puts into its language model's part instead.
WRAPPER_DEFAULTS: list = [
"""


def own_defaults(model_type: str, fields: list[str]) -> dict[str, int]:
    """The defaults of ``fields`` in the class of ``model_type``, before anything is derived from them."""
    known = {field.name: field.default for field in dataclasses.fields(configuration_class(model_type))}
    return {name: known[name] for name in fields if type(known.get(name)) is int and known[name] > 0}


def given_to_text(wrapper: str) -> dict[str, int]:
    """What the class of ``wrapper`` gives a language model's part that names nothing but its type.

    Nothing where it leaves such a part to that type's own class, or refuses it.
    """
    from huggingface_hub.errors import StrictDataclassError

    kind = configuration_class(wrapper)
    spec = kind.sub_configs_defaults["text_config"]
    given = {name: value for name, value in (spec.init_kwargs or {}).items() if name in FIELDS}
    try:
        text = kind.from_dict({"text_config": {"model_type": spec.model_type}}).text_config
    except StrictDataclassError:
        return {}
    return given if all(getattr(text, name) == value for name, value in given.items()) else {}


def in_transformers(model_type: str) -> bool:
    """Whether transformers has a class of ``model_type``."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    try:
        return configuration_class(model_type).model_type == model_type
    except (KeyError, AttributeError):
        return model_type in CONFIG_MAPPING


def merged(rows: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """``rows`` with the names of equal ones put together."""
    names: dict[str, list[str]] = {}
    for name, row in rows.items():
        if row:
            names.setdefault(json.dumps(row), []).append(name)
    return {" ".join(together): json.loads(row) for row, together in names.items()}


def lines(rows: dict[str, dict[str, int]]) -> str:
    """``rows`` as the lines of a table, at most 110 characters wide."""
    text = ""
    for names, row in merged(rows).items():
        parts = wrap(names, 90, break_on_hyphens=False)
        named = ' "\n     "'.join(parts)
        columns = [row.get(name, 0) for name in COLUMNS]
        more = {name: value for name, value in row.items() if name not in COLUMNS}
        fields = f"{columns}, {json.dumps(more)}".replace(": ", ":")
        fields = "\n      ".join(wrap(fields, 95)).replace(":", ": ")
        together = f'    ["{named}", {fields}],\n'
        text += together if len(together) <= 111 else f'    ["{named}",\n     {fields}],\n'
    return text


def class_rows() -> dict[str, dict[str, int]]:
    """The defaults of every family of the table that transformers has."""
    found = {}
    for names, rule in FAMILIES:
        fields = [*FIELDS, *rule.get("heads_from", []), *([rule["encoder"]] if "encoder" in rule else [])]
        for name in names.split():
            if "refuse" not in rule and in_transformers(name):
                found[name] = own_defaults(name, fields)
    return found


def wrapper_rows() -> dict[str, dict[str, int]]:
    """What wrappers of the table give their language model that its own class does not."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    families = [name for row in FAMILIES for name in row[0].split()]
    named = [name for row in WRAPPERS for name in row[0].split()]
    named += [name for name in CONFIG_MAPPING if name not in families and family_name(name) in families]
    found = {}
    for name in sorted({*named}):
        if name in CONFIG_MAPPING and "text_config" in CONFIG_MAPPING[name].sub_configs:
            found[name] = given_to_text(name)
    return found


def module_text() -> str:
    """The whole of acts/config/defaults.py."""
    import transformers

    head = HEAD.replace("{version}", transformers.__version__).replace("{columns}", json.dumps(COLUMNS))
    return head + lines(class_rows()) + MIDDLE + lines(wrapper_rows()) + "]\n# fmt: on\n"


if __name__ == "__main__":
    TARGET.write_text(module_text(), encoding="utf-8")
