"""Alpha-beta, two plies deep. Scores are seen from the side to move."""

from agent.board import FastBoard

WIN = 1000


def best_move(board: FastBoard, depth=2):
    best, alpha = None, -WIN - 1
    for move in quiet_last(board):
        score = -negamax(board.after(move), depth - 1, -WIN - 1, -alpha)
        if score > alpha:
            best, alpha = move, score
    return best


def negamax(board, depth, alpha, beta):
    winner = board.winner()
    if winner is not None:
        return winner * board.sign * WIN
    if depth == 0:
        return board.balance() * board.sign
    for move in quiet_last(board):
        score = -negamax(board.after(move), depth - 1, -beta, -alpha)
        if score >= beta:
            return score
        alpha = max(alpha, score)
    return alpha


def quiet_last(board):
    """Spreads, then a dozen spawns: most cells of a torus are alike, and we have little time."""
    n_spawns = 0
    for move in board.moves():
        if move[1] is None:
            n_spawns += 1
            if n_spawns > 12:
                return
        yield move
