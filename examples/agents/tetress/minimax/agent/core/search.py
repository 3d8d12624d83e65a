"""Alpha-beta, two plies deep, over the few pieces that look best at once."""

from agent.core.board import MAX_TURNS, Board

WIDTH = 6
WIN = 1000


def best_piece(board: Board, depth=2):
    best, alpha = None, -WIN - 1
    for piece, child in promising(board):
        score = -negamax(child, depth - 1, -WIN - 1, -alpha)
        if best is None or score > alpha:
            best, alpha = piece, score
    return best


def negamax(board, depth, alpha, beta):
    if board.plies >= MAX_TURNS:
        lead = board.mine.bit_count() - board.theirs.bit_count()
        return (lead > 0) * WIN - (lead < 0) * WIN
    if depth == 0:
        return board.room()
    children = promising(board)
    if not children:
        return -WIN
    for _, child in children:
        alpha = max(alpha, -negamax(child, depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def promising(board):
    pieces = board.pieces()
    if len(pieces) > 120:
        # Every so manieth is enough to choose from, and always the same ones.
        pieces = pieces[:: len(pieces) // 60]
    children = [(piece, board.after(piece)) for piece in pieces]
    children.sort(key=lambda child: child[1].room())
    return children[:WIDTH]
