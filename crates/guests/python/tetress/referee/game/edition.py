"""What sets the referee of Tetress (2024) apart from that of Infexion (2023), apart from the rules."""

VERSION = "2024.0.0"
LISTENER = "update"  # the agents' method that is told every action
REPLY_TIMEOUT = 180.0  # seconds on the wall for one call, with or without a limit of CPU time
GREETING_COMES_FIRST = True  # `GameBegin` precedes the players' initialization
COMMENTATOR = "referee"  # the name before lines of commentary
BOARD_INDENT = 22  # columns before the board's picture
