"""Engines' own rules, and a check of them against what engines printed.

:mod:`.vllm`, :mod:`.llamacpp`, :mod:`.sglang` and :mod:`.others` hold the rules: small pure functions named
after them. :mod:`.rows` reads a row of the truth set, :mod:`.checks` predicts what it printed (a module an
engine, over :mod:`.check`), and ``python -m acts.engines`` writes the table in docs/engines.md.
"""
