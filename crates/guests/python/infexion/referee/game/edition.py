"""What sets the referee of Infexion (2023) apart from that of Tetress (2024), apart from the rules."""

VERSION = "2023.0.2"
LISTENER = "turn"  # the agents' method that is told every action
REPLY_TIMEOUT = 60.0  # seconds on the wall for one call, with or without a limit of CPU time
GREETING_COMES_FIRST = False  # `GameBegin` follows the players' initialization
COMMENTATOR = "game"  # the name before lines of commentary
BOARD_INDENT = 0  # columns before the board's picture
