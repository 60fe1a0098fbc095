"""A text or object that somebody took for a config.json: what it is instead, and where its JSON breaks.

The parse itself is each language's own (json.loads, JSON.parse); :func:`json_fault` says why it failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fields import NAMES, TEXT_PARTS
from .values import is_list, is_object, is_text, plain_text

if TYPE_CHECKING:
    from ..contracts import Ending, Place

JSON_BLANKS = " \t\n\r"
#: What ends a bare word of JSON.
JSON_WORD_ENDS = ' \t\n\r,:[]{}"'
#: Bare words of JSON and of the JSON that Python writes.
JSON_WORDS = ["true", "false", "null", "NaN", "Infinity", "-Infinity"]
#: Words of Python that JSON writes otherwise.
PYTHON_WORDS = {"None": "null", "True": "true", "False": "false", "nan": "NaN", "inf": "Infinity"}
JSON_ESCAPES = '"\\/bfnrt'
JSON_HEX_DIGITS = "0123456789abcdefABCDEF"
NOT_JSON = "This is not valid JSON"


def skip_blanks(text: str, at: int) -> int:
    """The place of the first character from ``at`` on that is no blank."""
    while at < len(text) and text[at] in JSON_BLANKS:
        at = at + 1
    return at


def bare_word(text: str, at: int) -> str:
    """The characters from ``at`` up to a blank or a sign of JSON."""
    end = at
    while end < len(text) and text[end] not in JSON_WORD_ENDS:
        end = end + 1
    return text[at:end]


def digits_from(text: str, at: int) -> int:
    """The place after the digits that begin at ``at``."""
    while at < len(text) and "0" <= text[at] <= "9":
        at = at + 1
    return at


def is_json_number(word: str) -> bool:
    """Whether a bare word is a number as JSON writes one."""
    start = 1 if word.startswith("-") else 0
    end = digits_from(word, start)
    if end == start or (word[start] == "0" and end > start + 1):
        return False
    if end < len(word) and word[end] == ".":
        fraction = digits_from(word, end + 1)
        if fraction == end + 1:
            return False
        end = fraction
    if end < len(word) and word[end] in "eE":
        sign = end + 1
        if sign < len(word) and word[sign] in "+-":
            sign = sign + 1
        end = digits_from(word, sign)
        if end == sign:
            return False
    return end == len(word)


def word_cause(text: str, at: int) -> str:
    """Why no value begins at ``at``; "" if a number or word of JSON does."""
    word = bare_word(text, at)
    if word in JSON_WORDS or is_json_number(word):
        return ""
    if word in PYTHON_WORDS:
        return f"{word} is Python's; JSON writes {PYTHON_WORDS[word]}"
    if word == "":
        return f"{plain_text(text[at])} stands where a value should"
    return sign_cause(text, at, f"{plain_text(word)} is no value of JSON; a text needs double quotes")


def sign_cause(text: str, at: int, otherwise: str) -> str:
    """What a sign that JSON does not have tells of a text; ``otherwise`` if nothing."""
    if text[at : at + 2] in ["//", "/*"] or text[at] == "#":
        return "JSON has no comments; remove it"
    if text[at] == "'":
        return "JSON needs double quotes, and this is a single one; it may be printed Python"
    if text[at : at + 3] == "```":
        return "remove the lines of ``` around the file"
    return otherwise


def text_end(text: str, at: int) -> Ending:
    """How the text that begins with the quote at ``at`` ends: its place, and a cause where it does not."""
    at = at + 1
    while at < len(text):
        character = text[at]
        if character == '"':
            return {"at": at + 1, "cause": ""}
        if character < " ":
            return {"at": at, "cause": "a text is not closed before its line ends"}
        if character == "\\":
            at = at + 1
            if at < len(text) and text[at] == "u":
                if len([digit for digit in text[at + 1 : at + 5] if digit in JSON_HEX_DIGITS]) < 4:
                    return {"at": at, "cause": "four hexadecimal digits must follow \\u"}
                at = at + 4
            elif at < len(text) and text[at] not in JSON_ESCAPES:
                return {"at": at, "cause": "a backslash must be written twice"}
        at = at + 1
    return {"at": len(text), "cause": "a text is not closed; paste the whole file"}


def fault_at(text: str, at: int, cause: str) -> str:
    """The sentence for a fault at one place of ``text``."""
    before = text[:at].split("\n")
    column = len(before[len(before) - 1]) + 1
    return f"{NOT_JSON}: line {len(before)}, column {column}: {cause}."


def after_value(state: Place) -> None:
    """A whole value has been read: what must follow it inside the brackets that are open."""
    state["want"] = "end" if len(state["open"]) == 0 else "comma"


def read_separator(text: str, state: Place) -> str:
    """Reads the comma or colon that must stand here; why there is none, "" if there is."""
    sign = ":" if state["want"] == "colon" else ","
    if text[state["at"]] != sign:
        missing = "a colon is missing before it" if sign == ":" else "a comma is missing before it"
        return sign_cause(text, state["at"], missing)
    closing = state["open"][len(state["open"]) - 1]
    state["want"] = "key" if sign == "," and closing == "}" else "value"
    state["comma"] = sign == ","
    state["at"] = state["at"] + 1
    return ""


def read_quoted(text: str, state: Place) -> str:
    """Reads the name or text that begins here; why it does not end, "" if it does."""
    ending = text_end(text, state["at"])
    state["at"] = ending["at"]
    if state["want"] == "key":
        state["want"] = "colon"
    else:
        after_value(state)
    return ending["cause"]


def read_value(text: str, state: Place) -> str:
    """Reads the beginning of a list or object, or a number or word; why none stands here, "" if one does."""
    sign = text[state["at"]]
    if sign in "{[":
        state["open"].append("}" if sign == "{" else "]")
        state["want"] = "key" if sign == "{" else "value"
        state["first"] = True
        state["at"] = state["at"] + 1
        return ""
    cause = word_cause(text, state["at"])
    state["at"] = state["at"] + (len(bare_word(text, state["at"])) if cause == "" else 0)
    after_value(state)
    return cause


def read_sign(text: str, state: Place) -> str:
    """Reads what stands at the state's place; why it is no JSON, "" if it is."""
    sign = text[state["at"]]
    first, comma = state["first"], state["comma"]
    state["first"] = False
    state["comma"] = False
    if state["want"] == "end":
        return "more text follows the end of the file; paste one file alone"
    if len(state["open"]) > 0 and sign == state["open"][len(state["open"]) - 1]:
        if comma:
            return "a comma stands before the end; remove it"
        if first or state["want"] == "comma":
            state["open"].pop(len(state["open"]) - 1)
            state["at"] = state["at"] + 1
            after_value(state)
            return ""
    if state["want"] in ["comma", "colon"]:
        return read_separator(text, state)
    if sign == '"':
        return read_quoted(text, state)
    if state["want"] == "key":
        return sign_cause(text, state["at"], "a name in double quotes should stand here")
    return read_value(text, state)


