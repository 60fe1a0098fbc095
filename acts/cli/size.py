"""``kv-cache size``: a deployment's bytes, users and seconds, with the formulas that give them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..bounds import BOUNDS, DEFAULTS
from ..catalog import CACHE_NAMES, WEIGHT_NAMES, Catalog
from ..deployed import deployed_cache, deployed_cards, deployed_weights
from ..deployment import (
    TYPICAL_RESERVE,
    context_beyond,
    deploy,
    deploy_as,
    deploy_kept_fault,
    deploy_note,
    deploy_step,
    deploy_values,
    deploy_weights,
)
from ..formula import formula_linear, formula_sequence, formula_token
from ..sizing import (
    GIB,
    bytes_per_sequence,
    bytes_per_token,
    ceil_div,
    fixed_bytes_per_sequence,
    growth_bytes_per_token,
    max_context,
)
from ..text import text_amount, text_bytes, text_count, text_fixed, text_gib, text_whole
from .asked import asked_types, find_model, known_id, number, types_options, with_parameters
from .parser import json_option, to_json

if TYPE_CHECKING:
    import argparse


#: What each number of a scenario means on the command line.
NUMBERS = {
    "gpus": "cards that share out each layer (tensor parallelism)",
    "pipeline": "stages of layers, each on that many cards",
    "context_parallel": "ranks among the cards of a stage that share out a sequence's tokens",
    "data_parallel": "replicas of all this, each with users of its own",
    "context": "tokens of each sequence",
    "users": "sequences held at once",
    "reserve": "GiB per card set aside for activations",
    "utilisation": "percent of a card that the engine may use; vLLM's is 92 since v0.21",
    "weights_gib": "GiB of weights as a server or a file listing says them, 0 to compute them",
    "card_gib": "with --gpu custom: its memory in GiB, of unequal cards the smallest's",
    "card_bandwidth": "with --gpu custom: its bandwidth in GB/s",
    "card_flops": "with --gpu custom: its dense 16-bit TFLOP/s",
}

#: What a decode step reads needs the parameters a token passes through, all else only the bytes of the weights.
COUNTED = ["step_seconds"]
WEIGHED = ["weights_bytes", "free_bytes", "fits", "max_users", "max_users_typical", "max_context"]
MISSING = (
    "not known: the file does not tell the number of parameters; add --parameters 8.03B or --weights-gib 15"
)


def size_options(size: argparse.ArgumentParser) -> None:
    """What says which deployment is meant, its model first."""
    size.add_argument(
        "model",
        metavar="CONFIG_OR_ID",
        help="a model id, the path of a config.json or GGUF file, or - for stdin",
    )
    deployment_options(size)
    json_option(size)


def deployment_options(size: argparse.ArgumentParser) -> None:
    """What says which deployment is meant, but for its model."""
    size.add_argument(
        "--gpu", default=DEFAULTS["gpu"], help="card id, see the command gpus (default: %(default)s)"
    )
    size.add_argument(
        "--weights", help="type of the weights (default: what the file says they are, else bf16)"
    )
    size.add_argument("--cache", help="type of the cache (default: what the config declares, else bf16)")
    size.add_argument("--cache-v", help="type of the cached values, if not the keys'")
    for name, doc in NUMBERS.items():
        size.add_argument(
            f"--{name.replace('_', '-')}",
            default=str(DEFAULTS[name]),
            metavar="N",
            help=f"{doc} (default: %(default)s)",
        )
    size.add_argument("--parameters", metavar="N", help="parameters of the model, for example 8.03B")
    types_options(size)


def run_size(options: argparse.Namespace) -> str:
    """The deployment sized, as text or JSON, and what the model's file leaves open."""
    state, catalog, notes = noted_deployment(options)
    sized = size(state, catalog)
    if options.json:
        said = [context_beyond(catalog.models[state.model], state.context), deploy_note(state, catalog)]
        return to_json({**sized, "notes": [*notes, *(text.strip() for text in said if text)]})
    return "\n".join(
        [size_text(sized, state, catalog), *([""] if notes else []), *(f"- {note}" for note in notes)]
    )


