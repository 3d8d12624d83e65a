"""The board as a number of 121 bits, cell r * 11 + c."""

N = 11
ALL = (1 << N * N) - 1
ROWS = [((1 << N) - 1) << N * r for r in range(N)]
COLUMNS = [sum(1 << N * r + c for r in range(N)) for c in range(N)]
FIRST, LAST = COLUMNS[0], COLUMNS[N - 1]


def neighbours(bits):
    """All cells beside any of these, with wrap-around."""
    down = (bits << N | bits >> N * (N - 1)) & ALL
    up = bits >> N | (bits & ROWS[0]) << N * (N - 1)
    right = (bits & ~LAST) << 1 | (bits & LAST) >> N - 1
    left = (bits & ~FIRST) >> 1 | (bits & FIRST) << N - 1
    return down | up | right | left


def cells(bits):
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _pieces():
    shapes = {1 << cell for cell in range(N * N)}
    for _ in range(3):
        shapes = {shape | 1 << cell for shape in shapes for cell in cells(neighbours(shape) & ~shape)}
    return sorted(shapes)


# Each piece with the cells beside it: one that holds a token of ours makes the piece legal.
PIECES = [(piece, neighbours(piece)) for piece in _pieces()]
