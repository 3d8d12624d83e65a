"""Runs one course agent for the referee; see yarra_host."""

import sys

from yarra_host.serve import main

if __name__ == "__main__":
    # The agent must not find modules in this folder: its own may have any name.
    del sys.path[0]
    main(sys.argv[1])
