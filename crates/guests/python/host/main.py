"""Starts the host of a course agent; see yarra_host."""

import sys

from yarra_host.serve import main

if __name__ == "__main__":
    # Our own folder is not for the agent, whose modules may have any name.
    del sys.path[0]
    main(sys.argv[1])
