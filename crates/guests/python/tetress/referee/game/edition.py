"""How the referee of Tetress (2024) differs from that of Infexion (2023), besides the rules."""

VERSION = "2024.0.0"
LISTENER = "update"  # the method by which agents are told actions
REPLY_TIMEOUT = 180.0  # wall-clock seconds for one call, with or without a limit of CPU time
GREETING_COMES_FIRST = True  # `GameBegin` precedes the players' initialization
COMMENTATOR = "referee"  # the name at the start of commentary lines
BOARD_INDENT = 22  # columns before the board's picture
