"""`python -m kbgraph`."""

from __future__ import annotations

from kbgraph.cli import main

if __name__ == "__main__":
    main()
