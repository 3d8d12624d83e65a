"""Runs one course agent in a process of its own and calls it as the official referee does.

The referee, on the other side of standard input and output, sends one JSON object a line and gets one
back. Clocks, memory and legality are its business: whatever runs in here belongs to a stranger.
"""
