"""The reader's own figures: a model from its config.json, and a server's log beside the page's prediction."""

from acts import config

#: Pure modules the page compiles for the browser, beside the acts', callees first.
PURE_MODULES = (
    *config.PURE_MODULES,
    "acts.formula",
    "acts.engines.types",
    "acts.engines.vllm",
    "acts.engines.llamacpp",
    "acts.logs",
    "acts.logs_compare",
    "app.yours.words",
)
