"""A very small decoder with an inspectable cache: trained from scratch, run in numpy, and again in the browser.

``Decoder.load("gqa").generate("Ada has the red key . Ada has the", 2).words`` is ``["red", "key"]``.
"""

from .model import Cache, Decoder, Generated

__all__ = ["Cache", "Decoder", "Generated"]
