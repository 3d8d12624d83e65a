"""Memory of this process, measured as the official referee does."""

import resource

# The agent may replace the built-in function.
open_file = open

MEGABYTE = 1 << 20


class Space:
    """Memory above that at construction, in megabytes; no process gets more than twice the limit."""

    def __init__(self, limit):
        self.limit = limit
        self._baseline = size()
        if limit and self._baseline:
            cap = self._baseline + int(2 * limit * MEGABYTE)
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            if hard == resource.RLIM_INFINITY or cap < hard:
                resource.setrlimit(resource.RLIMIT_AS, (cap, hard))

    def remaining(self):
        """Megabytes left; None if unknown, negative without a limit, as with the official referee."""
        used = (size() - self._baseline) / MEGABYTE
        return (self.limit or 0) - used if used > 0 else None


def size():
    """The address space of this process in bytes; 0 if unknown."""
    try:
        with open_file("/proc/self/status") as lines:
            for line in lines:
                if line.startswith("VmSize:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
