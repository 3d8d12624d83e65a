"""Tables and the translation between cells as numbers and the referee's objects."""

from referee.game import HexDir, HexPos, SpawnAction, SpreadAction

N = 7
SIZE = N * N
DIRECTIONS = list(HexDir)

# RAYS[cell][direction]: the six cells ahead.
RAYS = [
    [
        [(r + d.r * k) % N * N + (q + d.q * k) % N for k in range(1, N)]
        for d in DIRECTIONS
    ]
    for r in range(N)
    for q in range(N)
]


def to_action(move):
    cell, direction = move
    pos = HexPos(*divmod(cell, N))
    if direction is None:
        return SpawnAction(pos)
    return SpreadAction(pos, DIRECTIONS[direction])


def from_action(action):
    cell = action.cell.r * N + action.cell.q
    if isinstance(action, SpawnAction):
        return cell, None
    return cell, DIRECTIONS.index(action.direction)
