"""``python -m acts``: what of ``kv-cache`` needs no page, for example ``python -m acts size llama-3-70b --gpus 2``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
