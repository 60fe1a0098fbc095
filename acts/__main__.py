"""``python -m acts size llama-3-70b --gpus 2``: the sizing model on the command line."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
