"""Builds a model, runs it and walks the tensors of the cache it fills."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .cases import Case
from .configs import STEPS

#: Positions that an encoder reads: the size of every such field in :data:`configs.SIZES`.
ENCODER = 64
#: What the attributes of a cache's layer, or a module that keeps its own state, hold.
NAMES = {
    "keys": "kv",
    "values": "kv",
    "indexer_keys": "indexer",
    "conv_states": "convolution",
    "conv1d_state": "convolution",
    "recurrent_states": "recurrent",
    "buffer_kv": "waiting",
    "buffer_gate": "waiting",
    "overlap_kv": "overlap",
    "overlap_gate": "gates",
}
#: Tensors of a cache's layer that count tokens and cache nothing.
COUNTERS = ("_sliding_window_tensor", "cumulative_length")


@dataclass
class Layer:
    """The tensors that one layer keeps, by what they hold."""

    tensors: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, kind: str, found: list[Any]) -> None:
        """Keep ``found``, each tensor once: keys that serve as values are one tensor."""
        kept = self.tensors.setdefault(kind, [])
        kept.extend(tensor for tensor in found if not any(tensor is other for other in kept))

    def bytes(self, kind: str) -> int:
        return sum(tensor.numel() * tensor.element_size() for tensor in self.tensors.get(kind, []))


def tensors_in(value: Any) -> list[Any]:
    """All tensors in ``value``, a tensor or a container of them."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [tensor for item in value.values() for tensor in tensors_in(item)]
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return []


def read_layer(kept: Any) -> Layer:
    """The tensors of one layer of a cache; one under an attribute that nobody here knows is an error."""
    layer = Layer()
    for name, value in vars(kept).items():
        if name == "compressed_kv":
            layer.add("compressed", tensors_in(value["compressor"]))
            layer.add("indexer", tensors_in(value.get("indexer")))
        elif tensors_in(value) and name not in COUNTERS:
            layer.add(NAMES[name], tensors_in(value))
    return layer


def walk(cache: Any) -> list[Layer]:
    """The layers of ``cache``; those of an encoder's cross-attention keep "cross" instead of "kv"."""
    if not hasattr(cache, "self_attention_cache"):
        # MiniMax keeps the states of its lightning layers beside the cache's layers.
        states = [Layer({"recurrent": tensors_in(state)}) for state in getattr(cache, "linear_cache", [])]
        return [read_layer(kept) for kept in cache.layers] + states
    crossed = [Layer({"cross": layer.tensors.get("kv", [])}) for layer in walk(cache.cross_attention_cache)]
    return walk(cache.self_attention_cache) + crossed


def rwkv_layers(state: list[Any]) -> list[Layer]:
    """RWKV-4's five tensors, whose last axis is the layer: two inputs at 16 bits, three sums at 32."""
    layers = []
    for index in range(state[0].shape[-1]):
        parts = [tensor[..., index] for tensor in state]
        layers.append(Layer({"shift": parts[:2], "recurrent": parts[2:]}))
    return layers


def module_states(model: Any) -> list[Layer]:
    """States that RecurrentGemma's modules keep themselves."""
    layers = []
    for module in model.modules():
        if hasattr(module, "conv1d_state"):
            states = tensors_in(module.rg_lru.recurrent_states)
            layers.append(Layer({"rows": tensors_in(module.conv1d_state), "recurrent": states}))
    return layers


def all_layers(model: Any, outputs: Any, cache: Any) -> list[Layer]:
    """All that ``model`` keeps between two tokens."""
    if outputs.get("state") is not None:
        return rwkv_layers(outputs["state"])
    return walk(cache) + module_states(model)


def cache_in(outputs: Any) -> Any:
    """The cache among a model's outputs, None if there is none."""
    for name in ("cache", "past_key_values", "cache_params"):
        if outputs.get(name) is not None:
            return outputs[name]
    return None


def small_model(case: Case, config: Any) -> Any:
    """The model of ``config`` with random weights of 16 bits, on the CPU."""
    import torch
    import transformers

    torch.manual_seed(0)
    head = getattr(transformers, case.head)
    return head.from_config(config, dtype=torch.bfloat16).eval()


def meta_model(head: str, config: Any) -> Any:
    """The model of ``config`` without memory: its tensors have sizes and no values.

    The loop over experts asks which tokens chose which; one batch of all does not.
    """
    import torch
    import transformers

    with torch.device("meta"):
        model = getattr(transformers, head).from_config(
            config, dtype=torch.bfloat16, experts_implementation="batched_mm"
        )
    return model.eval()


def encoder_inputs(case: Case, config: Any) -> dict[str, Any]:
    """What the encoder reads: text or sound of exactly ENCODER positions, or one image of all its tiles."""
    import torch

    if case.encoder == "text":
        return {"input_ids": torch.ones((1, ENCODER), dtype=torch.long)}
    if case.encoder == "sound":
        # Two frames of sound become one position.
        shape = (1, config.num_mel_bins, 2 * config.max_source_positions)
        return {"input_features": torch.zeros(shape, dtype=torch.bfloat16)}
    if case.encoder == "image":
        vision = config.vision_config
        tiles, side = vision.max_num_tiles, vision.image_size
        return {
            "pixel_values": torch.zeros((1, 1, tiles, 3, side, side), dtype=torch.bfloat16),
            "aspect_ratio_ids": torch.ones((1, 1), dtype=torch.long),
            "aspect_ratio_mask": torch.ones((1, 1, tiles), dtype=torch.long),
        }
    return {}


def given_cache(case: Case, config: Any) -> dict[str, Any]:
    """A cache to fill, for the family that fills one but does not return it."""
    from transformers import DynamicCache

    return {"cache": DynamicCache(config=config)} if case.model_type == "recurrent_gemma" else {}


def run(case: Case, config: Any, model: Any) -> dict[int, list[Layer]]:
    """What the model keeps, by tokens: after the prefill, and after STEPS steps of decoding."""
    import torch

    ids = "decoder_input_ids" if case.encoder in ("text", "sound") else "input_ids"
    device = next(model.parameters()).device
    prompt = torch.ones((1, case.prompt), dtype=torch.long, device=device)
    extra = {name: value.to(device) for name, value in encoder_inputs(case, config).items()}
    kept = given_cache(case, config)
    with torch.no_grad():
        outputs = model(**{ids: prompt}, **kept, use_cache=True, **extra)
        cache = cache_in(outputs) or kept.get("cache")
        seen = {case.prompt: all_layers(model, outputs, cache)}
        for _ in range(STEPS):
            past = {"state": outputs["state"]} if cache is None else {"cache": cache}
            again = {} if case.encoder == "image" else extra
            outputs = model(**{ids: prompt[:, :1]}, **past, use_cache=True, **again)
            cache = cache_in(outputs) or cache
        seen[case.prompt + STEPS] = all_layers(model, outputs, cache)
    return seen
