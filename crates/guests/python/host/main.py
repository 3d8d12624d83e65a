"""Runs one course agent for the referee; see yarra_host."""

import sys

# Processes that the agent starts by `multiprocessing` load this file under another name, without the folder below.
if __name__ == "__main__":
    from yarra_host.serve import main

    # The agent must not find modules in this folder: its own may have any name.
    del sys.path[0]
    main(sys.argv[1])
