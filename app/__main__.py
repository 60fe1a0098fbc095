"""``python -m app``: the command ``kv-cache``, where it is not installed."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
