"""Real models at full size on the meta device: the rows of tests/truth/models.json that transformers can build."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .cases import Case
from .configs import PROMPT, configuration_class

ROWS = json.loads((Path(__file__).parents[1] / "truth" / "models.json").read_text(encoding="utf-8"))
#: Longest window that the prompt overflows; attention over longer prompts is slow even without values.
LONGEST = 8192


def real_rows() -> list[dict[str, Any]]:
    """The rows that transformers has a model of."""
    return [row for row in ROWS if "transformers_cache" in row]


def runs_alone(row: dict[str, Any]) -> bool:
    """Whether a row's language model can be built without the vision part around it."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    return row["config"].get("text_config", {}).get("model_type") in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES


def real_config(row: dict[str, Any]) -> Any:
    """The configuration object of a row; what its file leaves out is the class's default."""
    file = row["config"]["text_config"] if runs_alone(row) else row["config"]
    if file["model_type"] == "whisper":
        # The row leaves out the encoder's heads, which the class would set to those of a smaller model.
        file = {**file, "encoder_attention_heads": file["decoder_attention_heads"]}
    return configuration_class(file["model_type"]).from_dict(file)


def longest_window(shape: Any) -> int:
    """The longest window of ``shape``, 0 if it has none."""
    return max((group.window or 0 for group in shape.groups), default=0)


def real_case(row: dict[str, Any], shape: Any) -> Case:
    """How a row is run: with a prompt that overflows its windows."""
    window = longest_window(shape)
    head, encoder = "AutoModelForCausalLM", ""
    if "text_config" in row["config"] and not runs_alone(row):
        head = "AutoModelForImageTextToText"
    if row["config"]["model_type"] == "whisper":
        head, encoder = "AutoModelForSpeechSeq2Seq", "sound"
    prompt = window + 8 if 0 < window <= LONGEST else PROMPT
    return Case(row["config"]["model_type"], prompt=prompt, head=head, encoder=encoder)
