"""The small decoder in PyTorch: what is trained, and what the numpy version is tested against."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from acts.decoder.config import Config


class RMSNorm(nn.Module):
    """Divides by the root mean square and multiplies by a learnt weight a channel."""

    def __init__(self, width: int, epsilon: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        """Along the last axis."""
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """RoPE on (..., tokens, head_dim): the first channels turned in pairs by their angles, the others left."""
    low, high, still = x.split([cos.shape[-1], cos.shape[-1], x.shape[-1] - 2 * cos.shape[-1]], dim=-1)
    return torch.cat([low * cos - high * sin, low * sin + high * cos, still], dim=-1)


class Layer(nn.Module):
    """One decoder layer: grouped-query attention, then a gated MLP, each behind a norm and added back."""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        width, heads, kv = (
            config.width,
            config.num_heads * config.head_dim,
            config.num_kv_heads * config.head_dim,
        )
        self.attention_norm = RMSNorm(width, config.epsilon)
        self.query = nn.Linear(width, heads, bias=False)
        self.key = nn.Linear(width, kv, bias=False)
        self.value = nn.Linear(width, kv, bias=False)
        self.output = nn.Linear(heads, width, bias=False)
        self.mlp_norm = RMSNorm(width, config.epsilon)
        self.gate = nn.Linear(width, config.mlp_width, bias=False)
        self.up = nn.Linear(width, config.mlp_width, bias=False)
        self.down = nn.Linear(config.mlp_width, width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
        """States (texts, tokens, width) in and out; ``mask``: who sees whom, None for all before."""
        count, tokens, _ = x.shape
        config = self.config
        y = self.attention_norm(x)
        query = self.query(y).view(count, tokens, config.num_heads, config.head_dim).transpose(1, 2)
        key = self.key(y).view(count, tokens, config.num_kv_heads, config.head_dim).transpose(1, 2)
        value = self.value(y).view(count, tokens, config.num_kv_heads, config.head_dim).transpose(1, 2)
        query, key = rotate(query, cos, sin), rotate(key, cos, sin)
        read = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, is_causal=mask is None, enable_gqa=True
        )
        x = x + self.output(read.transpose(1, 2).reshape(count, tokens, -1))
        y = self.mlp_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class TorchDecoder(nn.Module):
    """Word ids (texts, tokens) to logits (texts, tokens, vocabulary)."""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.window = config.window
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_layers))
        self.norm = RMSNorm(config.width, config.epsilon)
        self.logits = nn.Linear(config.width, config.vocabulary, bias=False)
        nn.init.normal_(self.embedding.weight, std=0.5)

    def forward(self, words: Tensor) -> Tensor:
        """All positions at once, as in training."""
        config, tokens = self.config, words.shape[1]
        pairs = torch.arange(0, config.rotary_dim, 2, dtype=torch.float32) / config.rotary_dim
        angles = torch.arange(tokens, dtype=torch.float32)[:, None] * config.rope_base**-pairs
        mask = None
        if self.window is not None:
            ones = torch.ones(tokens, tokens, dtype=torch.bool)
            mask = ones.tril() & ones.triu(1 - self.window)
        x = self.embedding(words)
        for layer in self.layers:
            x = layer(x, angles.cos(), angles.sin(), mask)
            if layer is self.layers[0]:
                self.after_first = x
        return self.logits(self.norm(x))

    def weights(self) -> dict[str, np.ndarray]:
        """The parameters under the names that the numpy version has for them."""
        return {name.removesuffix(".weight"): value.numpy() for name, value in self.state_dict().items()}

    def set_weights(self, weights: dict[str, np.ndarray]) -> None:
        """Takes parameters under these names."""
        tensors = {f"{name}.weight": torch.tensor(value) for name, value in weights.items()}
        self.load_state_dict(tensors)
