"""The board of Cachex: stones, neighbors and captures."""

try:
    import numpy
except ImportError:
    numpy = None  # Needed only to create a board, which then raises an ImportError.


def _ADD(a, b):
    return (a[0] + b[0], a[1] + b[1])


# The six neighbors, each 60 degrees from the one before.
_HEX_STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]

# Diamonds, relative to one of their corners: the two adjacent corners, then the opposite one. The steps to the
# adjacent corners are 60 degrees apart (across the long diagonal) or 120 (across the short one).
_CAPTURE_PATTERNS = [
    (n1, n2, _ADD(n1, n2))
    for turn in (1, 2)
    for n1, n2 in zip(_HEX_STEPS, _HEX_STEPS[turn:] + _HEX_STEPS[:turn])
]

_TOKEN_MAP_OUT = {0: None, 1: "red", 2: "blue"}
_TOKEN_MAP_IN = {token: code for code, token in _TOKEN_MAP_OUT.items()}

# The code of the opposite color.
_SWAP_PLAYER = {0: 0, 1: 2, 2: 1}


class Board:
    """A rhombus of n by n cells, read and written as `board[(r, q)]`: None, "red" or "blue"."""

    def __init__(self, n):
        if numpy is None:
            raise ImportError("the board needs numpy: python3 -m pip install numpy")
        self.n = n
        self._data = numpy.zeros((n, n), dtype=int)

    def __getitem__(self, coord):
        return _TOKEN_MAP_OUT[self._data[tuple(coord)]]

    def __setitem__(self, coord, token):
        self._data[tuple(coord)] = _TOKEN_MAP_IN[token]

    def digest(self):
        """Bytes that are equal for equal boards, regardless of the side to move."""
        return self._data.tobytes()

    def swap(self):
        """Reflects the board along its long diagonal and swaps the colors."""
        other = numpy.array([_SWAP_PLAYER[code] for code in sorted(_SWAP_PLAYER)], dtype=int)
        self._data = numpy.ascontiguousarray(other[self._data.T])

    def place(self, token, coord):
        """Places a stone, removes the stones that it captures and returns their cells."""
        self[coord] = token
        return self._apply_captures(coord)

    def connected_coords(self, start_coord):
        """The connected cells with the same content as this one, itself first."""
        data = self._data
        start_coord = tuple(start_coord)
        code = data[start_coord]
        found = [start_coord]
        seen = {start_coord}
        for coord in found:
            for neighbour in self._coord_neighbours(coord):
                if neighbour not in seen and data[neighbour] == code:
                    seen.add(neighbour)
                    found.append(neighbour)
        return found

    def inside_bounds(self, coord):
        r, q = coord
        return 0 <= r < self.n and 0 <= q < self.n

    def is_occupied(self, coord):
        return self[coord] is not None

    def _apply_captures(self, coord):
        """Removes all stones that the stone on this cell captures simultaneously; returns their cells."""
        r, q = coord
        data = self._data
        mine = data[r, q]
        theirs = _SWAP_PLAYER[mine]
        captured = set()
        for (r1, q1), (r2, q2), (r3, q3) in _CAPTURE_PATTERNS:
            x, y, z = (r + r1, q + q1), (r + r2, q + q2), (r + r3, q + q3)
            if (
                self.inside_bounds(x)
                and data[x] == theirs
                and self.inside_bounds(y)
                and data[y] == theirs
                and self.inside_bounds(z)
                and data[z] == mine
            ):
                captured.add(x)
                captured.add(y)
        for cell in captured:
            data[cell] = 0
        return list(captured)

    def _coord_neighbours(self, coord):
        """The neighbors that are on the board."""
        r, q = coord
        n = self.n
        return [(r + dr, q + dq) for dr, dq in _HEX_STEPS if 0 <= r + dr < n and 0 <= q + dq < n]
