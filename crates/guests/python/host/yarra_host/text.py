"""Texts of values and exceptions of the agent, whose own methods may fail or never end."""

import importlib
import sys
from traceback import format_exception, format_tb

LONGEST_TEXT = 4000
LONGEST_PART = 1000
LONGEST_VALUE = 200


def short(value):
    """A short text for any value, even if its `repr` fails."""
    try:
        text = repr(value)
    except BaseException:
        text = "a " + type_name(type(value))
    return cut(text, LONGEST_VALUE)


def words(value):
    """A short text by the value's own `str`, if that works."""
    try:
        text = str(value)
    except BaseException:
        return short(value)
    return cut(text, LONGEST_VALUE)


def trace():
    """The traceback of the current exception, without our own frames. Its last line says what happened."""
    kind, value, frames = sys.exc_info()
    while frames is not None and is_ours(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    try:
        parts = format_exception(kind, value, frames, limit=-30)
        place = place_of(value)
    except BaseException:
        parts, place = format_tb(frames, limit=-30) + [type_name(kind)], ""
    text = "".join(cut(part, LONGEST_PART) for part in parts).strip() + place
    return text if len(text) <= LONGEST_TEXT else "...\n" + text[-LONGEST_TEXT:].split("\n", 1)[-1]


def place_of(error):
    """Where a syntax error is. A traceback says it further up, but people may see its last line only."""
    if not isinstance(error, SyntaxError) or not error.filename or not error.lineno:
        return ""
    return ' (File "%s", line %d)' % (error.filename, error.lineno)


def is_ours(file):
    """Whether a file is part of this package, or of the import machinery."""
    return "yarra_host" in file or file == importlib.__file__ or file.startswith("<frozen importlib")


def type_name(kind):
    """The name of a class, whatever its metaclass says."""
    return type.__dict__["__name__"].__get__(kind)


def cut(text, length):
    """The text itself, or its beginning if it is longer; a last line break stays."""
    if len(text) <= length:
        return text
    return text[:length].rstrip() + ("...\n" if text.endswith("\n") else "...")


def printable(text):
    """The text without lone surrogates, which JSON cannot carry."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
