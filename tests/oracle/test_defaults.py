"""The reader's defaults against transformers' configuration classes: every family, each field left out once.

    pip install -e ".[test,oracle]"
    python -m pytest -m oracle tests/oracle/test_defaults.py

A file that leaves a field out must be read as the file that the family's class makes of it. Refusing it by the
missing field's name is right as well: a file without its layers is more likely cut short than meant so.
"""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest

from acts.config import ConfigError, read_config
from acts.config.families import family_rule
from acts.sizing import Shape

from .configs import configuration_class
from .defaults import TARGET, module_text

pytestmark = pytest.mark.oracle

#: Fields that are not the size of anything, and many: they are not left out.
IDLE = ("_token_id", "dropout", "_idx", "_token", "2label", "_token_index", "initializer_range", "_norm_eps")
#: The limit that a class assumes would switch off the windows of families whose files all have a longer one.
LIMIT = "max_position_embeddings"
#: What a class's own defaults lack or contradict, before its fields are left out.
OWN = {
    "bamba": {"attn_layer_indices": [9, 18, 27]},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 16},
    "qwen3_omni_moe_text": {"head_dim": 128},
}
#: Not files of a language model by themselves: a part without the image's size, and classes around classes whose
#: defaults contradict each other; the families inside are compared.
PARTS = ("mllama_text_model", "glm4v_moe", "qwen3_omni_moe", "qwen3_omni_moe_thinker")


def model_types() -> list[str]:
    """The types that transformers has a class of and the reader a rule for."""
    try:
        from transformers.models.auto.configuration_auto import CONFIG_MAPPING
    except ImportError:  # the group is collected, and left out, without transformers
        return []
    rules = {name: family_rule(name) for name in CONFIG_MAPPING}
    return [name for name, rule in rules.items() if rule and "refuse" not in rule and name not in PARTS]


def whole(config) -> dict:
    """The file that has every field of ``config``."""
    return json.loads(config.to_json_string(use_diff=False))


def reading(file: dict) -> Shape | str:
    """What the reader makes of ``file``: its sentence, or a shape without what is not the size of the cache.

    Left out are the parameters and the widths that a latent unfolds to.
    """
    try:
        shape = read_config(file)
    except ConfigError as error:
        return str(error)
    groups = tuple(replace(group, full_key_width=0, full_value_width=0) for group in shape.groups)
    return Shape(groups, shape.num_attention_heads, shape.num_hidden_layers, 0, 0, shape.state_bytes)


def places(file: dict) -> list[tuple[tuple[str, ...], str]]:
    """Where each field of ``file`` and of the language model in it stands: the way to its part, and its name."""
    found = []
    for way in [(), ("text_config",), ("thinker_config", "text_config")]:
        part = file
        for step in way:
            part = part.get(step) or {}
        found += [(way, name) for name in part if name != "model_type" and not name.endswith(IDLE)]
    return found


def without(file: dict, way: tuple[str, ...], name: str) -> dict:
    """``file`` without the field ``name`` of the part at ``way``."""
    cut = copy.deepcopy(file)
    part = cut
    for step in way:
        part = part[step]
    del part[name]
    return cut


@pytest.mark.parametrize("model_type", model_types())
def test_each_field_left_out_is_the_class_s(model_type):
    from huggingface_hub.errors import StrictDataclassError

    kind = configuration_class(model_type)
    file = whole(kind(**OWN.get(model_type, {})))
    right = reading(file)
    assert isinstance(right, Shape), right
    encoder = family_rule(model_type).get("encoder")
    for way, name in places(file):
        cut = without(file, way, name)
        found = reading(cut)
        if found == right or (name == LIMIT and encoder != LIMIT):
            continue
        if isinstance(found, str) and (" is missing" in found or name in ("text_config", "thinker_config")):
            continue
        try:
            completed = whole(kind.from_dict(copy.deepcopy(cut)))
        except (StrictDataclassError, TypeError):
            continue
        assert found == reading(completed), (way, name)


def test_the_table_is_that_of_the_release_installed():
    import transformers

    if f"transformers {transformers.__version__} " in TARGET.read_text(encoding="utf-8"):
        assert TARGET.read_text(encoding="utf-8") == module_text()
