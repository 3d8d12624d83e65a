"""Runs one course agent in its own process and calls it as the official referee does.

The referee sends requests on standard input and reads replies from standard output, each a JSON object on a line.
It measures time and memory and judges moves itself, because code in this process is not trusted.
"""
