"""Fails while it is imported."""

import no_such_module