def asked_deployment(options: argparse.Namespace) -> tuple[SimpleNamespace, Catalog]:
    """The deployment that the options name, and the catalog with its model."""
    state, catalog, _ = noted_deployment(options)
    return state, catalog


def noted_deployment(options: argparse.Namespace) -> tuple[SimpleNamespace, Catalog, list[str]]:
    """:func:`asked_deployment` with the reader's notes on the model's file."""
    catalog = Catalog()
    asked = find_model(options.model, catalog.models, asked_types(options))
    model = with_parameters(asked.model, options.parameters)
    catalog.models[model.id] = model
    state = SimpleNamespace(
        model=model.id,
        gpu=known_id("GPU", options.gpu, {id: id for id in catalog.gpus}),
        weights=known_id(
            "weight type", options.weights or asked.weights or DEFAULTS["weights"], WEIGHT_NAMES
        ),
        cache=known_id("cache type", options.cache or asked.cache or DEFAULTS["cache"], CACHE_NAMES),
        cache_v=known_id("cache type", options.cache_v, CACHE_NAMES) if options.cache_v else "",
        **{name: number(name, getattr(options, name)) for name in NUMBERS},
    )
    if state.weights_gib == 0 and asked.weights_bytes > 0 and not options.weights and not options.parameters:
        state.weights_gib = asked.weights_bytes / GIB
    return state, catalog, list(asked.notes)


def size(state: Any, catalog: Catalog) -> dict[str, Any]:
    """Every figure of the deployment: bytes, counts, seconds, and the formulas with their numbers.

    bytes_per_token and bytes_per_sequence are of one whole copy, bytes_per_sequence_gpu what each GPU holds
    of it; weights_bytes, cache_bytes and free_bytes are of all GPUs together. Where the file does not tell the
    number of parameters, what needs it is None, and ``missing`` says what to add.
    """
    shape = catalog.models[state.model].shape
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    sizes = deploy(state, catalog)
    typical = deploy_as(state, catalog, state.weights, state.gpus, max(TYPICAL_RESERVE, state.reserve))
    token = bytes_per_token(shape, keys, values)
    sequence = bytes_per_sequence(shape, state.context, keys, values)
    figures = {
        **vars(state),
        "parameters": shape.parameters,
        "weights_bytes": deploy_weights(state, catalog, state.weights),
        "bytes_per_token": token,
        "bytes_per_sequence": sequence,
        "bytes_per_sequence_gpu": sizes["sequence"],
        "growth_bytes_per_token": growth_bytes_per_token(shape, keys, values),
        "fixed_bytes_per_sequence": fixed_bytes_per_sequence(shape, keys, values),
        "cache_bytes": sizes["demanded"],
        "free_bytes": sizes["room"],
        "fits": state.users <= sizes["max_users"],
        "max_users": sizes["max_users"],
        "max_users_typical": typical["max_users"],
        "typical_reserve": max(TYPICAL_RESERVE, state.reserve),
        "max_context": max_context(
            shape,
            sizes["free"],
            ceil_div(state.users, state.data_parallel),
            keys,
            values,
            state.gpus,
            BOUNDS["context"][1],
            1,
            state.pipeline,
            state.context_parallel,
        ),
        "declared_context": catalog.models[state.model].max_context,
        "step_seconds": deploy_step(state, catalog, sizes, state.users)["seconds"],
        "formula": f"{formula_token(shape, keys, values)} = {text_whole(token)} bytes per token",
        "formula_sequence": f"{formula_sequence(shape, state.context, keys, values)} = {text_whole(sequence)} bytes",
        "formula_linear": formula_linear(shape, keys, values),
        "missing": "",
    }
    if shape.parameters == 0:
        untold = COUNTED if state.weights_gib > 0 else [*COUNTED, *WEIGHED]
        figures |= {**dict.fromkeys(untold), "missing": MISSING}
    return figures


