"""What SGLang takes once its pools stand, as far as a rule is published: the workspace of AITER's attention (AMD).

Pure functions, compiled by :mod:`acts.twin` with the log reader. Source:
https://github.com/sgl-project/sglang, python/sglang/srt/layers/attention/aiter_backend.py; read 2026-11-30. What other
attention kernels take beside the pools is measured, not computed.
"""

from __future__ import annotations

from ..sizing import ceil_div

# Tokens that one part of a split decode step reads.
SGLANG_AITER_PART = 256

# Requests that the workspace is laid out for unless max_running_requests says otherwise.
SGLANG_REQUESTS = 2048


def sglang_aiter_workspace(requests: int, heads: int, tokens: int, width: int) -> int:
    """Bytes on each GPU: for each request, query head and part of the longest text an output of FP32 and two numbers.

    It is taken after the pool was sized and is not among what was left for it:
    https://github.com/sgl-project/sglang/pull/20888
    """
    return requests * heads * ceil_div(tokens, SGLANG_AITER_PART) * (4 * width + 8)
