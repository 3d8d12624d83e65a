//! The text of `help` at the prompt.

/// The commands of the prompt.
pub const COMMANDS: &str = "\
Commands:
  MOVE          make a move
  moves [CELL]  list the legal moves, or those that contain a cell
  board         draw the board
  undo          take back your last move
  resign        resign the game
  save FILE     write the game to a new file; `save! FILE` overwrites one
  load FILE     continue the last game of a file
  help          show this text
  quit          quit (also Ctrl-D)";
