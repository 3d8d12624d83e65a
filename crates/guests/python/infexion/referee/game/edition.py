"""How the referee of Infexion (2023) differs from that of Tetress (2024), besides the rules."""

VERSION = "2023.0.2"
LISTENER = "turn"  # the method by which agents are told actions
REPLY_TIMEOUT = 60.0  # wall-clock seconds for one call, with or without a limit of CPU time
GREETING_COMES_FIRST = False  # `GameBegin` follows the players' initialization
COMMENTATOR = "game"  # the name at the start of commentary lines
BOARD_INDENT = 0  # columns before the board's picture
