"""The small decoder in PyTorch: a shortened training run, and the numpy version against it.

pip install -e ".[test,decoder]"
python -m pytest -m training tests/training
"""

import numpy as np
import pytest

from acts.decoder import Decoder
from acts.decoder.config import CONFIGS
from acts.decoder.language import Recipe, draw_texts
from acts.decoder.model import Cache
from acts.decoder.weights import load_weights

torch = pytest.importorskip("torch", reason='pip install -e ".[test,decoder]"')
from training.model import TorchDecoder  # noqa: E402
from training.train import Run, rounded  # noqa: E402

pytestmark = pytest.mark.training

TEXTS = Recipe(16, likes=4, places=4, fillers=4)


@pytest.mark.parametrize("name", CONFIGS)
def test_numpy_gives_pytorch_s_logits(name):
    weights = load_weights(name)
    model = TorchDecoder(CONFIGS[name])
    model.set_weights(weights)
    words = draw_texts(np.random.default_rng(5), 8, TEXTS).words
    with torch.no_grad():
        expected = model(torch.tensor(words)).numpy()
    decoder = Decoder(CONFIGS[name], weights)
    logits = decoder.logits(decoder.forward(words, Cache()))
    assert np.abs(logits - expected).max() < 1e-4


def test_a_shortened_run_learns_and_goes_on_from_its_checkpoint(tmp_path):
    torch.set_num_threads(1)
    whole, first, second = (Run(CONFIGS["gqa"], seed=0, steps=60) for _ in range(3))
    for _ in range(60):
        whole.advance()
    for _ in range(30):
        first.advance()
    first.save(tmp_path / "run.pt")
    second.load(tmp_path / "run.pt")
    for _ in range(30):
        second.advance()
    assert whole.curve[0]["loss"] > 4
    assert whole.curve[-1]["loss"] < 0.8 * whole.curve[0]["loss"]
    assert second.curve == whole.curve
    assert rounded(second)[0] == rounded(whole)[0]
