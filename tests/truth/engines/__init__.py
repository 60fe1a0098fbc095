"""The engines' rules against what engines printed.

The rules that the log reader uses stand in :mod:`acts.engines`; :mod:`.vllm_rules`, :mod:`.llamacpp_rules`,
:mod:`.sglang` and :mod:`.others` hold those that only the truth set needs. :mod:`.rows` reads a row of the
truth set, :mod:`.checks` predicts what it printed (a module an engine, over :mod:`.check`), and
``python -m tests.truth.engines`` writes the table in docs/engines.md.
"""