def json_fault(text: str) -> str:
    """Why ``text`` is not JSON, by line and column, in a sentence; "" if it is, or is the JSON of Python."""
    state: Place = {"at": skip_blanks(text, 0), "open": [], "want": "value", "first": False, "comma": False}
    while state["at"] < len(text):
        cause = read_sign(text, state)
        if cause != "":
            return fault_at(text, state["at"], cause)
        state["at"] = skip_blanks(text, state["at"])
    return (
        ""
        if state["want"] == "end"
        else fault_at(text, len(text), "the text ends too soon; paste the whole file")
    )


def wrong_text(text: str) -> str:
    """What a text that is no JSON is instead, in a sentence; "" if nothing known."""
    start = text[:2000].strip()
    lower = start.lower()
    if start.startswith("version https://git-lfs"):
        return "This is a git-lfs pointer, not the file it stands for; run git lfs pull or download config.json itself."
    if lower.startswith("<!doctype") or lower.startswith("<html") or lower.startswith("<?xml"):
        return "This is a web page, not a config.json; download the file itself (its raw form)."
    if start.startswith("GGUF"):
        return "This is a GGUF file; load the file itself instead of its text."
    if lower.find("gated") >= 0 or (lower.find("access to model") >= 0 and lower.find("restricted") >= 0):
        return "This says that the model is gated: accept its licence, log in and download config.json again."
    if is_yaml(start):
        return "This looks like YAML; a model's config.json is JSON and begins with {."
    return ""


def is_yaml(start: str) -> bool:
    """Whether a text begins with lines of a name, a colon and a blank, as YAML does."""
    for line in start.split("\n"):
        stripped = line.strip()
        if stripped == "" or stripped.startswith("#") or stripped == "---":
            continue
        colon = stripped.find(": ")
        name = stripped[:colon] if colon > 0 else stripped[: len(stripped) - 1]
        if colon <= 0 and not stripped.endswith(":"):
            return False
        return len([sign for sign in name if sign in "{}[]\"', "]) == 0 and name != ""
    return False


def text_fault(text: str) -> str:
    """Why the text of a file is not JSON, in a sentence."""
    if text.strip() == "":
        return "The file is empty; paste the text of a config.json."
    told = wrong_text(text)
    return told if told != "" else json_fault(text)


def has_any(config: dict[str, Any], names: list[str]) -> bool:
    """Whether an object has a value under any of ``names``."""
    return len([name for name in names if config.get(name) is not None]) > 0


def wrong_object(config: dict[str, Any]) -> str:
    """What an object that describes no model's layers is instead, in a sentence; "" if nothing known."""
    if has_any(config, NAMES["layers"]) and not has_any(config, ["dim"]):
        return ""
    if has_any(config, TEXT_PARTS) or has_any(config, ["decoder_layers", "num_blocks", "layers_block_type"]):
        return ""
    if has_any(config, ["peft_type", "base_model_name_or_path"]):
        base = config.get("base_model_name_or_path")
        of = f" {plain_text(base)}" if is_text(base) and base != "" else " the model it was made for"
        return (
            f"This is the config of an adapter (LoRA), which changes no cache; give the config.json of{of}."
        )
    if is_object(config.get("weight_map")):
        return "This is a safetensors index, which lists weights; give the config.json beside it."
    if has_any(config, ["_class_name", "_diffusers_version"]):
        return "This is the index of a diffusion pipeline, which keeps no KV cache; give a language model's file."
    if has_any(config, ["dim"]) and has_any(config, ["n_layers"]) and not has_any(config, ["model_type"]):
        return "This is a params.json, the format of the model's own publisher; give the config.json of the same model."
    if is_object(config.get("model")) and (
        is_list(config.get("added_tokens")) or has_any(config, ["pre_tokenizer"])
    ):
        return "This is a tokenizer.json; give the config.json beside it."
    if has_any(config, ["tokenizer_class", "add_bos_token", "added_tokens_decoder", "chat_template"]):
        return "This is a tokenizer's config; give the config.json beside it."
    if has_any(config, ["image_processor_type", "feature_extractor_type", "processor_class"]):
        return "This is a processor's config; give the config.json beside it."
    if has_any(config, ["_from_model_config", "do_sample", "temperature", "top_p", "max_new_tokens"]):
        return "This is a generation config; give the config.json beside it."
    if is_text(config.get("error")) or is_object(config.get("error")):
        return "This is the error message of a download; log in if the model is gated, and download config.json again."
    return ""
