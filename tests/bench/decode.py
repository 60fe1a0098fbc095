"""``python -m tests.bench.decode``: what a step of the small decoder costs a browser, its frame included.

Tokens are passed one by one with the cache, from a text of 64 tokens on, and the frame of Growth's picture is computed
after each; no pause in between, and nothing else in the page.
"""

from __future__ import annotations

import json

from playwright.sync_api import sync_playwright

from acts import Growth
from acts.bundle import runtime_script
from acts.decoder.weights import weights_text
from tests.conftest import browser_path

TOKENS = 64
TEXTS, STEPS = 30, 8

MEASURE = """([weights, state, tokens, texts, steps]) => {
  const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
  const decoder = new SmallDecoder(DECODER.config, decoderWeights(DECODER.config, bytes), quantize_round_block);
  const type = DECODER.types.bf16;
  const times = [];
  for (let text = 0; text < texts; text++) {
    const cache = decoder.empty(type, type);
    for (let token = 0; token < tokens; token++) decoder.pass(7 + token % 24, cache);
    for (let step = 0; step < steps; step++) {
      const started = performance.now();
      decoder.logits(decoder.pass(8, cache));
      state.live.reads[0] = Array.from(decoder.attention[1][0]);
      growth_frame(state, CATALOG);
      times.push(performance.now() - started);
    }
  }
  return times.sort((a, b) => a - b);
}"""


def main() -> None:
    """The command."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page()
        names = "SmallDecoder, decoderWeights, DECODER, CATALOG, growth_frame, quantize_round_block"
        page.add_script_tag(content=f"{runtime_script()}\nObject.assign(globalThis, {{ {names} }});")
        state = json.loads(json.dumps(Growth().state()))
        times = page.evaluate(MEASURE, [weights_text(), state, TOKENS, TEXTS, STEPS])
        browser.close()
    median, p95 = (times[int(len(times) * share)] for share in (0.5, 0.95))
    print(f"a decode step at {TOKENS} tokens with its frame: median {median:.1f} ms, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