def size_text(sized: dict[str, Any], state: Any, catalog: Catalog) -> str:
    """The answer for people."""
    if sized["weights_bytes"] is None:
        return cache_text(sized, state, catalog)
    kept = deploy_kept_fault(state, catalog) == ""
    lines = [
        f"{catalog.models[state.model].name} on {deployed_cards(state, catalog)}: "
        f"{deployed_weights(state, catalog)}, {deployed_cache(state, catalog)}",
        f"{text_count(state.users, 'user')} at {text_whole(state.context)} tokens: {verdict(sized, kept)}."
        f"{context_beyond(catalog.models[state.model], state.context)}{deploy_note(state, catalog)}",
        "",
    ]
    step = "not known without the number of parameters"
    if sized["step_seconds"] is not None:
        step = f"at least {text_amount(sized['step_seconds'] * 1000)} ms, by memory bandwidth"
    typical = f"{text_fixed(sized['typical_reserve'], 1)} GiB per card kept for activations"
    free = f"{text_gib(sized['free_bytes'])} are free beside the weights"
    rows = {
        "weights": f"{text_gib(sized['weights_bytes'])}{counted(sized['parameters'])}",
        **cache_rows(sized),
        "all users": f"{text_gib(sized['cache_bytes'])}; {free}",
        "users that fit": f"ideally {text_whole(sized['max_users'])}; "
        f"{text_whole(sized['max_users_typical'])} with {typical}",
        "longest context": longest_context(sized),
        "a decode step": step,
    }
    return "\n".join([*lines, *aligned(rows)])


def cache_text(sized: dict[str, Any], state: Any, catalog: Catalog) -> str:
    """The answer for people where nothing tells the weights: the cache, and what is missing for the rest."""
    lines = [
        f"{catalog.models[state.model].name}, {deployed_cache(state, catalog)}",
        f"{text_count(state.users, 'user')} at {text_whole(state.context)} tokens."
        f"{context_beyond(catalog.models[state.model], state.context)}",
        "",
    ]
    rows = {
        **cache_rows(sized),
        "all users": text_gib(sized["cache_bytes"]),
        "weights": sized["missing"],
    }
    return "\n".join([*lines, *aligned(rows)])


def counted(parameters: int) -> str:
    """The number of parameters in brackets; nothing if it is not known."""
    return f" ({text_fixed(parameters / 1e9, 2)}B parameters)" if parameters else ""


def cache_rows(sized: dict[str, Any]) -> dict[str, str]:
    """What the cache comes to, with its sums."""
    sums = {name: sized[name].rsplit(" = ", 1)[0] for name in ("formula", "formula_sequence")}
    return {
        "per token": f"{text_bytes(sized['bytes_per_token'])} = {sums['formula']}",
        "per sequence": f"{text_bytes(sized['bytes_per_sequence'])} = {sums['formula_sequence']}",
        "a + b × tokens": sized["formula_linear"],
    }


def aligned(rows: dict[str, str]) -> list[str]:
    """A line a row, the values below each other."""
    width = max(map(len, rows)) + 2
    return [f"{label:<{width}}{value}" for label, value in rows.items()]


def verdict(sized: dict[str, Any], kept: bool) -> str:
    """Whether the deployment fits, in words; ``kept`` says that some engine keeps its cache's type on the card."""
    if sized["fits"]:
        return "fits" if kept else "would fit"
    return "the weights do not fit" if sized["free_bytes"] == 0 else "does not fit"


def longest_context(sized: dict[str, Any]) -> str:
    """The longest context at which all users fit, and what the model itself allows."""
    longest = sized["max_context"]
    most = BOUNDS["context"][1]
    text = f"{text_whole(longest)} tokens" + (" or more" if longest == most else "")
    declared = sized["declared_context"]
    return text + (f"; the model declares {text_whole(declared)}" if 0 < declared < longest else "")
