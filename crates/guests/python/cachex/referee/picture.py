"""The board as text."""

_COLOURS = {"red": "31", "blue": "34"}

# The characters for the stones.
_SYMBOLS = {"red": "r", "blue": "b"}
_SYMBOLS_UNICODE = {"red": "●", "blue": "○"}


def draw(game, debug=False, use_colour=False, use_unicode=False):
    """Draws a game, or a board alone, with row 0 at the bottom.

    With `debug` it marks the last stone, the winning chain and the cells of the last captures of a game.
    """
    board = getattr(game, "board", game)
    debug = debug and board is not game
    n = board.n
    indent = "   "
    lines = []
    for r in reversed(range(n)):
        # A row's upper edge is also the lower edge of the row above, which reaches further right.
        edge = (".-'-._" * n)[:-1] if r == n - 1 else ".-'-._" * n + ".-'"
        lines.append(indent * r + " " + edge)
        cells = [_cell(game, board[(r, q)], (r, q), debug, use_colour, use_unicode) for q in range(n)]
        lines.append(indent * r + "|" + "|".join(cells) + "|")
    lines.append("'-._.-" * n + "'")
    return "\n".join(lines)


def _cell(game, token, coord, debug, use_colour, use_unicode):
    if token is None:
        captured = debug and game.last_captures and coord in game.last_captures
        return "  X  " if captured else "     "
    left, right = " ", " "
    if debug and coord in game.result_cluster:
        left, right = "*", "*"
    elif debug and coord == game.last_coord:
        left, right = ">", "<"
    text = left + (_SYMBOLS_UNICODE if use_unicode else _SYMBOLS)[token] + right
    if use_colour:
        text = "\033[1;{}m{}\033[0m".format(_COLOURS[token], text)
    return " {} ".format(text)
